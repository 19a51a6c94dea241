"""What people themselves reach."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.meta.ceilings import RatedTexts, metric_as_rater, reliability
from textassay.stats import icc, leave_one_out

GENERATOR = np.random.default_rng(3)
# 6 raters × 4 items × 3 systems, every text rated by all
COMPLETE = (
    GENERATOR.normal(size=(6, 4, 3))
    + GENERATOR.normal(size=(6, 1, 1)) * 2
    + [0.0, 1.0, 2.0]
    + GENERATOR.normal(size=(1, 4, 3))
)


def form(name: str, ratings: np.ndarray) -> float:
    return next(each.icc for each in icc(ratings).forms if each.name == name)


def long_form(cube: np.ndarray) -> RatedTexts:
    rater, item, system = np.nonzero(~np.isnan(cube))
    return RatedTexts(cube[rater, item, system], rater, item, system)


def test_of_complete_data_it_is_cronbachs_alpha() -> None:
    table = COMPLETE.reshape(6, -1)
    covariance = np.cov(table)
    alpha = 6 / 5 * (1 - np.trace(covariance) / covariance.sum())
    found = reliability(long_form(COMPLETE), "texts")
    assert (found.reliability, found.n) == (pytest.approx(alpha), 12)
    assert found.reliability == pytest.approx(form("ICC3k", table))
    assert found.ceiling == pytest.approx(math.sqrt(alpha))


def test_of_systems_it_is_that_of_the_raters_means() -> None:
    means = COMPLETE.mean(axis=1)
    assert reliability(long_form(COMPLETE), "systems").reliability == pytest.approx(form("ICC3k", means))


def test_with_other_raters_for_each_text_raters_are_part_of_the_noise() -> None:
    rated = long_form(COMPLETE)
    nested = RatedTexts(rated.values, np.arange(rated.values.size), rated.item, rated.system)
    expected = form("ICC1k", COMPLETE.reshape(6, -1))
    assert reliability(nested, "texts").reliability == pytest.approx(max(expected, 0))


def test_with_gaps_it_is_the_mean_product_of_different_raters() -> None:
    """All products written out."""
    cube = COMPLETE.copy()
    cube[GENERATOR.uniform(size=cube.shape) < 0.4] = math.nan
    rated = long_form(cube)
    true = observed = 0.0
    for item in range(4):
        texts = [
            {r: v for r, i, s, v in zip(rated.rater, rated.item, rated.system, rated.values, strict=True)
             if (i, s) == (item, system)}
            for system in range(3)
        ]  # fmt: skip
        texts = [text for text in texts if len(text) > 1]
        if len(texts) < 2:
            continue
        own = [np.mean([x * y for r, x in text.items() for q, y in text.items() if r != q]) for text in texts]
        cross = [
            x * y
            for one in texts for other in texts if one is not other
            for r, x in one.items() for q, y in other.items() if r != q
        ]  # fmt: skip
        means = [np.mean(list(text.values())) for text in texts]
        true += (np.mean(own) - np.mean(cross)) * (len(texts) - 1)
        observed += np.var(means, ddof=1) * (len(texts) - 1)
    assert reliability(rated, "texts within items").reliability == pytest.approx(max(true / observed, 0))


def test_the_ceiling_is_what_a_perfect_metric_reaches() -> None:
    """The truth itself as the metric: its correlation with the means of four raters, each text by other raters."""
    truth = GENERATOR.normal(size=(400, 5))
    cube = truth[:, :, None] + 1.5 * GENERATOR.normal(size=(400, 5, 4))
    item, system, _ = np.indices(cube.shape).reshape(3, -1)
    found = reliability(RatedTexts(cube.ravel(), np.arange(cube.size), item, system), "texts")
    assert np.corrcoef(truth.ravel(), cube.mean(axis=2).ravel())[0, 1] == pytest.approx(found.ceiling, abs=0.02)


def test_several_answers_of_a_rater_to_one_text_are_one_voice() -> None:
    rated = long_form(COMPLETE)
    twice = RatedTexts(
        *(np.concatenate([each, each]) for each in (rated.values, rated.rater, rated.item, rated.system))
    )
    assert reliability(twice, "texts").reliability == pytest.approx(reliability(rated, "texts").reliability)


def test_where_there_is_none_it_says_why() -> None:
    one = long_form(COMPLETE[:1])
    found = reliability(one, "texts within items")
    assert math.isnan(found.ceiling)
    assert found.reason == "no two texts of one item were judged by two people or more each"
    assert reliability(one, "systems").reason == "no two systems were judged by two people or more each"
    assert reliability(long_form(np.zeros((3, 2, 2))), "texts").reason == "all means are equal"
    opposed = np.array([[[1.0, -1.0]], [[-1.0, 1.1]]])
    apart = reliability(long_form(opposed), "texts")
    assert (apart.reliability, apart.ceiling) == (0, 0)
    assert "as much as the texts do" in apart.reason


def test_a_metric_put_through_leave_one_out() -> None:
    """A metric that gives one rater's own values is as near to the others as that rater; one of noise is not."""
    rated = long_form(COMPLETE)
    own = leave_one_out(COMPLETE.reshape(6, -1)).of_pearson.mean
    same = COMPLETE[2][rated.item, rated.system]
    found = metric_as_rater(rated, same)
    assert (found.people, found.raters) == (pytest.approx(own), 6)
    without = [np.delete(COMPLETE, r, axis=0).mean(axis=0).ravel() for r in range(6)]
    expected = [np.corrcoef(COMPLETE[2].ravel(), each)[0, 1] for each in without]
    assert found.metric == pytest.approx(np.mean(expected))
    people = [np.corrcoef(COMPLETE[r].ravel(), without[r])[0, 1] for r in range(6)]
    assert found.behind == sum(its >= r - 1e-12 for its, r in zip(expected, people, strict=True))


def test_scores_that_are_missing_do_not_count_on_either_side() -> None:
    rated = long_form(COMPLETE)
    scores = np.where(rated.item == 0, math.nan, GENERATOR.normal(size=rated.values.size))
    rest = long_form(COMPLETE[:, 1:])
    assert metric_as_rater(rated, scores).people == pytest.approx(
        metric_as_rater(rest, np.arange(rest.values.size, dtype=float)).people
    )
    assert metric_as_rater(rated, np.full(rated.values.size, math.nan)).raters == 0


def test_nobody_judged() -> None:
    nothing = np.zeros(0, dtype=np.intp)
    found = metric_as_rater(RatedTexts(np.zeros(0), nothing, nothing, nothing), np.zeros(0))
    assert (found.raters, math.isnan(found.metric)) == (0, True)
