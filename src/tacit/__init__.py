"""Memory for AI agents that the agent never has to think about.

This file imports nothing: the hook passes through it on every event.
"""
