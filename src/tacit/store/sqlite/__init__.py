"""The embedded store: SQLite through apsw, one file per group."""
