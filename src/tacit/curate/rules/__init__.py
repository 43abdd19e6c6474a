"""The embedded curator: rules and a small scorer that make memories of turns without a model."""
