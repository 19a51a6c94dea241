"""The compiled loop, its plain-Python fallback and Lin's recurrence written out give the same weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import UsageError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.lcs import lcs_lengths, weighted_lcs


def recurrence(x: list[int], y: list[int], exponent: float) -> float:
    """Lin (2004), section 4: whole tables of weights c and of run lengths w."""
    c = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    w = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** exponent - k**exponent
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1]


def weights(texts: list[list[int]], left: list[int], right: list[int], exponent: float, kernel: str) -> list[float]:
    tokens = [word for text in texts for word in text]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return weighted_lcs(tokens, np.cumsum([0, *map(len, texts)]), left, right, exponent).tolist()


def compiled_and_fallback(texts: list[list[int]], left: list[int], right: list[int], exponent: float) -> list[float]:
    compiled = weights(texts, left, right, exponent, "auto")
    assert compiled == weights(texts, left, right, exponent, "python")
    return compiled


TEXTS = st.integers(0, 8).flatmap(
    lambda words: st.lists(st.lists(st.integers(0, words), max_size=20), min_size=1, max_size=4)
)


@given(TEXTS, st.floats(1, 4), st.data())
def test_equals_recurrence(texts: list[list[int]], exponent: float, data: st.DataObject) -> None:
    left = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=5))
    right = data.draw(st.permutations(left))
    expected = [recurrence(texts[a], texts[b], exponent) for a, b in zip(left, right, strict=True)]
    assert compiled_and_fallback(texts, left, right, exponent) == pytest.approx(expected, rel=1e-12)


@given(TEXTS)
def test_exponent_1_gives_the_longest_common_subsequence(texts: list[list[int]]) -> None:
    rows = list(range(len(texts)))
    tokens, offsets = [word for text in texts for word in text], np.cumsum([0, *map(len, texts)])
    lengths = lcs_lengths(tokens, offsets, rows, rows[::-1]).tolist()
    assert compiled_and_fallback(texts, rows, rows[::-1], 1) == lengths


def test_worked_example() -> None:
    # Lin (2004), section 4: X = ABCDEFG, Y1 = ABCDHIK, Y2 = AHBKCID; squares: 4² = 16 and 4·1² = 4.
    x, y1, y2 = ([ord(letter) for letter in text] for text in ("ABCDEFG", "ABCDHIK", "AHBKCID"))
    assert compiled_and_fallback([x, y1, y2], [1, 2], [0, 0], 2) == [16.0, 4.0]


def test_long_texts_need_memory_for_one_row_only() -> None:
    long = list(range(20_000))
    assert weights([long, long[::2]], [0], [1], 2, "auto") == [10_000.0]  # no two are consecutive in both


def test_empty() -> None:
    assert compiled_and_fallback([[], [1]], [0, 0, 1], [0, 1, 0], 1.2) == [0.0, 0.0, 0.0]
    assert compiled_and_fallback([], [], [], 1.2) == []


@pytest.mark.parametrize("exponent", [0.5, float("nan"), float("inf")])
def test_exponents_that_mean_nothing_are_refused(exponent: float) -> None:
    with pytest.raises(UsageError, match=f"exponent is {exponent}; it must be at least 1"):
        weighted_lcs([1], [0, 1], [0], [0], exponent)
