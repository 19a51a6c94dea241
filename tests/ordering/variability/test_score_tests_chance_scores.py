from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_orders import people_orders, starts_of
from scipy.stats import kendalltau, pearsonr, spearmanr

from textassay.ordering import exchanged_lists, reorderings, target_scores
from textassay.ordering.variability.score_tests import block_f, chance_scores, coefficients
from textassay.stats import anova


@given(st.lists(st.integers(0, 9), min_size=3, max_size=12).filter(lambda row: len(set(row)) > 1))
def test_coefficients_are_those_of_scipy(row: list[int]) -> None:
    wanted = range(1, len(row) + 1)
    expected = [float(of(row, wanted).statistic) for of in (pearsonr, spearmanr, kendalltau)]
    assert coefficients(np.array([row], dtype=float))[:, 0] == pytest.approx(expected)


def test_block_f_is_that_of_the_two_way_analysis() -> None:
    table = np.random.default_rng(1).normal(size=(4, 9, 3))
    texts, conditions = (part.ravel() for part in np.meshgrid(range(9), range(3), indexing="ij"))
    for one, f in zip(table, block_f(table), strict=True):
        found = anova(one.ravel(), {"text": texts, "condition": conditions}, terms=["text", "condition"])
        assert f == pytest.approx(found["condition"].f)


def test_each_way_is_what_the_scores_of_orders_so_labelled_are() -> None:
    given_orders = people_orders(2, people=6, texts=3, n=5)
    people, targets = reorderings(given_orders), starts_of(given_orders)
    lists = exchanged_lists(people)
    chance = chance_scores(people, targets, lists.whose)
    assert set(chance) == {(m, t) for m in ("kappa", "r", "rho", "tau") for t in "ORT"}
    for way in (0, 1, 333):
        # the same orders, each person with the list of another
        moved = [
            type(each)(each.item, each.by, each.order, given_orders[place - place % 6 + whose].condition)
            for place, each in enumerate(given_orders)
            for whose in [int(lists.whose[way, place % 6])]
        ]
        scores = target_scores(reorderings(moved, conditions=people.conditions), targets)
        for (measure, target), values in chance.items():
            own = [s for s in scores.scores if s.target == target]
            cells = [s.values[measure] for s in own]
            if np.isnan(cells).any():
                assert np.isnan(values[way])
                continue
            factors = {"text": [s.text for s in own], "condition": [s.condition for s in own]}
            assert values[way] == pytest.approx(anova(cells, factors, terms=["text", "condition"])["condition"].f)


def test_targets_that_lack_a_text_have_none() -> None:
    people = reorderings(people_orders(2, people=6, texts=3))
    assert chance_scores(people, {"T": {"S1": tuple("01234567")}}, np.arange(6)[None]) == {}
