"""The transcript: events taken in exactly once, kept, verified, restored and, if asked, erased.

`ingest.py` brings them in, `ledger.py` is one group's transcript with all that keeps it.
"""
