"""What a rule found: a message with its figures, so that it can be said in every language of the interface.

The words stand in `messages/`, one file a language. Reports and exports are in English; the board says the same in the
language of the study's pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

MESSAGES = Path(__file__).parent / "messages"
PREFIX = "screening."
"""What the keys in the message files begin with, so that they can be merged with others."""


@dataclass(frozen=True)
class Finding:
    """Something that a rule holds against a participant.

    >>> str(Finding("attention_checks", {"failed": 2, "total": 3}))
    '2 of 3 attention checks failed'
    """

    message: str
    """Key in the message files, without what they all begin with; `text` for words that stand in none of them."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What is put into the message."""

    @property
    def key(self) -> str:
        """Key of the message where messages of several rooms are together."""
        return PREFIX + self.message

    def __str__(self) -> str:
        return _english()[self.key].format_map(self.values)


def plainly(text: str) -> Finding:
    """A finding in words of its own, the same in every language; for rules of other packages."""
    return Finding("text", {"text": text})


def in_english(findings: Iterable[Finding]) -> str:
    """Findings in one line, for reports and exports."""
    return "; ".join(map(str, findings))


@cache
def _english() -> Mapping[str, str]:
    texts: dict[str, str] = json.loads((MESSAGES / "en.json").read_text(encoding="utf-8"))
    return texts
