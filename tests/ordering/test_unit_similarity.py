"""tf-idf against scikit-learn, and what sentences without words do."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.metrics.tokenisers.words import unicode_words
from textassay.ordering import match_units, tau
from textassay.ordering.unit_similarity import distances_of, tf_idf, vector_similarity

TEXTS = [
    "The cat sat on the mat.",
    "Dogs bark at the cat, the cat runs.",
    "Straßen und STRASSEN sind naß.",
    "A completely different sentence about prices.",
    "The cat sat on the mat.",
]


def test_words_equal_scikit_learn() -> None:
    # Oracle: scikit-learn 1.9.1, a second implementation.
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectors = text.TfidfVectorizer(analyzer=unicode_words, norm=None).fit_transform(TEXTS).toarray()
    np.testing.assert_allclose(tf_idf(TEXTS), vectors @ vectors.T, rtol=1e-12)


def test_characters_equal_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    folded = [sentence.casefold() for sentence in TEXTS]
    vectors = text.TfidfVectorizer(analyzer="char", ngram_range=(3, 5), norm=None).fit_transform(folded).toarray()
    np.testing.assert_allclose(tf_idf(TEXTS, "characters"), vectors @ vectors.T, rtol=1e-12)


def test_by_hand() -> None:
    # Three sentences: "a" in two, idf ln(4/3) + 1; "b" in one, ln 2 + 1, twice there; "c" in one.
    a, once = math.log(4 / 3) + 1, math.log(2) + 1
    found = tf_idf(["a b b", "A", "c"])
    assert found[0, 0] == pytest.approx(a**2 + (2 * once) ** 2)
    assert found[0, 1] == pytest.approx(a**2)
    assert found[0, 2] == 0
    assert found[2, 2] == pytest.approx(once**2)


@pytest.mark.parametrize("of", ["words", "characters"])
def test_a_sentence_without_terms_is_like_itself_alone(of: str) -> None:
    found = tf_idf(["…", "one two three", ""], of)  # type: ignore[arg-type]
    assert found[0, 0] == found[2, 2] == 1
    assert found[0, 1:].tolist() == [0, 0]
    assert distances_of(found)[0].tolist() == [0, 1, 1]


@given(st.lists(st.text(max_size=20), min_size=1, max_size=6), st.sampled_from(["words", "characters"]))
def test_distances_lie_between_0_and_1_and_are_symmetric(sentences: list[str], of: str) -> None:
    found = distances_of(tf_idf(sentences, of))  # type: ignore[arg-type]
    assert np.array_equal(found, found.T)
    assert (found >= -1e-12).all()
    assert (found <= 1).all()


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(DataError, match="at least one"):
        tf_idf([])
    with pytest.raises(DataError, match="a list"):
        tf_idf("one text")
    with pytest.raises(UsageError, match="words, characters; got 'letters'"):
        tf_idf(["a"], "letters")  # type: ignore[arg-type]


# --- Distances from similarities ------------------------------------------------------------------------------------


B = [[4, 2, 1, 0], [2, 5, 3, 1], [1, 3, 6, 2], [0, 1, 2, 3]]


def test_worked_example() -> None:
    # 1 - 2/√20, 1 - 3/√30, 1 - 2/√18; 1 - 1/√24, 1 - 1/√15.
    found = distances_of(B)
    assert found[0, 1] == pytest.approx(0.5528, abs=5e-5)
    assert found[1, 2] == pytest.approx(0.4523, abs=5e-5)
    assert found[2, 3] == pytest.approx(0.5286, abs=5e-5)
    assert found[0, 2] == pytest.approx(1 - 1 / 24**0.5)
    assert found[0, 3] == 1
    assert found.diagonal().tolist() == [0, 0, 0, 0]


@given(st.integers(1, 8), st.integers(0, 10**6))
def test_products_of_vectors_give_one_minus_cosine(n: int, seed: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(n, 5))
    products = rows @ rows.T
    found = distances_of((products + products.T) / 2)
    lengths = np.linalg.norm(rows, axis=1)
    cosine = products / lengths[:, None] / lengths
    np.fill_diagonal(cosine, 1)
    np.testing.assert_allclose(found, 1 - cosine, atol=1e-12)
    assert np.array_equal(found, found.T)


def test_asymmetric_similarity_stays_so() -> None:
    assert distances_of([[1, 0.5], [0.25, 1]]).tolist() == [[0, 0.5], [0.75, 0]]


@pytest.mark.parametrize(
    ("similarity", "message"),
    [
        ([[1, 0], [0, 0]], "unit 1 .* 0 with itself"),
        ([[-1, 0], [0, 1]], "unit 0 .* -1 with itself"),
        ([[1, 2]], r"square matrix .* \(1, 2\)"),
        ([], "square matrix"),
        ([[1, float("nan")], [0, 1]], "nan in row 0, column 1"),
        ([[1, 0], [float("inf"), 1]], "inf in row 1, column 0"),
        ([["a"]], "matrix of numbers"),
        ([[1, 2], [3]], "matrix of numbers"),
    ],
)
def test_wrong_similarities_are_refused(similarity: list[list[float]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        distances_of(similarity)


# --- Units that are alike are matched as well as they can be, and never below the threshold -------------------------


tables = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.floats(0, 1), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(tables)
def test_the_sum_is_the_largest_there_is(table: list[list[float]]) -> None:
    n = len(table)
    found = match_units(range(n), range(n), similarity=table, threshold=0.4)
    best = max(
        sum(table[row][column] for row, column in enumerate(columns) if table[row][column] >= 0.4)
        for columns in permutations(range(n))
    )
    assert sum(found.similarity.values()) == pytest.approx(best)
    assert all(similarity >= 0.4 for similarity in found.similarity.values())
    assert len(found.of) + len(found.unmatched) == n
    assert len(set(found.of.values())) + len(found.unmatched_reference) == n


def test_reworded_sentences_are_compared() -> None:
    reference = {"a": "The storm hit the coast.", "b": "Thousands fled inland.", "c": "Power failed."}
    system = {1: "Thousands of people fled inland.", 2: "A storm hit the coast.", 3: "Nothing like it."}
    found = match_units(system, reference)
    assert found.of == {1: "b", 2: "a"}
    assert found.unmatched == (3,)
    assert found.unmatched_reference == ("c",)
    order = found.translated([1, 2, 3])
    assert tau(order, list(reference), units="common") == -1
    with pytest.raises(DataError, match="unmatched"):
        tau(order, list(reference))


def test_equal_strings_and_empty_ones() -> None:
    found = match_units({1: "abc", 2: ""}, {"x": "", "y": "abc"}, threshold=1.0)
    assert found.of == {1: "y", 2: "x"}
    # 2·2 / (3 + 3): a and c in common
    assert match_units({1: "abc"}, {"x": "axc"}).similarity[1] == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("similarity", "error", "message"),
    [
        ([[1.0]], DataError, r"shape \(2, 2\), got \(1, 1\)"),
        ([[1.0, np.nan], [0.0, 1.0]], DataError, "similarity of 'a' and 'd' is nan"),
        (None, UsageError, "map each id to its text"),
    ],
)
def test_wrong_similarities(similarity: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        match_units(["a", "b"], ["c", "d"], similarity=similarity)  # type: ignore[arg-type]


# --- Any function from sentences to vectors is an embedding ---------------------------------------------------------


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
