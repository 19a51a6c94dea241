"""The compiled loop, its plain-Python fallback and the definition written out give the same sums."""

from __future__ import annotations

import time
from math import ceil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.kernels.choice import VARIABLE
from textassay.kernels.gtm import gtm_sums


def by_definition(hypothesis: list[int], references: list[list[int]], exponent: float) -> float:
    """Every run of every length from every hit, sorted, then greedily taken, as the program GTM 1.4 does it."""
    columns: list[int | None] = []
    for reference in references:
        columns += [*reference, None]  # a break matches nothing
    runs = []
    for i in range(len(hypothesis)):
        for j in range(len(columns)):
            length = 0
            while i + length < len(hypothesis) and hypothesis[i + length] == columns[j + length]:
                length += 1
                runs.append((length, i * len(columns) + j, i, j))
    cap = min(len(hypothesis), sum(map(len, references)) / len(references))
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    total = 0.0
    for run, _, i, j in sorted(runs, reverse=True):
        if cap <= 0:
            break
        length = min(run, cap)
        rows, cols = range(i, i + ceil(length)), range(j, j + ceil(length))
        if used_rows.isdisjoint(rows) and used_columns.isdisjoint(cols):
            used_rows.update(rows)
            used_columns.update(cols)
            cap -= length
            total += length**exponent
    return total


Given = list[tuple[list[int], list[list[int]]]]


def sums(given_: Given, exponent: float, kernel: str) -> list[float]:
    texts = [text for hypothesis, references in given_ for text in (hypothesis, *references)]
    first = np.cumsum([0, *(len(references) for _, references in given_)])
    hypotheses = first[:-1] + np.arange(len(given_))
    references = np.setdiff1d(np.arange(len(texts)), hypotheses)
    tokens = [word for text in texts for word in text]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, kernel)
        return gtm_sums(tokens, np.cumsum([0, *map(len, texts)]), hypotheses, references, first, exponent).tolist()


def compiled_and_fallback(given_: Given, exponent: float) -> list[float]:
    compiled = sums(given_, exponent, "auto")
    assert compiled == sums(given_, exponent, "python")
    return compiled


def texts_of(words: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, words), max_size=24)


GIVEN = st.integers(0, 8).flatmap(
    lambda words: st.lists(
        st.tuples(texts_of(words), st.lists(texts_of(words), min_size=1, max_size=3)), min_size=1, max_size=4
    )
)


@settings(max_examples=50)
@given(GIVEN, st.sampled_from([1.0, 1.5, 2.0, 3.0]))
def test_equals_the_definition(given_: Given, exponent: float) -> None:
    expected = [by_definition(hypothesis, references, exponent) for hypothesis, references in given_]
    assert compiled_and_fallback(given_, exponent) == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("words", [1, 2, 4, 15, 60])
@pytest.mark.parametrize("many", [1, 2, 5])
def test_equals_the_definition_with_runs_of_all_lengths(words: int, many: int) -> None:
    draw = np.random.default_rng(words * 10 + many)
    given_ = []
    for _ in range(12):
        hypothesis = draw.integers(0, words, draw.integers(1, 70)).tolist()
        cuts = np.sort(draw.integers(0, len(hypothesis) + 1, (many, 2)), axis=1)
        # Pieces of the hypothesis in another order, so that there are long runs as well.
        given_.append((hypothesis, [hypothesis[b:] + hypothesis[a:b] + hypothesis[:a] for a, b in cuts.tolist()]))
    expected = [by_definition(hypothesis, references, 2.0) for hypothesis, references in given_]
    assert compiled_and_fallback(given_, 2.0) == pytest.approx(expected, rel=1e-12)


def test_the_last_run_is_cut_to_the_mean_length() -> None:
    # Mean reference length 2.5, so that of the run of three words only 2.5 count: 2.5² = 6.25.
    assert compiled_and_fallback([([1, 2, 3], [[1, 2, 3], [8, 9]])], 2.0) == [6.25]
    # Mean 3.5: the run of two, that of one, and half a word of the last: 4 + 1 + 0.25.
    assert compiled_and_fallback([([1, 2, 5, 6, 9], [[5, 1, 2], [7, 6, 8, 9]])], 2.0) == [5.25]


def test_texts_of_100_000_words() -> None:
    # Two words at random have about 5·10⁹ hits; one word throughout has 10¹⁰. Neither may take long, nor much memory.
    draw = np.random.default_rng(2)
    two_words = [draw.integers(0, 2, 100_000).tolist() for _ in range(2)]
    start = time.perf_counter()
    found = sums([(two_words[0], [two_words[1]])], 1.0, "auto")
    assert found == [sum(min(text.count(word) for text in two_words) for word in (0, 1))]
    assert sums([([7] * 100_000, [[7] * 99_999])], 2.0, "auto") == [99_999.0**2]
    assert time.perf_counter() - start < 30


def test_empty() -> None:
    assert compiled_and_fallback([([], [[1]]), ([1], [[]]), ([], [[]]), ([1], [[], [1]])], 2.0) == [0, 0, 0, 0.25]
    assert compiled_and_fallback([], 2.0) == []


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(UsageError, match=r"exponent is 0\.9; it must be at least 1"):
        gtm_sums([1], [0, 1], [0], [0], [0, 1], 0.9)
    with pytest.raises(DataError, match="first_reference must rise from 0 to the number of references, 1"):
        gtm_sums([1], [0, 1], [0], [0], [0, 0], 2)
