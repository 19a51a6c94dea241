from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from people_orders import people_orders, starts_of
from scipy.stats import f as f_distribution
from scipy.stats import kendalltau, pearsonr, spearmanr, studentized_range

from textassay.errors import DataError
from textassay.ordering import GivenOrder, exchanged_lists, reorderings, score_tests, target_scores
from textassay.ordering.variability.score_tests import (
    BY_TEXTS,
    ScoreTests,
    block_f,
    chance_scores,
    coefficients,
    greater_means,
)
from textassay.stats import anova


def analysed(given: list[GivenOrder]) -> ScoreTests:
    people, targets = reorderings(given), starts_of(given)
    found = score_tests(people, targets, target_scores(people, targets), exchanged_lists(people, draws=199))
    assert found is not None
    return found


def test_layout_of_the_paper_with_the_right_hsd() -> None:
    found = analysed(people_orders(1, pull=0.6))
    assert [test.name for test in found.tests] == [f"{m} with {t}" for m in ("kappa", "r", "rho", "tau") for t in "ORT"]
    two_way, one_way = (float(studentized_range.ppf(0.95, 3, df)) for df in (16, 24))
    for test in found.tests:
        # 9 texts × 3 conditions
        assert test.two_way.error.df == 16
        assert test.one_way.df == (2, 24)
        assert test.tukey.hsd == pytest.approx(two_way * math.sqrt(test.two_way.error.ms / 9), rel=1e-6)
        assert test.tukey_one_way.hsd == pytest.approx(one_way * math.sqrt(test.one_way.error.ms / 9), rel=1e-6)
        assert all(delta > test.tukey.hsd for _, _, delta in greater_means(test.tukey))
    assert found.warnings[0] == BY_TEXTS


def test_start_that_pulls_shows_in_kappa_as_in_the_paper() -> None:
    # as in Table 1: each start is best kept by those who saw it
    found = {test.name: test for test in analysed(people_orders(1, pull=0.6)).tests}
    for target in "ORT":
        test = found[f"kappa with {target}"]
        assert test.p_raw <= 0.02
        above = {(more, less) for more, less, _ in greater_means(test.tukey)}
        assert above == {(target, other) for other in "ORT" if other != target}
        f, df = test.two_way["condition"].f, test.two_way.error.df
        assert test.two_way["condition"].p == pytest.approx(float(f_distribution.sf(f, 2, df)))


def test_records_name_the_score() -> None:
    records = analysed(people_orders(1)).records()
    exchanged = [record for record in records if record["statistic"] == "F, lists exchanged"]
    assert len(exchanged) == 12
    assert all(record["p"] >= record["p_raw"] for record in exchanged)
    assert {record["of"] for record in records if record["statistic"] == "HSD"} == {r["of"] for r in exchanged}


def test_nothing_to_test() -> None:
    given = [GivenOrder("s", by, "abc") for by in "pq"]
    people = reorderings(given)
    scores = target_scores(people, {"T": {"s": "abc"}})
    assert score_tests(people, {"T": {"s": "abc"}}, scores, exchanged_lists(people)) is None


def test_without_lists_to_exchange_the_published_analysis_stands_alone() -> None:
    # everybody ordered another set of texts, so nobody can have another's list
    given = [GivenOrder(f"S{k}", by, "abcd" if k else "abdc", c) for by, c, texts in
             (("p", "x", (0, 1, 2)), ("q", "y", (0, 1)), ("r", "y", (2,))) for k in texts]  # fmt: skip
    people = reorderings(given)
    targets = {"T": dict.fromkeys(people.texts, "abcd")}
    found = score_tests(people, targets, target_scores(people, targets), exchanged_lists(people))
    assert found is not None
    assert all(math.isnan(test.p_raw) for test in found.tests)
    assert any(text.startswith("lists cannot be exchanged: no two people") for text in found.warnings)


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


SHIFTED = ["2 3 4 5 6 1"] * 3 + ["6 1 2 3 4 5"] * 3


def test_worked_example_of_the_paper() -> None:
    # Madnani et al. (2007), Figure 3: means 4 2 3 4 5 3; its coefficients by scipy 1.15. No sentence is in its place:
    # kappa = (0 - 1/6) / (5/6) = -1/5.
    people = reorderings(GivenOrder("s", f"p{k}", order.split(), "O") for k, order in enumerate(SHIFTED))
    (score,) = target_scores(people, {"O": {"s": "123456"}}).scores
    assert score.values == pytest.approx({"kappa": -0.2, "r": 0.2548, "rho": 0.2060, "tau": 0.2148}, abs=5e-5)
    assert (score.text, score.condition, score.target, score.orders) == ("s", "O", "O", 6)


def test_every_text_condition_and_target() -> None:
    given = [GivenOrder(item, f"{by}{c}", "abc", c) for item in "st" for by in "pq" for c in "xy"]
    found = target_scores(reorderings(given), {"one": {"s": "abc", "t": "cba"}, "other": {"s": "bac"}})
    assert len(found.scores) == 2 * 2 + 2
    assert found.targets == ("one", "other")
    assert "target other has no order of 1 of 2 texts" in found.warnings
    assert len(found.records()) == 4 * 6
    (reverse,) = [s for s in found.scores if (s.text, s.condition, s.target) == ("t", "x", "one")]
    assert reverse.values["tau"] == pytest.approx(-1)


def test_undefined_and_wrong() -> None:
    # means 2 2 2: nothing to correlate with
    people = reorderings([GivenOrder("s", "p", "abc"), GivenOrder("s", "q", "cba")])
    found = target_scores(people, {"T": {"s": "abc"}})
    assert math.isnan(found.scores[0].values["r"])
    assert found.warnings == ("3 score(s) are undefined: all means of a set are equal, or there is one unit only",)
    with pytest.raises(DataError, match=r"text s, target T: orders\[0\]: .*'d'"):
        target_scores(people, {"T": {"s": "abd"}})
