"""Capture: the hook and the spool (stdlib only, the fast path).

`hook` is the program that a client runs for each event, `spool` the files in which events wait,
`conf` what the hook must know. This file imports nothing: the hook passes through it on every
event.
"""
