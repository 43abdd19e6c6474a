"""MCP: the memory for agents that ask. They read; nothing here writes a memory.

`tools.py` says what can be asked, `reader.py` answers it, `server.py` speaks the protocol.
"""
