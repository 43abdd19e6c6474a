"""From text to vectors: texts of like meaning become vectors that point the same way.

`port.py` is what the rooms above ask; `choose.py` picks who answers: the model on this machine, a
server that the owner has named, or nobody. Nothing here knows of stores or of search.
"""
