"""Shell text, taken apart into simple commands and their words.

Quotes and escapes are removed, what is quoted stays in its word. A command substitution or another
group in parentheses becomes commands of its own and UNKNOWN in the word around it. More is read as
a command than a shell would: text in quotes or comments is never lost. Linear in the text.
"""

from __future__ import annotations

from tacit.capture.excluded.pattern import UNKNOWN

QUOTED_STAR = "\1"  # a star that the shell does not expand
BEGIN, END = "(", ")"  # commands that mark a group: a directory changed in it counts only there
_CUT = "\2"
_BLANKS, _ENDS, _QUOTES = " \t\r<>", ";|&\n", "'\"\\`"
_SPECIAL = frozenset(_BLANKS + _ENDS + _QUOTES + "()")
_CUTS = {ord(char): _CUT + char + _CUT for char in _SPECIAL}
_GROUP_MARKS = "$@!+?*"  # in front of a parenthesis: `$(pwd)`, `@(a|b)`
_MOST_OPEN = 100
_ANSI = "$'"


def split_commands(text: str) -> list[list[str]]:
    """Return the simple commands of a text, each as its words."""
    lexer = _Lexer()
    for piece in text.translate(_CUTS).split(_CUT):
        if piece:
            lexer.read(piece)
    return lexer.end()


def is_text(word: str) -> bool:
    """Return whether a word holds what only quotes put there, so that it may be a command."""
    return not _SPECIAL.isdisjoint(word)


def clean(text: str) -> str:
    """Return the text without the characters that have a meaning of their own here."""
    for mark in (UNKNOWN, QUOTED_STAR, _CUT):
        text = text.replace(mark, " ")
    return text


class _Lexer:
    """Reads pieces: a special character each, or a run of others."""

    __slots__ = ("_commands", "_is_escaped", "_open", "_quote", "_word", "_words")

    def __init__(self) -> None:
        self._commands: list[list[str]] = []
        self._words: list[str] = []
        self._word: list[str] = []
        self._quote = ""
        self._is_escaped = False
        self._open: list[tuple[str, list[str], list[str], str]] = []

    def read(self, piece: str) -> None:
        """Take one piece more."""
        if self._is_escaped:
            self._is_escaped = False
            self._take_escaped(piece)
        elif self._quote in {"'", _ANSI}:
            if piece == "'":
                self._quote = ""
            elif piece == "\\" and self._quote == _ANSI:
                self._is_escaped = True
            else:
                self._word.append(piece.replace("*", QUOTED_STAR))
        elif piece == "\\":
            self._is_escaped = True
        elif self._quote:
            self._read_quoted(piece)
        else:
            self._read_plain(piece)

    def _take_escaped(self, piece: str) -> None:
        if self._quote == _ANSI:  # `\x70` and the like: some character
            self._word.append("*" + piece[1:].lstrip("0123456789abcdefABCDEF"))
        elif piece != "\n":
            self._word.append(piece.replace("*", QUOTED_STAR))

    def _read_quoted(self, piece: str) -> None:
        """Take a piece between double quotes."""
        is_group = piece == "(" and self._word and self._word[-1].endswith("$")
        if piece == '"':
            self._quote = ""
        elif is_group or piece == "`":
            self._read_group(piece)
        else:
            self._word.append(piece.replace("*", QUOTED_STAR))

    def _read_plain(self, piece: str) -> None:
        if piece in {"'", '"'}:
            self._open_quote(piece)
        elif piece in {"(", ")", "`"}:
            self._read_group(piece)
        elif piece in _BLANKS:
            self._end_word()
        elif piece in _ENDS:
            self._end_command()
        else:
            self._word.append(piece)

    def _open_quote(self, quote: str) -> None:
        self._quote = quote
        if self._word and self._word[-1].endswith("$"):  # `$'...'`, `$"..."`
            self._word[-1] = self._word[-1][:-1]
            self._quote = _ANSI if quote == "'" else quote

    def _read_group(self, piece: str) -> None:
        """Begin or end a group in parentheses or backquotes."""
        opener = self._open[-1][0] if self._open else ""
        is_end = piece == ")" or (piece == "`" and opener == "`")
        if not is_end and len(self._open) < _MOST_OPEN:
            if self._word:
                self._word[-1] = self._word[-1].rstrip(_GROUP_MARKS)
            self._open.append((piece, self._words, self._word, self._quote))
            self._words, self._word, self._quote = [], [], ""
            self._commands.append([BEGIN])
        elif is_end and opener == {")": "("}.get(piece, piece):
            self._end_command()
            self._commands.append([END])
            _, self._words, self._word, self._quote = self._open.pop()
            self._word.append(UNKNOWN)
        else:
            self._end_command()

    def _end_word(self) -> None:
        if word := "".join(self._word):
            self._words.append(word)
        self._word = []

    def _end_command(self) -> None:
        self._end_word()
        if self._words:
            self._commands.append(self._words)
            self._words = []

    def end(self) -> list[list[str]]:
        """Return all commands, what was left open included."""
        self._end_command()
        while self._open:
            _, self._words, self._word, _ = self._open.pop()
            self._end_command()
        return self._commands
