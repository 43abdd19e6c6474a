"""A reader of Markdown that suspects everything: what of a line would be more than words.

Code is taken out first, as every reader does; what is left must not open, link, show or include
anything. It was compared with two readers that people use: what they take for markup, it does too.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"`[^`]*`")
_INSIDE = {
    "link": re.compile(r"\]\("),
    "reference": re.compile(r"\]\["),
    "definition": re.compile(r"\]:"),
    "picture": re.compile(r"!\["),
    "wiki link": re.compile(r"\[\["),
    "import": re.compile(r"(?<![A-Za-z0-9])@[\w./~\\]"),
    "address": re.compile(r"[a-z]://\S|\bwww\.\w", re.IGNORECASE),
    "tag": re.compile(r"<[/!?\w|]"),
    "code": re.compile(r"`"),
}
_FIRST = re.compile(r"#|>|[*+=~_-]|\d+[.)]|```")


def check_line(line: str) -> None:
    """Fail if a line of a list holds anything but words and code."""
    assert len(line.splitlines()) == 1
    assert line.startswith("- ")
    assert not line.startswith("-     ")  # so far in it is code
    assert "``" not in line
    assert "\\`" not in _CODE.sub("`x`", line)
    words = _CODE.sub(" x ", line)
    found = {name for name, sign in _INSIDE.items() if sign.search(words)}
    assert found == set(), line
    assert not re.search(r"@[./~\\]", line), line
    assert not _FIRST.match(line.removeprefix("- ").lstrip()), line


def check_page(text: str, titles: list[str], fixed: int = 3) -> None:
    """Fail if a page has other headings than these, or a line that is more than words.

    So many lines at its beginning are its title and its note.
    """
    lines = text.splitlines()
    assert [line for line in lines if line.lstrip().startswith("#")] == titles
    for line in lines[fixed:]:
        if line and line not in titles:
            check_line(line)
