"""Every metric of texts over characters from all of Unicode: prints a checksum of all its numbers, by setting, as JSON.

It is started by `pythons.py`, by each Python in turn. `random` draws the same numbers in all of them.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from textassay import catalogue
from textassay.errors import TextassayError
from textassay.metrics import score

SEGMENTS, WORDS, KEPT = 1000, 9, 0.7
"""`KEPT` is the share of a text's words that its reference has too."""
PARTS = (
    (0x20, 0x7F), (0xA0, 0x600), (0x600, 0x700), (0x900, 0xE80), (0x1E00, 0x2E80), (0x3000, 0x9FFF), (0xA640, 0xAC00),
    (0xFF00, 0xFFEF), (0x10000, 0x11FFF), (0x1E000, 0x1FBFF), (0x20000, 0x323B0),
)  # fmt: skip
"""From where words take their characters: scripts, signs, emoji, and what no version of Unicode has assigned yet."""


def settings_of(name: str) -> list[dict[str, Any]]:
    """The defaults, and every other value of each setting whose values can be listed, one at a time."""
    changes: list[dict[str, Any]] = [{}]
    for each in fields(catalogue.find("metric", name).Settings):
        values = (False, True) if isinstance(each.default, bool) else each.metadata.get("choices", ())
        changes.extend({each.name: value} for value in values if value != each.default)
    return changes


def texts() -> tuple[list[str], list[list[str]]]:
    """Texts, and two references for each that share words with it."""
    draw = random.Random(18)
    vocabulary = [_word(draw) for _ in range(4 * SEGMENTS)]
    made, references = [], []
    for _ in range(SEGMENTS):
        words = draw.choices(vocabulary, k=WORDS)
        others = [[word if draw.random() < KEPT else draw.choice(vocabulary) for word in words] for _ in range(2)]
        made.append(" ".join(words))
        references.append([" ".join(other) for other in others])
    return made, references


def _word(draw: random.Random) -> str:
    first, end = draw.choice(PARTS)
    return "".join(chr(draw.randrange(first, end)) for _ in range(draw.randint(1, 5))) + draw.choice(("", "", ".", ","))


def checksums() -> Iterator[tuple[str, str]]:
    """Each metric with each of its settings, and the checksum of its numbers or the reason why there are none."""
    hypotheses, references = texts()
    for name in catalogue.names("metric"):
        kind = catalogue.find("metric", name)
        if kind.takes.kind != "text":
            continue
        sources = [f"name|||{each[0]}" for each in references] if kind.needs_sources else None
        for given in settings_of(name):
            what = ":".join([name, *(f"{key}={value}" for key, value in given.items())])
            try:
                result = score(name, hypotheses, references, sources=sources, **given)
            except TextassayError as problem:
                yield what, f"not computed: {problem}"
            else:
                numbers = [*result.segments.tolist(), result.corpus]
                yield what, hashlib.sha256(repr(numbers).encode()).hexdigest()


if __name__ == "__main__":
    about = {"python": sys.version.split()[0], "unicode": unicodedata.unidata_version}
    json.dump({"about": about, "checksums": dict(checksums())}, sys.stdout)
