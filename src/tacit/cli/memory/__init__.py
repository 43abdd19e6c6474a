"""Verbs about memories: what is remembered, and what the owner decides about it."""
