"""The daemon: one quiet process per home that takes events in and answers prompts.

Nothing depends on it: without it every reading command does its work. `run.py` is its life.
"""
