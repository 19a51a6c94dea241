"""tf-idf against scikit-learn, and what sentences without words do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.metrics.tokenisers.unicode_words import unicode_words
from textassay.ordering.unit_similarity import distances_of, tf_idf

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
