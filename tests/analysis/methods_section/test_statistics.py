from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from textassay.analysis import headlines
from textassay.analysis.methods_section.statistics import CORRECTED, UNSAID, words_of

OUTPUTS = Path(__file__).resolve().parents[2] / "contracts"
BEFORE = ("pairwise comparisons, ", "two one-sided tests")
"""Methods that are parts of others: comparisons after a model, equivalence, which has a sentence of its own."""


def methods() -> Iterator[str]:
    """The methods of all results of the tasks' small studies that a report shows among results and agreement."""
    for path in sorted((OUTPUTS / "study_outputs").glob("*-analysis.txt")):
        place = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            heading = re.fullmatch(r"# .* \((\w+)\)", line)
            place = heading[1] if heading else place
            method = re.search(r"; method: ([^;]+)", line)
            if method and place in ("results", "agreement"):
                yield method[1]


@pytest.mark.parametrize("method", sorted(set(methods())))
def test_every_method_is_told_of_or_known_to_be_told_elsewhere(method: str) -> None:
    assert words_of(method) or method in UNSAID or method.startswith(BEFORE)


def test_key_results_say_that_they_are_corrected_in_the_words_that_are_looked_for() -> None:
    assert CORRECTED in Path(headlines.__file__).read_text(encoding="utf-8")
