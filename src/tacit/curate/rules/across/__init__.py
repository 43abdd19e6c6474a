"""Across: what one clause does not tell by itself: clauses, turns and tools taken together."""
