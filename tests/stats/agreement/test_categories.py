"""Categories of a scale: their order, and what is refused."""

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.stats.agreement import categories as module
from textassay.stats.agreement.categories import Categories, agreement_weights, categorise


def test_numbers_sort_as_numbers_and_text_as_text():
    codes, categories = categorise(np.array([10.0, 2.0, 10.0]), None)
    assert codes.tolist() == [1, 0, 1]
    assert categories.names == ("2", "10")
    assert Categories((0.123456789, 7.0), given=False).names == ("0.123456789", "7")
    codes, categories = categorise(np.array(["b", "a"], dtype=object), None)
    assert (codes.tolist(), categories.labels) == ([1, 0], ("a", "b"))


def test_numbers_among_text_sort_as_text():
    assert categorise(np.array(["b", 1], dtype=object), None)[1].names == ("1", "b")


def test_given_order_rules():
    codes, categories = categorise(np.array(["low", "high"], dtype=object), ["low", "mid", "high"])
    assert codes.tolist() == [0, 2]
    assert categories.scores("x").tolist() == [0, 1, 2]
    assert categorise(np.array([1.0, 3.0]), [3, 2, 1])[0].tolist() == [2, 0]


def test_scores_of_numbers_are_their_values():
    assert Categories((1, 2.5, 10), given=False).scores("x").tolist() == [1, 2.5, 10]


def test_what_is_refused():
    with pytest.raises(DataError, match=r"1 value\(s\) are not among the categories \[1, 2\]: \[7.0\]"):
        categorise(np.array([1.0, 7.0]), [1, 2])
    with pytest.raises(UsageError, match="1 of them twice"):
        categorise(np.array([1.0]), [1, 1])
    with pytest.raises(UsageError, match="which text does not show"):
        Categories(("high", "low"), given=False).scores("weights='linear'")


# --- Weights of agreement against their tables, and products with a vector ------------------------------------------


THREE = Categories((1, 2, 3), given=False)


def table(weights):
    every = np.arange(weights.size)
    return weights.between(every[:, None], every[None, :])


@pytest.mark.parametrize(
    ("kind", "near"),
    # As printed for three categories in the vignette of R irrCAC: identity, linear, quadratic, ordinal.
    [("identity", 0), ("linear", 0.5), ("quadratic", 0.75), ("ordinal", 2 / 3)],
)
def test_three_categories(kind, near):
    far = 0
    expected = [[1, near, far], [near, 1, near], [far, near, 1]]
    assert table(agreement_weights(kind, THREE)) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("kind", ["identity", "linear", "quadratic", "ordinal"])
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_product_equals_the_whole_table_whatever_the_block(kind, block, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", block)
    weights = agreement_weights(kind, Categories((1, 2, 4, 8, 9), given=False))
    vector = np.array([0.1, 0.4, 0.2, 0.05, 0.25])
    assert weights.times(vector) == pytest.approx(table(weights) @ vector)
    assert weights.times(vector, power=2) == pytest.approx(table(weights) ** 2 @ vector)
    assert weights.total() == pytest.approx(table(weights).sum())


def test_numbers_are_as_far_apart_as_their_values_except_for_ordinal():
    uneven = Categories((1, 2, 5), given=False)
    assert table(agreement_weights("linear", uneven))[0, 1] == 0.75
    assert table(agreement_weights("ordinal", uneven))[0, 1] == pytest.approx(2 / 3)


def test_one_category_agrees_with_itself():
    assert agreement_weights("quadratic", Categories(("a",), given=False)).total() == 1


def test_what_is_refused_agreement_weights():
    with pytest.raises(UsageError, match="identity, linear, quadratic, ordinal; got 'cubic'"):
        agreement_weights("cubic", THREE)
    with pytest.raises(UsageError, match=r"categories=\[...\]"):
        agreement_weights("linear", Categories(("bad", "good"), given=False))
