"""Llm: the models that the owner may choose, behind one small port.

`port.py` is what everybody knows; `messages.py` (anthropic), `chat.py` (openai and all that speak
like it) and `subscription.py` (the user's own `claude`) are behind it; `choose.py` picks one.
"""
