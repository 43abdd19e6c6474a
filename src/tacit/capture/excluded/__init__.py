"""Excluded directories: whether a tool event names one, in any spelling that a shell resolves.

`event` decides for one payload. It reads commands with `shell` (words) and `expansion` (variables,
braces, `~`, `cd`), compares paths with `pattern` (globs) and follows links with `links`; `search`
knows the programs that read whole directory trees. Loaded only if something is excluded.
"""
