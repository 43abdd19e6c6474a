"""The guard: what may be written and what may be shown (stdlib only).

`redact` takes secrets out of text before the first write, `payload` does so for a client's JSON,
`private` takes out what the user marked, `normalise` makes text safe to show, `names` checks names.
This file imports nothing: the hook passes through it on every event.
"""
