"""Verbs about the program: does it record, does it run, what is wrong."""
