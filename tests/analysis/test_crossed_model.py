"""Mixed models with crossed participants and items against R, and what is said where they cannot be had."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crossed_data import answers_to_several_systems, crossed_answers

from textassay.analysis.crossed_model import crossed_model, crossed_regression, known_rows


def test_equals_r() -> None:
    # R 4.2.2, lme4 1.1.31, lmerTest 3.1.3: anova(lmer(y ~ s + (1|p) + (1|p:s) + (1|i) + (1|i:s), d)); p:s has the
    # variance 0 there, and without it all figures stay
    found = crossed_model(crossed_answers(), "value", of="value")
    assert found.model is not None
    test = found.model.test("system")
    assert test.f == pytest.approx(4.857645051, rel=1e-5)
    assert test.df == pytest.approx((2, 8.762775518), rel=1e-4)
    assert test.p == pytest.approx(0.0380509443, rel=1e-4)
    assert found.model.coefficient("system[c]").estimate == pytest.approx(3.416666667)
    assert found.model.coefficient("system[c]").se == pytest.approx(1.138805110, rel=1e-5)
    assert found.model.sd("item × system") == pytest.approx(1.017165, rel=1e-4)
    assert found.model.sd("participant") == pytest.approx(2.094510, rel=1e-4)
    assert found.warnings == (
        "mixed model on system: without random effects of participant × system: their variance is 0",
    )
    assert found.model.n == 72
    assert found.means is not None
    assert [mean.estimate for mean in found.means.means] == pytest.approx([7.375, 9.91666666667, 10.79166666667])
    # what d is measured by: the root of all variances (Westfall, Kenny & Judd 2014)
    spread = math.sqrt(sum(each.sd**2 for each in found.model.components) + found.model.sigma**2)
    assert len(found.model.components) == 3
    assert found.answer_sd == pytest.approx(spread)


def test_participant_by_item_equals_r() -> None:
    # R 4.2.2, lme4 1.1.31, lmerTest 3.1.3: lmer(y ~ s + (1|p) + (1|p:s) + (1|i) + (1|i:s) + (1|p:i), d); 151 answers,
    # of two or three systems of each item; without (1|p:i) F is 41.3 on 13.2 degrees of freedom
    found = crossed_model(answers_to_several_systems(), "value", of="value")
    assert found.model is not None
    test = found.model.test("system")
    assert test.f == pytest.approx(27.43196, rel=1e-5)
    assert test.df == pytest.approx((2, 18.74856007), rel=1e-4)
    assert {each.group: each.sd for each in found.model.components} == pytest.approx(
        {
            "participant × item": 1.7012790822,
            "participant × system": 0.8297935865,
            "item × system": 1.2344341777,
            "participant": 1.6833538003,
            "item": 1.4814347954,
        },
        rel=1e-4,
    )
    assert found.model.sigma == pytest.approx(0.9202990819, rel=1e-5)
    effect = found.model.coefficient("system[c]")
    assert (effect.estimate, effect.se) == pytest.approx((5.234257297, 0.7920764796), rel=1e-5)
    assert effect.df == pytest.approx(18.78237275, rel=1e-4)


def test_regression_equals_r() -> None:
    # d$x <- as.integer(d$s) + .1 * as.integer(d$i), less its mean; lmer(y ~ x + (1 + x || p) + (1 + x || i) + (1 | t))
    frame = crossed_answers()
    x = frame["system"].map({"a": 1, "b": 2, "c": 3}) + 0.1 * frame["item"].str[1:].astype(int)
    found = crossed_regression(frame.assign(x=x), "value", "x", of="value", settings={"scale": "as it is"})
    assert found.model is not None
    slope = found.model.coefficient("x")
    assert slope.estimate == pytest.approx(1.607819424, rel=1e-5)
    assert slope.se == pytest.approx(0.5571245161, rel=1e-4)
    assert slope.df == pytest.approx(10.01690669, rel=1e-3)
    assert found.model.sd("text") == pytest.approx(0.9627896, rel=1e-3)
    assert found.model.settings["scale"] == "as it is"
    assert found.warnings == (
        "mixed model on x: without random effects of x by participant and x by item: their variance is 0",
    )
    assert found.means is None


def test_published_slope_comes_out(data_dir: Path) -> None:
    """Log times of Grodner & Gibson (2005), experiment 1, sum-coded: .06202, SE .02422 with crossed items."""
    frame = pd.read_csv(data_dir / "spr-grodner-gibson" / "df_gg05e1.csv")
    frame = frame.rename(columns={"subject": "participant", "condition": "system"})
    frame = frame.assign(log=np.log(frame["rawRT"]), so=np.where(frame["system"] == "objgap", 1.0, -1.0))
    found = crossed_regression(frame, "log", "so", of="log time")
    assert found.model is not None
    assert found.model.coefficient("so").estimate == pytest.approx(0.06202, abs=5e-6)
    assert found.model.coefficient("so").se == pytest.approx(0.02422, abs=1e-5)


def test_two_texts_of_an_item_leave_nothing_to_a_random_text() -> None:
    frame = crossed_answers()
    frame = frame[frame["system"] != "c"]
    found = crossed_regression(frame.assign(x=(frame["system"] == "a") * 1.0), "value", "x", of="value")
    assert found.model is not None
    assert "text" not in {component.group for component in found.model.components}


def test_values_that_are_not_there_are_left_out() -> None:
    frame = crossed_answers()
    frame.loc[[2, 5], "value"] = [math.nan, math.inf]
    assert len(known_rows(frame, ["value"])) == 70
    found = crossed_model(frame, "value", of="value")
    assert found.model is not None
    assert found.model.n == 70


def test_what_cannot_vary_is_no_random_effect() -> None:
    frame = crossed_answers()
    found = crossed_model(frame.assign(item="i"), "value", of="value")
    assert found.model is not None
    assert {component.group for component in found.model.components} <= {"participant", "participant × system"}
    said = "mixed model on system: item is no random effect (there is one only): nothing is said about other items"
    assert said in found.warnings
    alone = crossed_model(frame.assign(participant=np.arange(72)), "value", of="value")
    assert any("participant is no random effect (each has one answer only)" in text for text in alone.warnings)


def test_without_groups_there_is_no_model() -> None:
    frame = crossed_answers()
    lonely = crossed_model(frame.assign(participant=np.arange(72), item=np.arange(72)), "value", of="value")
    assert lonely.warnings == ("no mixed model on system: nobody, and no item, has several answers",)
    assert (lonely.model, lonely.results) == (None, ())
    constant = crossed_model(frame.assign(value=3.0), "value", of="value")
    assert constant.model is None
    assert constant.warnings[0].startswith("no mixed model on system: ")
