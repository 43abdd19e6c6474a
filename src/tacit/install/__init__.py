"""Install: what a client needs to run our hook, how to take it back, and whether it still stands.

`command` writes the launcher and says how a client calls it; `installing` edits a client's files by
a plan, `plugin` writes a directory instead; `inspecting` looks at all of it for the doctor.
"""
