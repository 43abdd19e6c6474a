"""Judges: what tells a secret by its structure, its sentence or its checksum."""
