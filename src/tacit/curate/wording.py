"""Wording: whether two sentences say the same in other words.

Every word counts, and so does the order: "tabs over spaces" is not "spaces over tabs", and only one
word need differ for another server to be meant. What may differ is what is known to change nothing:
endings, articles, short forms, a few words of one sense, a phrase put in front, and the passive.
Meant for English; of other languages, and of what is not understood, only the same words are one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Forms = frozenset[str]  # what a word may be a form of: two words are one if they share any

_OPENING, _CLOSING = "\"'`([{\u201c\u2018", "\"'`)]}\u201d!"
_STOPS = ".,;:?…"
_FRONTED = frozenset(("in", "on", "at", "for", "when", "if", "before", "after", "during"))
_DENIALS = frozenset(("not", "never", "no", "none", "without", "nobody", "nothing"))
_BE = frozenset(("is", "are", "am", "be"))
_SAID_BY = frozenset(("i", "user"))
_PREFER = frozenset(("prefer", "prefers", "like", "likes", "favor", "favors", "favour", "favours"))
# what a wish may say or not say: "always use tabs" is "use tabs"
_STRESS = frozenset(("always", "should", "must"))
_EACH = frozenset(("each", "every"))
_SENSES = tuple(
    frozenset(row.split())
    for row in (
        "prefer like favor favour", "use utilize utilise", "each every", "database db",
        "repository repo", "configuration config", "documentation docs", "environment env",
        "application app", "administrator admin", "directory folder", "production prod",
        "development dev", "information info", "javascript js", "typescript ts",
        "kubernetes k8s", "postgresql postgres", "email e-mail", "remove delete",
        "begin start", "show display", "large big", "quick fast", "short brief concise",
        "answer reply response", "need require",
    )
)  # fmt: skip
_PARTICIPLES = {
    "written": "write", "built": "build", "kept": "keep", "sent": "send", "made": "make",
    "run": "run", "set": "set", "put": "put", "held": "hold", "read": "read", "shown": "show",
    "chosen": "choose", "found": "find", "given": "give", "taken": "take", "told": "tell",
}  # fmt: skip
# what an s behind it makes something else of
_WHOLE = frozenset(
    ("users", "https", "ldaps", "imaps", "news", "means", "windows", "goods", "customs", "always")
)
_VERBS = _PREFER | {"always", "does", "gets", "lives", "lies", "is", "uses", "needs"}
_LEAST = 4  # so long is a word with an ending
# marks behind a word: it is a form of a verb, it has this form alone, it may have any
_VERB, _NAME, _ANY = ">", "<", "\t"


def is_same(one: str, other: str, *, is_wish: bool) -> bool:
    """Say whether two sentences say the same; *is_wish*: both say how something is to be done."""
    theirs = list(_readings(other, is_wish=is_wish))
    return any(_matches(ours, each) for ours in _readings(one, is_wish=is_wish) for each in theirs)


def _matches(one: list[str], other: list[str]) -> bool:
    return len(one) == len(other) and all(
        a == b or not _forms(a).isdisjoint(_forms(b)) for a, b in zip(one, other, strict=True)
    )


def _readings(text: str, *, is_wish: bool) -> Iterator[list[str]]:
    """Yield the ways in which a sentence can be put; each a list of words."""
    said = _plain(_unfronted(_words(text)))
    if _SAID_BY & {*said[:1]} and _PREFER & {*said[1:2]}:
        del said[0]
    is_urged = is_wish and not _STRESS.isdisjoint(said)
    if is_wish:
        said = _wished(said)
    yield said
    active = _active(said)
    if active:
        yield ["we", *active]
        if is_urged or (is_wish and _PREFER & _roots(active[0][:-1])):
            yield active  # "the bug is fixed" is no wish to fix it


def _wished(said: list[str]) -> list[str]:
    """Return a wish as it is said most shortly: "we should always use tabs" is "use tabs"."""
    if {"you", "we"} & {*said[:1]}:
        said = said[1:]
    if said[:1] == ["never"]:
        return ["not", *said[1:]]
    if _DENIALS.isdisjoint(said):  # "do not always use tabs" is not "do not use tabs"
        return [
            word
            for before, word in zip(["", *said], said, strict=False)
            if word not in _STRESS and not (word in _EACH and before in {"before", "after"})
        ]
    return said


def _words(text: str) -> list[str]:
    """Return the words of a text, and the stops between them; names in capitals stay so."""
    found: list[str] = []
    for chunk in text.replace("\u2019", "'").split():
        bare = chunk.lstrip(_OPENING).rstrip(_CLOSING)
        word = bare.rstrip(_STOPS).rstrip(_CLOSING)
        found += _expanded(word, is_first=not found)
        found += bare[len(word) :].rstrip(_CLOSING)
    while found and found[-1] in {".", "…"}:
        found.pop()
    return found


def _expanded(word: str, *, is_first: bool) -> list[str]:
    """Return a word as it is compared: short forms in full, small letters but for names.

    The first may be a name as well: marked, so that its s belongs to it.
    """
    is_name = not word.islower() and not is_first
    folded = word.casefold()
    if folded in {"cannot", "can't"}:
        return ["can", "not"]
    if folded in {"won't", "shan't"} or not folded.endswith("n't"):
        if is_first and word.istitle() and folded.endswith("s") and folded not in _VERBS:
            folded += _NAME
        return [word] if is_name and folded != "i" else [folded] if folded else []
    return [folded.removesuffix("n't"), "not"]


def _unfronted(words: list[str]) -> list[str]:
    """Return a sentence with the phrase that was put in front of it at its end."""
    if not words or words[0] not in _FRONTED:
        return words
    if words.count(",") == 1:
        at = words.index(",")
        return [*words[at + 1 :], *words[:at]]
    if "," not in words and "we" in words:
        at = words.index("we")
        return [*words[at:], *words[:at]]
    return words


def _plain(words: list[str]) -> list[str]:
    """Return a sentence without what says nothing, and what is often put in two ways in one."""
    found: list[str] = []
    for at, word in enumerate(words):
        before, behind = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        if _is_to_be(word, behind):
            found.append("be")
        elif word in {"on", "at"} and behind and found[-1:] == ["be"]:
            found.append("in")
        elif before == "for" and word.endswith("ing"):
            found[-1:] = ["to", word + _VERB]
        elif not _says_nothing(word, before, behind):
            is_certain = before == "the" and word not in _SAID_BY
            found.append(word + _NAME if is_certain and not word.endswith(_NAME) else word)
    return found


def _is_to_be(word: str, behind: str) -> bool:
    """Say whether a word only says that something is, is done, or is somewhere."""
    if word in {"lives", "lies", "live", "lie"}:
        return behind in {"in", "at", "on"}
    return word in _BE or (word in {"get", "gets"} and bool(_roots(behind)))


def _says_nothing(word: str, before: str, behind: str) -> bool:
    if word in {"a", "an"}:  # to be a lead is not to be the lead, and a few are not few
        return before not in _BE and behind not in {"few", "little", "lot"}
    return word in {"the", "please"} or (word in {"do", "does"} and behind == "not")


def _active(words: list[str]) -> list[str] | None:
    """Return "the tests are run at night" as "run the tests at night"; None for anything else."""
    at = words.index("be") if words.count("be") == 1 else 0
    verb = words[at + 1] if 0 < at < len(words) - 1 else ""
    if not _roots(verb) or not (_DENIALS | {",", "and", "or", "by"}).isdisjoint(words):
        return None
    return [verb + _VERB, *words[:at], *words[at + 2 :]]


def _forms(word: str) -> Forms:
    """Return what a word may be a form of; "the test" is none of "tests"."""
    bare = word[:-1]
    if word.endswith(_VERB):
        found = _roots(bare) or _cut(bare, "ing")
        found |= {each + _ANY for each in found}
    elif word.endswith(_NAME):
        found = {bare}
    else:
        found = {word, *(each + _ANY for each in (word, *_singular(word)))}
    plain = {each.rstrip(_ANY).casefold() for each in found}
    senses = {min(sense) for sense in _SENSES if not sense.isdisjoint(plain)}
    return frozenset(found | {f"~{sense}" for sense in senses})


def _singular(word: str) -> set[str]:
    """Return a word without the s of a number or a person; names have none."""
    is_word = word.isalpha() and word.islower() and len(word) >= _LEAST and word not in _WHOLE
    if not is_word or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return set()
    if not any(char in "aeiouy" for char in word):  # smtps
        return set()
    found = {word[:-1]}
    if word.endswith("ies"):
        found.add(word[:-3] + "y")
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        found.add(word[:-2])
    return found


def _roots(word: str) -> set[str]:
    """Return the verbs that a word may be the participle of."""
    if word in _PARTICIPLES:
        return {_PARTICIPLES[word]}
    return _cut(word, "ed") if not word.endswith("eed") else set()


def _cut(word: str, ending: str) -> set[str]:
    """Return the verbs that may have got this ending."""
    if len(word) < _LEAST or not word.endswith(ending) or not word.isalpha():
        return set()
    stem = word.removesuffix(ending)
    found = {stem, stem + "e"}
    if len(stem) > 1 and stem[-1] == stem[-2]:
        found.add(stem[:-1])
    return found | ({stem[:-1] + "y"} if stem.endswith("i") else set())
