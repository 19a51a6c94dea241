"""Times over a property of texts: by hand, and an effect that was put in."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from textassay.analysis.options import RecipeOptions
from textassay.errors import DataError
from textassay.report.figures.render import describe_figure
from textassay.tasks.reading.analysis import reading_times
from textassay.tasks.reading.regression import PUBLISHED, regression

TAU = {"a": 1.0, "b": 0.2, "c": -0.6}
SLOPE = -0.3
"""Of log times over tau: times rise by exp(.3) = 1.35 from tau 1 to 0."""


def trials(people: int = 24, items: int = 8, seed: int = 5) -> pd.DataFrame:
    """A Latin square of people, items and three orders; participants, items, texts and noise vary at random."""
    random = np.random.default_rng(seed)
    of_people, of_items = random.normal(0, 0.2, people), random.normal(0, 0.1, items)
    of_texts = random.normal(0, 0.05, (items, 3))
    rows = []
    for p in range(people):
        for i in range(items):
            s = (p + i) % 3
            tau = TAU["abc"[s]] + 0.01 * i
            log = 7 + SLOPE * tau + of_people[p] + of_items[i] + of_texts[i, s] + random.normal(0, 0.2)
            rows.append((f"p{p}", f"i{i}", "abc"[s], tau, math.exp(log), log))
    return pd.DataFrame(rows, columns=["participant", "item", "system", "tau", "rt_ms", "log_ms"])


def test_slope_put_in_comes_out_of_the_mixed_model() -> None:
    found = regression(trials(), "tau", 0.95)
    rows = {row["Method"]: row for row in found.tables[0].records()}
    assert rows["mixed model"]["Low"] < SLOPE < rows["mixed model"]["High"]
    assert rows["mixed model"]["p"] < 0.001


def test_individual_equations_by_hand() -> None:
    frame = trials()
    found = regression(frame, "tau", 0.9)
    slopes = [stats.linregress(own["tau"], own["rt_ms"]).slope for _, own in frame.groupby("participant")]
    test = stats.ttest_1samp(slopes, 0)
    row = next(row for row in found.tables[0].records() if row["Method"] == "individual equations")
    assert (row["Estimate"], row["t"], row["p"]) == pytest.approx((np.mean(slopes), test.statistic, test.pvalue))
    assert row["df"] == 23
    assert row["Low"] == pytest.approx(test.confidence_interval(0.9).low)


def test_correlation_over_texts_is_the_published_one_and_says_so() -> None:
    frame = trials()
    found = regression(frame, "tau", 0.95)
    texts = frame.groupby(["item", "system"])[["rt_ms", "tau"]].mean()
    row = found.tables[0].records()[-1]
    assert row["Estimate"] == pytest.approx(stats.pearsonr(texts["tau"], texts["rt_ms"]).statistic)
    assert (row["Method"], row["n"]) == ("correlation over texts (published)", 24)
    assert f"correlation of tau over texts: {PUBLISHED}" in found.warnings
    assert "24 points" in describe_figure(found.figures[0])


def test_texts_without_the_property_are_left_out_and_counted() -> None:
    frame = trials()
    frame.loc[frame["item"] == "i0", "tau"] = math.nan
    found = regression(frame, "tau", 0.95)
    assert "24 of 192 trials have no tau; the regressions leave them out" in found.warnings
    assert found.tables[0].records()[-1]["n"] == 21


def test_property_that_does_not_vary_gives_no_regression() -> None:
    found = regression(trials().assign(tau=1.0), "tau", 0.95)
    assert (found.tables, found.results) == ((), ())
    assert found.warnings == (
        "times are not regressed on tau: it is not known, or the same for all texts that were read",
    )


def test_a_bare_table_may_name_any_of_its_columns() -> None:
    options = RecipeOptions()
    found = reading_times(trials(), options, predictor="tau")
    assert "regression" in [table.name for table in found.tables]
    assert "regression" not in [table.name for table in reading_times(trials(), options).tables]
    with pytest.raises(DataError, match=r"regressions of reading times need the column\(s\) rho; there are"):
        reading_times(trials(), options, predictor="rho")
