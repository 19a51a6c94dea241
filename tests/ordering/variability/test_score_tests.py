from __future__ import annotations

import math

import pytest
from people_orders import people_orders, starts_of
from scipy.stats import f as f_distribution
from scipy.stats import studentized_range

from textassay.ordering import GivenOrder, exchanged_lists, reorderings, score_tests, target_scores
from textassay.ordering.variability.score_tests import BY_TEXTS, ScoreTests, greater_means


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
