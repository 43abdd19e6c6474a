"""Ask the reference tokeniser what it makes of some thousand strings, for the tests to compare.

`python training/golden_wordpiece.py tokenizer.json` writes `tests/golden/wordpiece.jsonl.gz`: text,
most tokens, numbers. It needs the library `tokenizers` and the model's own `tokenizer.json`; Tacit
needs neither. Signs that are newer than the reference's tables are left out.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path

from tokenizers import Tokenizer

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "tests" / "golden" / "wordpiece.jsonl.gz"
VOCABULARY = ROOT / "src" / "tacit" / "embed" / "vocab.txt"
CHARACTERS = {
    "ascii": (0x20, 0x7E), "latin": (0xA0, 0x17F), "latin more": (0x180, 0x24F),
    "combining": (0x300, 0x36F), "greek": (0x370, 0x3FF), "cyrillic": (0x400, 0x52F),
    "armenian": (0x531, 0x58A), "hebrew": (0x591, 0x5F4), "arabic": (0x61E, 0x6FF),
    "hindi": (0x900, 0x97F), "tamil": (0xB82, 0xBFA), "thai": (0xE01, 0xE5B),
    "georgian": (0x10D0, 0x10FF), "hangul parts": (0x1100, 0x11FF), "accents": (0x1E00, 0x1FFE),
    "spaces and marks": (0x2000, 0x206F), "signs": (0x20A0, 0x20BE), "letters": (0x2100, 0x218B),
    "arrows": (0x2190, 0x22FF), "boxes": (0x2500, 0x27BF), "cjk marks": (0x3000, 0x303F),
    "kana": (0x3041, 0x30FF), "han": (0x4E00, 0x9FD5), "han rare": (0x20000, 0x200FF),
    "han gap": (0x2B800, 0x2B940), "hangul": (0xAC00, 0xD7A3), "han again": (0xF900, 0xFAD9),
    "forms": (0xFB00, 0xFB4F), "wide": (0xFF01, 0xFFEF), "maths": (0x1D400, 0x1D7FF),
    "emoji": (0x1F300, 0x1F5FF), "faces": (0x1F600, 0x1F64F), "tags": (0xE0001, 0xE007F),
    "private": (0xE000, 0xE0FF), "control": (0x0, 0x1F), "more control": (0x7F, 0x9F),
}  # fmt: skip
SENTENCES = """
We deploy on Fridays, never on Mondays.|I'd rather use pnpm than npm: it's faster!
def _parsed(text: dict[str, Any], path: str) -> Settings:\n    return {**text, "a": [1, 2.5e-3]}
for (let i = 0; i < xs.length; i++) { console.log(`${i}: ${xs[i]}`); }
SELECT id, name FROM users WHERE e-mail LIKE '%@example.com' ORDER BY 2 DESC;
getHTTPResponseCode snake_case_name kebab-case-name CONSTANT_NAME camelCase x86_64 utf-8 v1.2.3-rc.1
services/api/config.py:42: TypeError: 'NoneType' object is not subscriptable
Die Straßenbahn fährt über die größere Brücke; Äpfel, Öl und Übermut.|Weißwurstäquator ẞ
Le garçon a reçu l'œuvre à Noël, où il naît.|Zażółć gęślą jaźń, łódź w Łodzi.
Příliš žluťoučký kůň úpěl ďábelské ódy.|İstanbul'da ıspanak, Iğdır.|Größe ΣΊΣΥΦΟΣ ὈΔΥΣΣΕΎΣ ᾳ ΐ
Съешь же ещё этих мягких французских булок.|Київ, Ґанок, Їжак|ЁЛКА И Й
مرحبا بالعالم، كيف حالك؟ ١٢٣|שלום עולם, מה שלומך?|شُكْرًا جَزِيلًا
नमस्ते दुनिया, आप कैसे हैं? १२३|สวัสดีชาวโลก ราคา ๑๒๓ บาท|வணக்கம் உலகம்
我们在星期五部署服务器。|東京タワーに行きました。カタカナ ﾊﾝｶｸ|안녕하세요 세계 각 한글
混ぜmixed中文and日本語
👍🏽 👩‍👩‍👧‍👦 🇩🇪 ❤️ ☃ 😀😃 1️⃣|e\u0301 a\u0308\u0323 o\u0302\u0301 \u1e69 \u0301alone
ﬁne ﬂow Ⅷ ½ ² ™ № ℃
[CLS] [SEP] [MASK] [PAD] [UNK] ##ing ##|a\u200bb a\u00adb a\ufeffb \u202eabc\u202c a\u2060b
a\x00b \x00 a\x07b\x1bc \x1b[31mred\x1b[0m a\x0bb\x0cc\x85d a\x1cb\x1fc|\ufffd a\ufffdb
a\tb\nc\rd\r\ne|a\u00a0b\u2003c\u3000d\u2028e\u2029f\u1680g|   |\x20
. , ; : ! ? - _ ( ) { } @ # $ % ^ & * + = ~ ` | \\ / < >
...!!!???---___***|——–‒«»„“”‘’‚‹›…·•†‡§¶|¿Qué? ¡Sí! ≠ ≤ ≥ ≮ ; ` ´ ¨ ¯ ˜
naïve café résumé Ångström K Ω Å|ǅ ǆ Ǆ ŉ ǰ ﬆ ﬅ ſ ı ĸ
"""
LENGTHS = (3, 4, 8, 16, 64, 128, 512)


def strings(draw: random.Random) -> list[str]:
    """Return the strings: written by hand, of known words, of characters of each script."""
    found = ["", *SENTENCES.replace("\n", "|").split("|")]
    pieces = [line for line in VOCABULARY.read_text(encoding="utf-8").split("\n") if line]
    for _ in range(500):
        words = [draw.choice(pieces).removeprefix("##") for _ in range(draw.randint(1, 40))]
        joined = draw.choice(["", " ", " ", " ", "_", "-", "\n", ", "]).join(words)
        found.append(draw.choice([joined, joined.upper(), joined.title()]))
    for low, high in CHARACTERS.values():
        for size in (1, 1, 2, 3, 5, 8, 13, 21, 40, 99, 100, 101, 130) * 3:
            script = [chr(draw.randint(low, high)) for _ in range(size)]
            gap = draw.choice(["", "", "a", " ", ".", "\u0301"])
            found.append(gap.join(script))
    for size in (1, 10, 98, 99, 100, 101, 102, 150, 1000):
        found += [
            "a" * size,
            "ab1" * size,
            "é" * size,
            "e\u0301" * size,
            "word " * size,
            "字" * size,
        ]
    places = list(CHARACTERS.values())
    for _ in range(500):
        mixed = [chr(draw.randint(*draw.choice(places))) for _ in range(draw.randint(2, 60))]
        found.append("".join(mixed) if draw.random() < 1 / 2 else " ".join(mixed))
    return found


def main(path: str) -> int:
    """Write the file."""
    draw = random.Random(20)  # noqa: S311  (the same each time)
    reference = Tokenizer.from_file(path)
    reference.no_padding()
    reference.encode_special_tokens = True  # what looks like a mark in a text is text
    lines = []
    for text in strings(draw):
        most = draw.choice(LENGTHS)
        reference.enable_truncation(most)
        lines.append(json.dumps([text, most, reference.encode(text).ids], ensure_ascii=False))
    TARGET.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
