"""Verbs about what sessions are told."""
