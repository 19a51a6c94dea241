"""Length in each unit."""

from __future__ import annotations

import pytest

from textassay.metrics import score

TEXTS = ["The cat sat. It slept.\nThen it ran.", " one  two ", ""]


@pytest.mark.parametrize(
    ("unit", "expected"),
    [("words", [8, 2, 0]), ("characters", [35, 8, 0]), ("sentences", [3, 1, 0]), ("lines", [2, 1, 0])],
)
def test_units(unit: str, expected: list[int]) -> None:
    result = score("length", TEXTS, unit=unit)
    assert result.segments.tolist() == expected
    assert result.corpus == pytest.approx(sum(expected) / 3)
    assert result.warnings == ("length: 1 hypotheses are empty",)


def test_language_of_sentences() -> None:
    # "z. B." ends no sentence in German.
    text = "Man isst z. B. Brot. Oder nicht."
    assert score("length", [text], unit="sentences", language="de").segments.tolist() == [2]
