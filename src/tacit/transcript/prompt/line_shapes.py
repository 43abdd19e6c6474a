"""Line shapes: whether a line looks printed by a program, laid out as a document, or spoken.

Judged by shape (timestamps, paths, brackets, symbols, marks of layout), never by the name of a
program, so that logs and documents of any tool are recognised.
"""

from __future__ import annotations

import re

from tacit.transcript.prompt.speech_cues import PRINTED_WORDS

BLANK, SPOKEN, LAID_OUT, ORNATE, LIKELY, PRINTED = range(6)

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?"
_DAY = r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{2,4}|\w{3},? +\d\d?(?:,? \d{4})?)"
_LEVEL = (
    r"(?:EMERG|ALERT|CRIT(?:ICAL)?|ERR(?:OR)?|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE|FATAL|PANIC"
    r"|VERBOSE|LOG)"
)
# a line that begins with a digit, or with a bracket before one
_BY_DIGIT = re.compile(
    rf"[\[(]?{_DAY}[T ,]+{_CLOCK}|[\[(]?{_CLOCK}[\])Z,]?(?:\s|$)|\[\s*\d+[./]\s*\d+\]"
    r"|\d+(?:\.\d+)* *[|\u2502\u2503:] |\d+: |\d+\s+\d+\s+\d+|\d+\s*\||\d+(?:,\d+)*\s*$"
    r"|\d+(?:\.\d+)?\s?(?:ms|s|kB|KB|MB|GB|%|x)\b|\d{1,3}(?:\.\d{1,3}){3}\b|[0-9a-f]{7,40} "
    r"|\d+\s+(?:passing|failing|passed|failed|pending)\b"
)
# a line that begins with a sign
_BY_SIGN = re.compile(
    r"[|\u2500-\u259f\u276f\u279c\u23bf]|[+|][-=+]{2}|\$ \S|>>> |\.\.\. |@@ |\+{3} |-{3} \S"
    r"|\*\* \(|\(\w[\w-]* \d+\.\d+|[\])}]+[,;]*$|[\])}][\])},;]+|[{\[(]+$|[{\[][\"'{\[]"
    rf"|[\"'][\w$@./ -]+[\"']\s*:|\[{_LEVEL}\]"
    r"|<[?!]?/?[a-zA-Z][\w:-]*(?:[\s/>]|$)|//\s?\S|/\*|\*/|<!--|#!|#\d+[ :]|=> |-> |\^+\s*$|~+\^"
    r"|@\w+[({]|:[a-z_]+[ ,.(]|%\{|%\w+\{|#\w+<|~[A-Z]\[|\[[\d/]+\] "
    r"|[\u2713\u2714\u2717\u2718\u25cf\u25cb\u25b6\u2022] ?(?=[^a-z]*[\d(/.])|\.{2,}/"
    r"|/[\w.-]+/[\w./-]+(?::\d+)?:?\s*$|==+ |--+>|[=_*~+#]{4,}$|[-=*~+]{3,} .* [-=*~+]{3,}$"
    r"|&[a-z]+;|[dl-][r-][w-][xsS-][r-]",
    re.IGNORECASE,
)
# a line that begins with a word that programs begin lines with
_BY_WORD = re.compile(
    rf"{_LEVEL}(?:\[\w+\])?(?:[:!|\]]|  | - )|(?:Traceback \(|Caused by: |goroutine \d|thread ')"
    r"|at\s+(?:async\s+)?(?:\S+:\d+|[\w.$<>]+\(|[\w.$<>\[\]/ -]+[ (][\w@./:\\<-]+:\d+)"
    r"|File \"[^\"]+\", line \d|diff --git |index [0-9a-f]{7}|HTTP/\d|Step \d+/\d+"
    r"|(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /|(?:const|let|var|val) [\w{\[].*="
    r"|(?:import|from|export|using|require|include) .*(?:[;'\")]$| import )"
    r"|(?:public|private|protected|static|async|final|export|default|abstract) .*[{(;]$"
    r"|(?:defp?|defmodule|func|fn|class|interface|struct|enum|module|function|impl|trait|type"
    r"|namespace) .*(?:[:{(;)]| do)$|(?:return|await|yield|throw|raise)\b.*[;)(\[{]$"
    r"|(?:if|for|while|switch|catch|elif)\s?\(.*[{)]$|else\b.*[{:]$|(?:end|endif|done|fi|esac)[,;)]*$"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|GRANT|WITH|FROM|WHERE|INNER|LEFT"
    r"|JOIN|ORDER BY|GROUP BY|LIMIT|VALUES|SET|RUN|COPY|ADD|ENV|ARG|CMD|ENTRYPOINT|EXPOSE|WORKDIR"
    r"|LABEL)\b .*[^.?!:]$|(?:PASS|FAIL|ok|not ok)\s+\S+[./]\S+|total \d+$|commit [0-9a-f]{7,40}"
    r"|(?:error|warning|fatal|panic|note|help|hint|npm|yarn|pnpm|pip)(?:\[\w+\])?"
    r"(?::|(?i: err!| warn\w*| error| notice)) |Author: |(?:modified|deleted|new file): "
    r"|(?:From|To|Subject|Date|Cc|Sent|Von|An|Gesendet|Betreff|De|Para|Asunto|Objet|Envoy\u00e9|Da"
    r"|Oggetto|Data|Od|Temat): \S"
)
# a line that begins with any word, and has such signs soon after it
_BY_MARKS = re.compile(
    rf"{_DAY}[T ,]+{_CLOCK}|[\w$.:/\\]*[A-Z]\w*(?:Error|Exception|Warning|Panic|Failure)\b"
    r"(?:\[?\w*\]?:|\s*\(|$)|[\w./@-]+\.\w+:\d+(?::\d+)?\b|[\w./-]+/[\w./-]+:\d+"
    r"|[A-Z][A-Z0-9_]{2,}=|[\w.-]+@[\w.-]+[:~][^ ]*[$#] |(?:[a-z_][\w.]*=\S+\s+){2}"
    r"|[\w.$\[\]'\"]+ ?[:+*/-]?= ?[^=\s].*[;{(\[,]$|[\w.-]+\[\d+\]: "
    r"|\w[\w./-]*: (?:\[\w+\]|error|warning|fatal|note|command not found|\*\*\*)"
    r"|[\w./-]+\s+\|\s+\d+ [+-]+|[\w-]+: \S+; |\w+ ?\([^()]*\) ?\{$|\w[\w.]*\([^()]*\);?$"
    r"|\w+!?\[\w*\]"
    r"|[\w .'-]{2,30}\s{1,3}(?:\(?(?:[Tt]oday|[Yy]esterday)?(?: at)? ?)?\d{1,2}:\d\d"
    r"(?: ?[AaPp][Mm])?\)?$"
)
_KEYED = re.compile(
    r"(?:- )?[\w.$/-]+\s*(?::|=>?)\s*(?:[\[{\"'(&|>*!-]|true\b|false\b|null\b|nil\b|[\d.]+$|\$\{|<)"
    r"[^.?!]*$|(?:- )?[a-z_][\w.$/-]*:(?: [\w./@:+-]+){0,3}$|[\w$~+-][\w.$ \"-]* \{$|\(\w+ \""
    r"|\[(?![xX]\]|private|redacted|image)\w[\w .:/-]*\]\s|[~+-] \w+.*(?:=|->)"
    r"|[A-Z][A-Z0-9_]{3,}: |[QA](?: \([^)]*\))?: |[a-z_]\w*: [^ ].*,$|\S{0,40}[{(\[]$"
)
# values in columns: parted by signs without a space, or by many spaces
_COLUMNS = re.compile(
    r"[^\s,;]+(?:[,;][^\s,;]*){2,}$|\S+(?: \S+)*(?:(?: {2,}|\t)\S+(?: \S+)*){2,}$"
)
_STYLE = re.compile(r"[.#@\w][^{}]*\{[^{}]*\}?$|[.#@\w][^{}]*\{[^{}]*\{.*\}$")
_INLINE = re.compile(r"`[^`]+`")
_IN_FILE = re.compile(r"\.\w{1,5}:\d")
_CODE = re.compile(r"=[>=]|!=|&&|\|\||::|\$\{|\)[;]|\\[n\"]|\{\{|\(\)")
_EMOJI = r"[\u2600-\u27bf\U0001f300-\U0001faff\u2b00-\u2bff]"
_LAYOUT = re.compile(
    rf"#{{1,6}} (?!{_EMOJI})|[-*+\u2022] \*\*|\*\*[^*]+\*\*|-{{3,}}$|\d+[.)] \*\*"
    rf"|(?:[-*] )?\[[ xX]\] |(?P<emoji>(?:\d+[.)] |[-*\u2022] |#+ )?{_EMOJI})"
)
_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123)) + b" " + bytes(range(128, 256))
_ADDRESS = re.compile(r"\S*://\S+")
_MARKS = ":=([|/"
_OPEN = "{([,"
_READ, _HEAD = 400, 40  # so much of a line is looked at; so near its beginning marks stand
_FEW, _MANY = 0.72, 40  # a line of so many characters with fewer letters was printed


def shape(line: str) -> int:
    """Return what a line looks like."""
    text = line.strip()[:_READ]
    if not text:
        return BLANK
    if "`" in text:
        text = _INLINE.sub("x", text)
    if _is_printed(text) or _has_few_letters(text) or _is_tabular(text):
        return PRINTED
    if _is_keyed(text) or _holds_code(text):
        return LIKELY
    layout = _LAYOUT.match(text)
    if layout is None:
        return SPOKEN
    return ORNATE if layout["emoji"] else LAID_OUT


def _is_printed(text: str) -> bool:
    first = text[0]
    if not (first.isalpha() or first == "_"):
        is_digit = first.isdigit() or (first in "[(" and text[1:2].isdigit())
        return bool((_BY_DIGIT if is_digit else _BY_SIGN).match(text))
    word = text.partition(" ")[0]
    if word.rstrip(":!(") in PRINTED_WORDS and _BY_WORD.match(text):
        return True
    head = text[:_HEAD]
    for mark in _MARKS:
        if mark in head:
            return bool(_BY_MARKS.match(text))
    return False


def _is_tabular(text: str) -> bool:
    if "{" in text:
        return _STYLE.match(text) is not None
    may_be = "  " in text or "\t" in text or " " not in text
    return may_be and _COLUMNS.match(text) is not None


def _is_keyed(text: str) -> bool:
    head = text[:_HEAD]
    may_be = ":" in head or "=" in head or text[-1] in _OPEN or text[0] == "[" or " -> " in text
    return may_be and _KEYED.match(text) is not None


def _holds_code(text: str) -> bool:
    if _CODE.search(text):
        return True
    return ":" in text and _IN_FILE.search(text) is not None


def _has_few_letters(text: str) -> bool:
    if "://" in text:
        text = _ADDRESS.sub("", text)
    if len(text) < _MANY:
        return False
    data = text.encode("utf-8", "replace")
    return len(data.translate(None, _LETTERS)) > (1 - _FEW) * len(data)
