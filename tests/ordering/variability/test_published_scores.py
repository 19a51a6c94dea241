"""The scores in the numbering of the paper, worked out again with scipy."""

from __future__ import annotations

import numpy as np
import pytest
from people_orders import people_orders, starts_of
from scipy.stats import f as f_distribution
from scipy.stats import f_oneway, kendalltau, pearsonr, spearmanr

from textassay.errors import UsageError
from textassay.ordering import GivenOrder, exchanged_lists, published_scores, reorderings, score_tests, target_scores
from textassay.ordering.variability.published_scores import OF_NUMBERS

GIVEN = people_orders(4, pull=0.5)
COEFFICIENTS = {"r": pearsonr, "rho": spearmanr, "tau": kendalltau}


@pytest.fixture(scope="module")
def by_hand() -> dict[str, np.ndarray]:
    """Score → table of texts by conditions: 27 means vectors, each correlated with the numbers in O, R and T.

    The original order numbers the sentences, so that the numbers in O are 1 … 8.
    """
    starts = starts_of(GIVEN)
    texts = [f"S{number}" for number in range(1, 10)]
    found = {f"{name} with {target}": np.empty((9, 3)) for name in COEFFICIENTS for target in "ORT"}
    for row, text in enumerate(texts):
        number = {unit: place for place, unit in enumerate(starts["O"][text], 1)}
        for column, condition in enumerate("ORT"):
            orders = [each.order for each in GIVEN if (each.item, each.condition) == (text, condition)]
            means = np.mean([[number[unit] for unit in order] for order in orders], axis=0)
            for target in "ORT":
                wanted = [number[unit] for unit in starts[target][text]]
                for name, of in COEFFICIENTS.items():
                    found[f"{name} with {target}"][row, column] = of(means, wanted).statistic
    return found


def test_twelve_scores_in_the_numbers_of_the_original(by_hand: dict[str, np.ndarray]) -> None:
    found = published_scores(reorderings(GIVEN), starts_of(GIVEN), "O")
    assert found is not None
    analyses = {each.name: each for each in found.analyses}
    assert list(analyses) == [f"{m} with {t}" for m in ("kappa", "r", "rho", "tau") for t in "ORT"]
    for name, table in by_hand.items():
        each = analyses[name]
        one_way = f_oneway(*table.T)
        assert (each.one_way["condition"].f, each.one_way["condition"].p) == pytest.approx(tuple(one_way))
        assert (each.one_way["condition"].df, each.one_way.error.df) == (2, 24)
        # two-way without interaction: sums of squares of rows and columns, and what is left on 16
        rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
        error = np.sum((table - rows - columns + table.mean()) ** 2) / 16
        f = {"condition": 9 * np.var(columns) * 3 / 2 / error, "text": 3 * np.var(rows) * 9 / 8 / error}
        assert each.two_way.error.df == 16
        for factor, df in (("condition", 2), ("text", 8)):
            assert each.two_way[factor].f == pytest.approx(f[factor])
            assert each.two_way[factor].df == df
            assert each.two_way[factor].p == pytest.approx(float(f_distribution.sf(f[factor], df, 16)))


def test_only_the_original_and_kappa_have_the_scores_in_which_the_target_numbers_the_units() -> None:
    people, targets = reorderings(GIVEN), starts_of(GIVEN)
    numbered = published_scores(people, targets, "O")
    own = score_tests(people, targets, target_scores(people, targets), exchanged_lists(people, draws=9))
    assert numbered is not None
    assert own is not None
    for one, other in zip(numbered.analyses, own.tests, strict=True):
        same = one.two_way["condition"].f == pytest.approx(other.two_way["condition"].f)
        assert same == (one.target == "O" or one.measure == "kappa")
    assert numbered.warnings[0] == OF_NUMBERS.format("O")
    assert {record["numbering"] for record in numbered.records()} == {"O"}
    assert numbered.settings["numbering"] == "O"


def test_one_condition_has_none_and_what_numbers_must_be_a_target_of_every_text() -> None:
    people = reorderings([GivenOrder("s", by, "abc") for by in "pq"])
    assert published_scores(people, {"O": {"s": "abc"}}, "O") is None
    with pytest.raises(UsageError, match="numbering must be a target with an order of every text, got 'X'; there are"):
        published_scores(people, {"O": {"s": "abc"}}, "X")
    both = reorderings([GivenOrder(text, by, "abc") for by in "pq" for text in "st"])
    with pytest.raises(UsageError, match="got 'O'; it lacks t"):
        target_scores(both, {"O": {"s": "abc"}}, numbering="O")
