"""The quick test of systems: by hand in a complete design, beside the mixed model, and as often false as it may be."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.analysis.crossed_model import crossed_model
from textassay.analysis.quasi_f import quasi_f
from textassay.stats import rm_anova


def by_hand(frame: pd.DataFrame) -> tuple[float, float]:
    """F″ and its denominator's df where every participant judged every text, from the sums of squares of the cells."""
    cube = frame.pivot(index="participant", columns=["item", "system"], values="value").to_numpy()
    people, items, systems = len(cube), frame["item"].nunique(), frame["system"].nunique()
    cube = cube.reshape(people, items, systems)
    grand, p, i, s = cube.mean(), cube.mean((1, 2)), cube.mean((0, 2)), cube.mean((0, 1))
    both_p, both_i = cube.mean(1), cube.mean(0)
    ms_s = people * items * np.sum((s - grand) ** 2) / (systems - 1)
    df_p, df_i = (people - 1) * (systems - 1), (items - 1) * (systems - 1)
    ms_p = items * np.sum((both_p - p[:, None] - s + grand) ** 2) / df_p
    ms_i = people * np.sum((both_i - i[:, None] - s + grand) ** 2) / df_i
    additive = p[:, None, None] + i[None, :, None] + s - 2 * grand
    left = cube - additive
    left = left - left.mean(1, keepdims=True) - left.mean(0, keepdims=True)
    df_e = cube.size - 1 - (people - 1) - (items - 1) - (systems - 1) - df_p - df_i
    ms_e = np.sum(left**2) / df_e
    below = ms_p + ms_i - ms_e
    return ms_s / below, below**2 / (ms_p**2 / df_p + ms_i**2 / df_i + ms_e**2 / df_e)


def test_complete_design_gives_winers_quasi_f(drawn):
    frame = drawn(8, 6, 3, complete=True).frame(3, 1.0, steps=None, sds=(0.6, 0.5, 0.8, 0.8, 1.0))
    f, df = by_hand(frame)
    found = quasi_f(frame)
    assert min(found.variances) > 0  # otherwise F″ has another denominator
    assert found.f == pytest.approx(f, rel=1e-9)
    assert found.df == (2, pytest.approx(df, rel=1e-9))


def test_complete_design_gives_the_f_of_the_mixed_model(drawn):
    frame = drawn(8, 6, 3, complete=True).frame(3, 1.0, steps=None, sds=(0.6, 0.5, 0.8, 0.8, 1.0))
    model = crossed_model(frame, "value", of="clarity").model
    found = quasi_f(frame)
    assert found.f == pytest.approx(model.test("system").f, rel=1e-4)
    assert found.df[1] == pytest.approx(model.test("system").df[1], rel=0.2)  # both are approximations
    left, by_participant, by_item = found.variances
    assert left == pytest.approx(model.sigma**2, rel=1e-4)
    assert by_participant == pytest.approx(model.sd("participant × system") ** 2, rel=1e-3)
    assert by_item == pytest.approx(model.sd("item × system") ** 2, rel=1e-3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_latin_square_comes_near_the_mixed_model(drawn, seed):
    frame = drawn(12, 8, 4).frame(seed, 1.5)
    linear = crossed_model(frame, "value", of="clarity").model.test("system")
    assert quasi_f(frame).f == pytest.approx(linear.f, rel=0.15)


def test_alarms_are_false_as_often_as_they_may_be_and_effects_are_found(drawn):
    design = drawn(12, 12, 4)
    frame = design.frame(0)
    runs = 300

    def share(effect: float, seed: int) -> float:
        found = [quasi_f(frame.assign(value=design.values(seed + run, effect))).p for run in range(runs)]
        return sum(p < 0.05 for p in found) / runs

    # Three standard errors of a share of .05 over 300 runs are .038; Satterthwaite's df are an approximation.
    assert 0.012 < share(0.0, 1000) < 0.088
    assert share(2.5, 5000) > 0.9


def test_without_liking_or_texts_that_differ_it_is_the_f_over_what_is_left(drawn):
    # Only noise: the three mean squares estimate the same, and F has about as many degrees of freedom as are left.
    frame = drawn(6, 6, 3).frame(11, steps=None, sds=(0, 0, 0, 0, 1))
    found = quasi_f(frame)
    assert 0 <= found.p <= 1
    assert found.df[1] <= 36 - 1 - 5 - 5 - 2


@pytest.mark.parametrize("unique", ["item", "participant"])
def test_what_has_one_answer_each_is_part_of_the_residual(drawn, unique):
    """An item of its own for every answer tells nothing: F is that of repeated measures over participants."""
    other = {"item": "participant", "participant": "item"}[unique]
    cells = drawn(8, 6, 3, complete=True).frame(3, 1.0, steps=None, sds=(0.6, 0.5, 0.8, 0.8, 1.0))
    once = cells.drop_duplicates([other, "system"]).reset_index(drop=True)
    frame = once.assign(**{unique: [f"u{row}" for row in once.index]})
    model = rm_anova(frame["value"], frame[other], {"system": frame["system"]})
    known = model.effects[0]
    found = quasi_f(frame)
    assert found.f == pytest.approx(known.f)
    assert found.df == pytest.approx((known.df, model.error_of(known).df))
    assert found.p == pytest.approx(known.p)


@settings(max_examples=15, deadline=None)
@given(scale=st.floats(0.01, 100), shift=st.floats(-100, 100), order=st.randoms(use_true_random=False))
def test_units_names_and_order_do_not_matter(scale, shift, order):
    rows = [(p, i, (p + i) % 2, (7 * p + 3 * i + p * i) % 5) for p in range(6) for i in range(6)]
    frame = pd.DataFrame(rows, columns=["participant", "item", "system", "value"]).astype({"value": float})
    found = quasi_f(frame)
    places = list(range(len(frame)))
    order.shuffle(places)
    other = frame.iloc[places].assign(value=lambda x: scale * x["value"] + shift)
    other = other.assign(participant=other["participant"].map(lambda p: f"z{9 - p}"), system=1 - other["system"])
    again = quasi_f(other)
    assert again.f == pytest.approx(found.f, rel=1e-6)
    assert again.df[1] == pytest.approx(found.df[1], rel=1e-6)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda x: x.assign(system="A"), "several participants, items and systems"),
        (lambda x: x.assign(value=3.0), "all values are equal (3)"),
        (lambda x: x.head(0), "there are no values"),
        (lambda x: x.assign(value=x["system"].map({"A": 1.0, "B": 2.0})), "no residual variance is left"),
        (lambda x: x.assign(participant=x["system"]), "not identifiable from those of participants and items"),
    ],
)
def test_undefined_has_its_reason(small, change, reason):
    found = quasi_f(change(small))
    assert math.isnan(found.f)
    assert math.isnan(found.p)
    assert reason in found.warnings[0]
    assert found.records()[0]["statistic"] == "quasi-F"
