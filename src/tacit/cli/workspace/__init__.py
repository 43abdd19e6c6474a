"""Verbs about workspaces."""
