"""The store: where the transcript lies, behind one small port. All SQL is in `.sql` files."""
