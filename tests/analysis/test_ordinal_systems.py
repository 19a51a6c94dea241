"""Ordered answers: what is put in comes out, long scales are cut, no random effect is omitted."""

import numpy as np
import pytest

from textassay.analysis.ordinal_systems import in_categories, ordinal_systems
from textassay.stats import ordinal_model


@pytest.fixture(scope="module")
def frame(drawn):
    return drawn(12, 12, 3).frame(5, 2.0)


@pytest.fixture(scope="module")
def found(frame):
    return ordinal_systems(frame, "value", of="clarity")


def test_effects_put_in_come_out(found):
    # Best less worst 2.0 with noise of SD 1, which is π/√3 = 1.81 on the logit scale: about 3.6, s1 in between.
    pair = found.pairs["s2", "s0"]
    assert pair.difference == pytest.approx(3.6, abs=3 * pair.se)
    assert (pair.p < 0.01, pair.favours) == (True, "s2")
    assert found.model.test("system").p < 0.01
    assert {result.of for result in found.results} == {"clarity"}


def test_model_is_the_one_of_the_statistics(frame):
    alone = ordinal_systems(frame, "value", of="clarity", varying=["participant", "item"])
    labels = {name: frame[name].to_numpy() for name in ("participant", "item")}
    plain = ordinal_model(frame["value"].to_numpy(), {"system": frame["system"].to_numpy()}, random=labels)
    assert alone.model.estimates == pytest.approx(plain.estimates, rel=1e-9)
    assert {each.group for each in alone.model.components} == {"participant", "item"}


def test_long_scale_is_cut_into_groups_and_says_so(frame):
    # Two answers in a hundred points: the same order of answers, and so nearly the same test.
    fine = frame.assign(value=10 * frame["value"] + np.arange(len(frame)) % 10)
    found = ordinal_systems(fine, "value", of="clarity", varying=["participant", "item"])
    assert len(found.model.categories) == 10
    assert any("values cut into 10 groups of about equal size" in text for text in found.warnings)
    assert "groups of about equal size" in found.model.signature


def test_few_values_stay_as_they_are():
    values = np.array([1.0, 5.0, 3.0, 3.0])
    kept, said = in_categories(values)
    assert kept is values
    assert said == {}


def test_cut_keeps_the_order_and_leaves_ties_together():
    values = np.array([0.0] * 50 + list(range(50)))
    codes, _ = in_categories(values)
    assert np.all(np.diff(codes[np.argsort(values, kind="stable")]) >= 0)
    assert len(set(codes[values == 0])) == 1


def test_no_random_effect_is_left_out_and_too_many_give_no_model(drawn, monkeypatch):
    frame = drawn(12, 6, 3).frame(2)
    found = ordinal_systems(frame, "value", of="clarity")
    groups = {"participant", "item", "participant × system", "item × system"}
    assert {each.group for each in found.model.components} == groups
    # 12 participants, 6 items, 36 of participant × system, 18 of item × system: 72.
    monkeypatch.setattr("textassay.stats.categorical.likelihood_fit._MANY", 71)
    monkeypatch.setattr("textassay.stats.categorical.likelihood_fit._MOST_SECONDS", 0.0)
    none = ordinal_systems(frame, "value", of="clarity")
    assert none.results == ()
    assert none.warnings[0].startswith("no cumulative link model: 72 random effects (36 participant × system, ")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda x: x.assign(system="A"), "there is one system only"),
        (lambda x: x.assign(value=3.0), "no cumulative link model: all 8 ratings are 3"),
        (
            lambda x: x.assign(participant=[f"p{n}" for n in range(8)], item=[f"i{n}" for n in range(8)]),
            "nobody, and no item, has several answers",
        ),
    ],
)
def test_without_a_model_there_is_its_reason(small, change, reason):
    found = ordinal_systems(change(small), "value", of="clarity")
    assert found.results == ()
    assert reason in found.warnings[0]


def test_systems_that_never_overlap_are_said_to_be_infinitely_far_apart(small):
    found = ordinal_systems(small, "value", of="clarity")  # A: 1 2 2 1, B: 3 4 5 4
    assert found.warnings


def test_eleven_values_are_not_cut_and_twelve_are():
    assert in_categories(np.arange(11.0))[1] == {}
    assert in_categories(np.arange(12.0))[1] == {"categories": "12 values cut into 10 groups of about equal size"}
