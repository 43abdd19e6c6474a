"""Verbs about the transcript: what happened, and that it is kept."""
