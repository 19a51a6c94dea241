"""A metric against single answers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from textassay.meta.ceilings import RatedTexts
from textassay.meta.kept_raters import mixed_slope
from textassay.stats import mixed_model

GENERATOR = np.random.default_rng(12)
RATERS, ITEMS, SYSTEMS = 6, 10, 5


def rated(slope: float, scores: np.ndarray) -> RatedTexts:
    rater, item, system = np.indices((RATERS, ITEMS, SYSTEMS)).reshape(3, -1)
    noise = GENERATOR.normal(size=rater.size)
    effects = [
        GENERATOR.normal(size=size)[codes] for size, codes in ((RATERS, rater), (ITEMS, item), (SYSTEMS, system))
    ]
    return RatedTexts(slope * scores[item, system] + sum(effects) + noise, rater, item, system)


def test_what_was_put_in_comes_out() -> None:
    scores = 3 * GENERATOR.normal(size=(ITEMS, SYSTEMS))
    found = mixed_slope(rated(0.5, scores), scores)
    assert found.slope == pytest.approx(0.5 * scores.std(ddof=1), abs=3 * found.se)
    assert found.p < 0.001
    assert found.ci[0] < found.slope < found.ci[1]
    assert (found.answers, found.texts, found.raters) == (RATERS * ITEMS * SYSTEMS, ITEMS * SYSTEMS, RATERS)


def test_it_is_the_model_that_it_says() -> None:
    scores = GENERATOR.normal(size=(ITEMS, SYSTEMS))
    given = rated(0.2, scores)
    text = given.item * SYSTEMS + given.system
    own = scores[given.item, given.system]
    groupings = {"rater": given.rater, "item": given.item, "system": given.system, "text": text}
    expected = mixed_model(given.values, {"x": own / scores.std(ddof=1)}, groupings).coefficient("x")
    found = mixed_slope(given, scores)
    assert (found.slope, found.se, found.df, found.p) == pytest.approx(
        (expected.estimate, expected.se, expected.df, expected.p)
    )


def test_texts_without_a_score_do_not_count() -> None:
    scores = GENERATOR.normal(size=(ITEMS, SYSTEMS))
    scores[0] = math.nan
    found = mixed_slope(rated(0, np.nan_to_num(scores)), scores)
    assert (found.answers, found.texts) == (RATERS * (ITEMS - 1) * SYSTEMS, (ITEMS - 1) * SYSTEMS)


def test_one_rater_is_no_grouping() -> None:
    scores = GENERATOR.normal(size=(ITEMS, SYSTEMS))
    given = rated(0.5, scores)
    one = given.rater == 0
    alone = RatedTexts(given.values[one], given.rater[one], given.item[one], given.system[one])
    assert mixed_slope(alone, scores).raters == 1
    assert not mixed_slope(alone, scores).reason


def test_where_there_is_none_it_says_why() -> None:
    scores = GENERATOR.normal(size=(ITEMS, SYSTEMS))
    given = rated(0, scores)
    assert mixed_slope(given, np.ones((ITEMS, SYSTEMS))).reason == "all scores are equal"
    two = np.where(np.arange(SYSTEMS) < 2, scores, math.nan)
    assert mixed_slope(given, two).reason == "2 systems with a judgement and a score; it needs 3"
    nothing = mixed_slope(given, np.full((ITEMS, SYSTEMS), math.nan))
    assert nothing.reason.startswith("0 systems")
    assert math.isnan(nothing.p)
