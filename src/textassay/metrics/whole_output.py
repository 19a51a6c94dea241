"""Measures of all texts of a system together, such as how diverse they are.

Such a value is no mean of what single texts have, so there are no scores of segments. Nor can texts be drawn again: a
resample has some texts twice and is less diverse for that alone, whatever the system. So there are no intervals and no
tests of it; they are reported as undefined, with the reason.
"""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics.contract import Floats, Metric, Statistics
from textassay.metrics.segments import TextSegments


class WholeValue(NamedTuple):
    """What all texts together have."""

    value: float
    parts: Mapping[str, float]
    """What the value is made of."""


class WholeOutputMetric(Metric):
    """A metric of the whole output; it sees all texts in its survey."""

    needs_references = False
    corpus_is = "whole"
    two_passes = True
    _found: WholeValue | None = None

    @property
    def has_segment_scores(self) -> bool:
        """There are none."""
        return False

    @property
    def can_be_resampled(self) -> bool:
        """Drawing texts again would make the output less diverse."""
        return False

    @abstractmethod
    def whole_value(self, surveys: Sequence[Any]) -> WholeValue:
        """The value, from the surveys of all chunks; nan where there is nothing to measure."""

    def with_survey(self, surveys: Sequence[Any]) -> Self:
        """A metric that knows the value."""
        knowing = copy.copy(self)
        knowing._found = self.whole_value(surveys)  # noqa: SLF001 -- its own kind
        return knowing

    def statistics(self, segments: TextSegments) -> Statistics:
        """A row of nothing for each text."""
        return np.zeros((len(segments), 1))

    def segment_scores(self, statistics: Statistics) -> Floats:
        """None."""
        return np.full(len(statistics), np.nan)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The value of all texts, which no sum tells."""
        del n
        return np.full(np.shape(sums)[:-1], self._known().value)

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The rows of nothing."""
        return statistics

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """What the value is made of."""
        del sums, n
        return dict(self._known().parts)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts are empty."""
        return {"hypotheses are empty": sum(not text.strip() for text in segments.hypotheses)}

    def _known(self) -> WholeValue:
        if self._found is None:
            raise UsageError(
                f"{self.name} needs to see all texts first; call survey for each chunk and with_survey, or use score()"
            )
        return self._found
