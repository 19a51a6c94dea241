"""The two texts as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textassay.study.markup import Span, as_html, compare_texts, find_spans, marked
from textassay.tasks.preference.settings import PreferenceSettings

OTHER = "other_text"
"""Column of the practice table with the second text."""


def both_marked(settings: PreferenceSettings, left: str, right: str, row: Mapping[str, Any]) -> tuple[str, str]:
    """Both texts as safe HTML, with what the block wants to be marked in them."""
    match settings.marks:
        case "differences":
            of_left, of_right = compare_texts(left, right)
        case "given":
            named = [part.strip() for part in str(row.get(settings.spans or "") or "").split("|") if part.strip()]
            same = [part for part in named if part in left and part in right]
            different = [part for part in named if part not in same]
            of_left, of_right = find_spans(left, same, different), find_spans(right, same, different)
        case _:
            return as_html(left, settings.texts_are), as_html(right, settings.texts_are)
    return marked(left, _with_words(left, of_left)), marked(right, _with_words(right, of_right))


def _with_words(text: str, spans: Sequence[Span]) -> list[Span]:
    """Without those that hold nothing but punctuation: that two texts share a full stop tells nobody anything."""
    return [span for span in spans if any(character.isalnum() for character in text[span.start : span.end])]
