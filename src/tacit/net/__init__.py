"""Net: the guarded way to a server that the owner has named.

`endpoint.py` says where a server may be, `wire.py` connects there and nowhere else, `transport.py`
lets only plain answers through, `line.py` asks in JSON. What goes wrong is a `trouble.py` without
an owner: whoever asked makes the sentence of it, and names the setting.
"""
