"""The model pass: a model reads batches of turns, and nothing of its reply is believed unchecked.

`batch` says which turns are due, `request` what the model is told, `reply` reads what it answers,
`cite` finds the words that its statements stand on, `apply` lets the memory learn them. Calls and
replies are events (`calls`), so what was paid for is replayed free and the budget (`spend`) stands.
"""
