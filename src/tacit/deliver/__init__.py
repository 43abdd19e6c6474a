"""Deliver: what a session is told, when, and within what budget.

`choose.py` picks, `share.py` divides the room, `render.py` writes it down, `counting.py` says what
that costs, `brief.py` puts these together; `prepare.py` keeps the files that the hook prints;
`surfacing.py` answers a prompt, `saying.py` knows what one says by itself; `uses.py` finds out what
was of use; `curated/` keeps six files.
"""
