"""Segments whose values are dependency parses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from textassay.content.conllu import ParsedText, read_conllu
from textassay.metrics.segments import Segments


class ParseSegments(Segments[ParsedText]):
    """Parsed texts, each with its parsed references; a string is read as CoNLL-U."""

    kind: ClassVar[str] = "parse"
    value_type: ClassVar[type] = ParsedText

    @classmethod
    def checked(cls, hypotheses: Any, references: Any, rows: Sequence[str] | None = None) -> Self:
        """See `Segments.checked`.

        Raises:
            ProblemsError: a string is no CoNLL-U; the message names its place and line.
        """
        if isinstance(hypotheses, list | tuple):
            hypotheses = [_parse(value, f"hypotheses[{row}]") for row, value in enumerate(hypotheses)]
        if isinstance(references, list | tuple):
            references = [_parses(value, f"references[{row}]") for row, value in enumerate(references)]
        return super().checked(hypotheses, references, rows)


def _parses(value: Any, name: str) -> Any:
    if isinstance(value, list | tuple):
        return [_parse(each, f"{name}[{position}]") for position, each in enumerate(value)]
    return _parse(value, name)


def _parse(value: Any, name: str) -> Any:
    return ParsedText(tuple(read_conllu(value, name))) if isinstance(value, str) else value
