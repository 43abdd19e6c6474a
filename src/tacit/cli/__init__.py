"""The command line: verbs for people, `--json` for programs, one sentence for every refusal.

`main` is the entry; each verb has a file of its own, loaded when it is called.
"""
