"""Any function from sentences to vectors is an embedding."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.ordering.unit_similarity import distances_of, vector_similarity


def letters(sentences: list[str]) -> list[list[int]]:
    return [[sentence.count(letter) for letter in "abc"] for sentence in sentences]


def test_products_of_vectors() -> None:
    # (2, 1, 0) · (0, 1, 1) = 1; lengths √5 and √2.
    found = vector_similarity(["aab", "bc"], letters)
    assert found.tolist() == [[5, 1], [1, 2]]
    assert distances_of(found)[0, 1] == pytest.approx(1 - 1 / 10**0.5)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0], [2.0, 3.0]], "no matrix"),
        ([1.0, 2.0], r"a row for each of 2 sentences, got \(2,\)"),
        ([[1.0]], r"got \(1, 1\)"),
        ([[1.0], [np.nan]], "sentence 1 .* not finite"),
        ([[0.0], [1.0]], "sentence 0 .* zeros"),
    ],
)
def test_wrong_vectors_are_refused(vectors: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        vector_similarity(["a", "b"], lambda _: vectors)  # type: ignore[arg-type, return-value]
