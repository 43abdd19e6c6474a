"""Install: what a client needs to run our hook, and how to take it back.

`command` writes the launcher and says how a client calls it.
"""
