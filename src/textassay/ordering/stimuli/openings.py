"""Sentences that lean on the one before: those that open with a connective, or with a pronoun for something earlier."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from textassay.errors import UsageError

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_LONGEST = 4
"""Words of the longest connective."""


@dataclass(frozen=True)
class Opening:
    """How a sentence opens."""

    kind: str
    """`connective` or `pronoun`."""
    words: str
    """As the sentence has them."""


def opening(sentence: str, language: str = "en") -> Opening | None:
    """The connective or pronoun that a sentence opens with; None where it opens with neither.

    Words are looked up in a list for the language. A pronoun that is resolved within its own sentence, or an article
    that looks like one, is reported all the same: a person has to look.

    Raises:
        UsageError: there is no list for the language.

    >>> opening("However, it rained."), opening("Mary left.")
    (Opening(kind='connective', words='However'), None)
    >>> opening("Sie blieb.", "de")
    Opening(kind='pronoun', words='Sie')
    """
    known = _lists()
    code = language.partition("-")[0].lower()
    if code not in known:
        raise UsageError(
            f"there is no list of connectives and pronouns for {language!r}; there are: {', '.join(known)}"
        )
    words = [match.group() for match in _WORD.finditer(sentence)][:_LONGEST]
    for length in range(len(words), 0, -1):  # the longest that fits: "in fact" before "in"
        kind = known[code].get(" ".join(words[:length]).lower().replace("’", "'"))
        if kind:
            return Opening(kind, " ".join(words[:length]))
    return None


def languages() -> tuple[str, ...]:
    """Languages that have a list."""
    return tuple(_lists())


@cache
def _lists() -> dict[str, dict[str, str]]:
    """For each language, what each opening is."""
    stored = json.loads(files("textassay.ordering.stimuli").joinpath("openings.json").read_text(encoding="utf-8"))
    return {
        language: {words: kind for kind, listed in kinds.items() for words in listed}
        for language, kinds in stored.items()
    }
