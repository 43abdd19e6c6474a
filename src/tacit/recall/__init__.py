"""Recall: what was said and learned, found by words and by meaning, best first, explained."""
