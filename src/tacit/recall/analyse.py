"""The analyser: the tokens that every store indexes, and the terms that a question asks for.

Case and accents are folded, words cut to the stem of their language, words that say nothing left
out, scripts without spaces taken in pairs. An identifier is kept whole, and each part of it too.
Any text gives tokens; none holds a space, so an index that parts at spaces finds exactly these.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from itertools import chain, islice, pairwise, repeat
from typing import NamedTuple

import Stemmer

from tacit.mind import in_mind
from tacit.recall.tables import LANGUAGES, languages_saying, stop_words

VERSION = 2  # of the tokens and passages: another one has everything indexed anew
MOST_TOKENS = 600
MOST_TERMS = 32
_LONGEST = 64
_LONGEST_TEXT = 20_000
_LOOKED_AT = 400  # so many characters say which language a text is in
_TELLING = 2  # so many things tell of a language
_LETTERS = re.compile(r"[^\W\d_]+")
# vowels and tones written above, below or behind their letter: the regex engine takes none for a
# letter; Latin, Cyrillic, Hebrew, Arabic, the scripts of India, and those of Thai to Khmer
_MARK = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0dff\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u102b-\u103e\u17b4-\u17d3"
)
# letters and digits, held together by what joins the parts of identifiers
_CHUNK = re.compile(rf"[^\W_](?:[\w.:/\\@#+{_MARK}-]*(?:[^\W_]|[{_MARK}]))?[+#]{{0,2}}")
_JOINERS = (re.compile(r"[/\\]+"), re.compile(r"[.:@]+"), re.compile(r"[-_#+]+"))
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# scripts that put no spaces between words: kana, ideographs, hangul, Thai, Lao, Khmer, Burmese
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_GREEK = re.compile("[\u0370-\u03ff]")
_ARABIC = re.compile("[\u0600-\u06ff]")
# letters with a stroke that no normal form parts from it
_UNPARTED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
_BY_SCRIPT = ((_CYRILLIC, "russian"), (_GREEK, "greek"), (_ARABIC, "arabic"))
_KNOWN = (*LANGUAGES, *(language for _, language in _BY_SCRIPT))


class Term(NamedTuple):
    """One thing that a question asks for: any of these tokens is it."""

    word: str
    tokens: tuple[str, ...]


def tokens(text: str) -> list[str]:
    """Return the tokens of a text in order, so many at most."""
    text = _plain(text)
    found = map(_of_chunk, _CHUNK.findall(text), repeat(language_of(text)))
    return list(islice(chain.from_iterable(found), MOST_TOKENS))


def terms(question: str) -> list[Term]:
    """Return what a question asks for; if it has only words that say nothing, these."""
    text = _plain(question)
    language = language_of(text)
    pieces = [piece for chunk in _CHUNK.findall(text) for piece in _pieces(chunk)]
    telling = [
        piece for piece in pieces if not _says_nothing(piece, _spoken(piece, language))
    ] or pieces
    found: dict[tuple[str, ...], Term] = {}
    for piece in telling:
        for each in _asked(piece, language):
            found.setdefault(each, Term(each[0], each))
    return list(found.values())[:MOST_TERMS]


def language_of(text: str) -> str:
    """Return the language that a text seems to be in; English unless two things tell another.

    One small word is not enough: "door" is one in Dutch. A letter that English has not is another.
    """
    words = map(str.casefold, _LETTERS.findall(text[:_LOOKED_AT]))
    votes = Counter(chain.from_iterable(map(_voted, words)))
    best = max(votes.values(), default=0)
    if best + (not text.isascii()) < _TELLING:
        return LANGUAGES[0]
    return next(language for language in _KNOWN if votes[language] == best)


@in_mind(2048)
def _voted(word: str) -> tuple[str, ...]:
    """Return the languages that a word speaks for: small words tell, and so does a script."""
    own = _by_script(word)
    return (own,) if own else languages_saying().get(word, ())


def _by_script(word: str) -> str:
    """Return the language that is written with the letters of a word, if only one is."""
    if word.isascii():
        return ""
    return next((language for script, language in _BY_SCRIPT if script.search(word)), "")


def _spoken(word: str, language: str) -> str:
    """Return the language of one word: a text may have words in another script than its own."""
    return _by_script(word) or (language if language in LANGUAGES else LANGUAGES[0])


def _says_nothing(piece: str, spoken: str) -> bool:
    return piece.casefold() in stop_words(spoken)


def _plain(text: str) -> str:
    """Return a text in one form of its letters, as much of it as is looked at.

    What is written without spaces stands apart from what is not: names are put amid it.
    """
    text = unicodedata.normalize("NFKC", text[:_LONGEST_TEXT]).replace("\u2019", "'")
    return text if text.isascii() else _UNSPACED.sub(r" \g<0> ", text)


def _pieces(chunk: str) -> list[str]:
    """Return a chunk and the parts it is made of, each once, the whole first.

    Nothing is parted twice: a path gives its steps, a step its words, a word its humps.
    """
    if chunk.isalpha() and (chunk[1:].islower() or not chunk.isascii()):
        return [chunk]  # a plain word
    found = {chunk: None}
    parts = [chunk]
    for joiner in _JOINERS:
        parts = [part for each in parts for part in joiner.split(each) if part]
        found |= dict.fromkeys(parts)
    for part in parts:
        humps = _CAMEL.findall(part)
        if len(humps) > 1 and part.isascii():
            found |= dict.fromkeys(humps)
            found |= dict.fromkeys(_joined(humps))
    return list(found)


def _joined(humps: list[str]) -> list[str]:
    """Return neighbouring humps as one: of parseHTTPResponse, HTTPResponse is asked for as well."""
    return ["".join(pair) for pair in pairwise(humps)] if len(humps) > 2 else []  # noqa: PLR2004


@in_mind(2048)
def _of_chunk(chunk: str, language: str) -> tuple[str, ...]:
    """Return the tokens under which a chunk is found."""
    found: list[str] = []
    for piece in _pieces(chunk):
        spoken = _spoken(piece, language)
        if _says_nothing(piece, spoken):
            continue
        if _is_unspaced(piece):
            found += _in_pairs(piece)
        elif len(piece) <= _LONGEST:
            found.append(_token(piece, spoken))
    return tuple(found)


def _asked(piece: str, language: str) -> list[tuple[str, ...]]:
    """Return the tokens that a piece of a question may have been indexed under.

    In which language a text was said is not known from a word or two: its stem in any counts.
    """
    if _is_unspaced(piece):
        return [(pair,) for pair in _in_pairs(piece)]
    if len(piece) > _LONGEST:
        return []
    languages = (language, *LANGUAGES)
    return [tuple(dict.fromkeys(_token(piece, _spoken(piece, each)) for each in languages))]


def _is_unspaced(piece: str) -> bool:
    return not piece.isascii() and _UNSPACED.search(piece) is not None


def _in_pairs(piece: str) -> list[str]:
    """Return the signs of a script without spaces in pairs; a lone one as it is."""
    return [piece[at : at + 2] for at in range(max(1, len(piece) - 1))]


@in_mind(2048)
def _token(piece: str, language: str) -> str:
    """Return a piece folded and cut to its stem; what is no word stays whole."""
    word = piece.casefold()
    if not word.isalpha():
        return _folded(word)
    return _folded(_stemmer(language).stemWord(word)) or _folded(word)


def _folded(word: str) -> str:
    """Return a word without case and accents."""
    word = word.casefold()
    if word.isascii():
        return word
    parted = unicodedata.normalize("NFKD", word).translate(_UNPARTED)
    return "".join(char for char in parted if not unicodedata.combining(char)) or word


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)  # keeps no words in mind itself: `_token` does
