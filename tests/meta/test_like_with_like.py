"""What stands beside a correlation: at its level, over its texts."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from textassay.meta import AlignmentOptions, correlate
from textassay.meta.alignment import ScoreGrid, score_grids
from textassay.meta.ceilings import reliability
from textassay.meta.like_with_like import IntervalOptions, ceiling, interval, leave_one_out

RATERS, ITEMS, SYSTEMS = 4, 5, 6
FEW = IntervalOptions(draws=199)


def tables(systems: int = SYSTEMS, raters: int = RATERS) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Texts of known quality, raters with errors of their own, a metric with its own."""
    random = np.random.Generator(np.random.PCG64(7))
    quality = random.normal(size=(ITEMS, systems))
    keys = list(product(range(ITEMS), range(systems)))
    judged = [
        {"participant": f"p{rater}", "item": str(item), "system": f"s{system}", "criterion": "clarity",
         "value": quality[item, system] + 0.5 * random.normal()}
        for rater in range(raters) for item, system in keys
    ]  # fmt: skip
    scored = [
        {"item": str(item), "system": f"s{system}", "metric": "m", "value": quality[item, system] + random.normal()}
        for item, system in keys
    ]
    return pd.DataFrame(judged), pd.DataFrame(scored)


def grid_of(systems: int = SYSTEMS, raters: int = RATERS, options: AlignmentOptions | None = None) -> ScoreGrid:
    (grid,) = score_grids(*tables(systems, raters), options or AlignmentOptions())
    return grid


LEVELS: list[tuple[bool, Any]] = [(False, "item"), (False, None), (False, "system"), (True, None)]


@pytest.mark.parametrize(("systems", "by"), LEVELS)
def test_interval_is_about_the_figure_of_its_level(systems: bool, by: Any) -> None:
    found = interval(grid_of(), "m", systems=systems, by=by, coefficient="pearson", options=FEW)
    level = "system" if systems else "segment"
    assert found.value == pytest.approx(correlate(*tables(), level, by).records()[0]["value"])  # type: ignore[arg-type]
    assert found.ci[0] < found.value < found.ci[1]
    assert found.scope == "for systems and items like these"


def test_few_systems_are_not_drawn() -> None:
    found = interval(grid_of(4), "m", systems=False, by="item", coefficient="pearson", options=FEW)
    assert (found.scope, found.resampled) == ("for these systems", "items")


def test_scores_of_whole_systems_are_held() -> None:
    judged, scored = tables()
    whole = scored.groupby(["system", "metric"], as_index=False)["value"].mean().assign(item=None)
    whole["value"] **= 3
    (grid,) = score_grids(judged, pd.concat([scored, whole]))
    found = interval(grid, "m", systems=True, by=None, coefficient="spearman", options=FEW)
    record = correlate(judged, pd.concat([scored, whole]), "system", None, "spearman").records()[0]
    assert found.value == pytest.approx(record["value"])


def test_reliability_is_that_of_the_level() -> None:
    grid = grid_of()
    found = [ceiling(grid, "m", systems=systems, by=by, coefficient="pearson") for systems, by in LEVELS]
    assert [one.over for one in found] == ["texts within items", "texts", "texts within items", "systems"]
    assert found[1].reliability == pytest.approx(reliability(grid.rated, "texts").reliability)
    assert found[0].reliability != pytest.approx(found[2].reliability)
    # with complete data Cronbach's alpha: 1 / (1 + .25 / 4) of the variance of texts is theirs
    assert found[1].reliability == pytest.approx(1 / (1 + 0.25 / RATERS), abs=0.03)
    assert math.isnan(ceiling(grid, "m", systems=False, by="item", coefficient="tau-b").ceiling)


def test_only_scored_texts_count() -> None:
    judged, scored = tables()
    (grid,) = score_grids(judged, scored[scored["system"] != "s0"])
    assert ceiling(grid, "m", systems=False, by=None, coefficient="pearson").n == ITEMS * (SYSTEMS - 1)
    assert ceiling(grid, "m", systems=True, by=None, coefficient="pearson").n == SYSTEMS - 1


def test_one_rater_has_no_ceiling() -> None:
    found = ceiling(grid_of(raters=1), "m", systems=False, by="system", coefficient="pearson")
    assert math.isnan(found.ceiling)
    assert found.reason == "no two texts of one system were judged by two people or more each"
    assert leave_one_out(grid_of(raters=1), "m").raters == 0


def test_metric_in_the_place_of_a_rater_for_a_criterion_that_counts_errors() -> None:
    plain = leave_one_out(grid_of(), "m")
    turned = leave_one_out(grid_of(options=AlignmentOptions(error_criteria=frozenset({"clarity"}))), "m")
    assert (turned.people, turned.metric) == (pytest.approx(plain.people), pytest.approx(-plain.metric))
    assert plain.raters == RATERS


def test_raters_of_a_system_that_is_left_out_are_left_out() -> None:
    grid = grid_of().without("s0")
    assert grid.rated.values.size == RATERS * ITEMS * (SYSTEMS - 1)
    assert set(grid.rated.system.tolist()) == set(range(SYSTEMS - 1))
    means = [grid.rated.values[grid.rated.system == place].mean() for place in range(SYSTEMS - 1)]
    assert np.argsort(means).tolist() == np.argsort(grid.system_people).tolist()
