"""The workspace: a directory of the user's with a memory of its own, its cards and its files.

`layout` makes one and `registering` writes it into the user's settings. `follow` reads the
transcript, `mirror` keeps a file for each card. `looking` sees what lies in the folders, `upkeep`
asks about it. Nothing here deletes, leaves the workspace or follows a link out of it.
"""
