"""The curated files: six pages beside a group's memory that say who, what and how, each short.

`names.py` says which there are, `gather.py` what belongs into them, `plain.py` how words are made
harmless, `sheet.py` how a page is laid out; `keep.py` keeps four of them in step with the memory,
`ledger.py` and `edits.py` know what was changed by hand, `deployed.py` holds the two that only a
deployment writes, `boot.py` joins them all, `relevant.py` keeps the page of the last prompt.
"""
