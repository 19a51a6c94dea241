"""The mixed model of contrasts against R, against repeated-measures ANOVA, and under changes that change nothing."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textassay.errors import DataError, UsageError
from textassay.stats import ContrastModel, contrast_model, mixed_model, one_sample_t, rm_anova
from textassay.stats.preferences.contrast_model import ContrastDesign, contrast_design

GOLDEN = Path(__file__).parents[2] / "golden" / "contrast_model.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_equals_r(case: dict[str, Any]) -> None:
    data = (case["input"][key] for key in ("values", "contrasts", "random"))
    found, expected = contrast_model(*data, **case.get("settings", {})), case["expect"]
    assert found.converged
    assert found.values == pytest.approx(expected["places"], rel=1e-6)
    assert [each.se for each in found.places] == pytest.approx(expected["se"], rel=1e-6)
    assert [each.df for each in found.places] == pytest.approx(expected["df"], rel=1e-6)
    assert (found.test.f, found.test.df[1]) == pytest.approx((expected["f"], expected["f_df"]), rel=1e-6)
    assert found.test.p == pytest.approx(expected["p"], rel=1e-6)
    sds = {f"{each.group} {each.name}": each.sd for each in found.components}
    assert sds == pytest.approx(expected["sd"], rel=1e-6, abs=1e-9)
    assert (found.sigma, found.log_likelihood) == pytest.approx((expected["sigma"], expected["loglik"]), rel=1e-7)
    if "side" in expected:
        (side,) = found.covariates
        assert (side.estimate, side.se, side.df) == pytest.approx(tuple(expected["side"]), rel=1e-6)


def drawn(seed: int, k: int = 3, people: int = 8, items: int = 6, taste: float = 1.0) -> dict[str, Any]:
    """Everybody judges every pair on every item."""
    draw = np.random.default_rng(seed)
    pairs = np.array([(a, b) for a in range(k) for b in range(a + 1, k)])
    person, item, pair = (part.ravel() for part in np.indices((people, items, len(pairs))))
    contrasts = np.zeros((person.size, k))
    rows = np.arange(person.size)
    contrasts[rows, pairs[pair, 0]], contrasts[rows, pairs[pair, 1]] = -1, 1
    tastes = taste * draw.normal(size=(people, k))
    values = np.sum(contrasts * (np.arange(k) + tastes[person]), axis=1) + draw.normal(size=person.size)
    return {"values": values, "contrasts": contrasts, "random": {"participant": person, "item": item}}


def test_of_balanced_answers_by_one_grouping_it_is_the_repeated_measures_anova() -> None:
    # Each person's mean score of each system (what each answer says for and against it); sphericity holds in the model.
    data = drawn(3)
    person, systems = np.repeat(data["random"]["participant"], 3), np.tile(["a", "b", "c"], len(data["values"]))
    scores = (data["values"][:, None] * data["contrasts"]).ravel()
    effect = rm_anova(scores, person, {"system": systems})["system"]
    found = contrast_model(data["values"], data["contrasts"], {"participant": data["random"]["participant"]})
    assert not found.singular
    assert found.test.f == pytest.approx(effect.f, rel=1e-6)
    assert found.test.df == pytest.approx((effect.df, effect.error.df), rel=1e-6)


def test_of_two_systems_it_is_the_mixed_model_with_random_signs() -> None:
    # y = s (λ + v_participant) + lean: the difference of two tastes has twice the variance of one.
    draw = np.random.default_rng(5)
    person = np.repeat(np.arange(10), 8)
    sign = np.tile([1.0, -1.0], 40)
    values = sign * (0.4 + draw.normal(size=10)[person]) + 0.3 * draw.normal(size=80)
    twin = mixed_model(values, {"s": sign}, {"g": person}, slopes={"g": ["s"]}, correlated=False)
    found = contrast_model(
        values,
        sign[:, None] * [-1, 1],
        {"g": person},
        covariates={"one": np.ones(80)},
        slopes={"g": ["one"]},
    )
    assert -found.pairs[0].difference == pytest.approx(twin.coefficient("s").estimate, rel=1e-8)
    assert found.pairs[0].df == pytest.approx(twin.coefficient("s").df, rel=1e-4)
    assert found.components[0].sd * math.sqrt(2) == pytest.approx(twin.sd("g", "s"), rel=1e-6)
    assert found.log_likelihood == pytest.approx(twin.log_likelihood, rel=1e-9)


def test_without_spread_between_people_it_is_the_t_test_of_single_answers() -> None:
    values = np.tile([3.0, 5.0, 1.0], 4)  # the same three values from each of four people
    found = contrast_model(values, np.tile([-1, 1], (12, 1)), {"participant": np.repeat(np.arange(4), 3)})
    assert found.singular
    assert found.warnings == ("the data put variances at 0 (singular fit): taste by participant",)
    assert -found.pairs[0].test_value == pytest.approx(one_sample_t(values).t)


def figures(model: ContrastModel) -> tuple[float, ...]:
    return (model.test.f, *model.test.df, model.test.p, model.sigma, model.log_likelihood)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=8)
def test_swapping_the_two_systems_of_an_answer_changes_nothing(seed: int) -> None:
    data = drawn(seed)
    sign = np.random.default_rng(seed).choice([-1.0, 1.0], size=len(data["values"]))
    turned = contrast_model(sign * data["values"], sign[:, None] * data["contrasts"], data["random"])
    assert figures(turned) == pytest.approx(figures(contrast_model(**data)), rel=1e-5)


@given(seed=st.integers(0, 10**6), order=st.permutations(range(3)), scale=st.floats(0.01, 100))
@settings(max_examples=8)
def test_order_of_systems_and_rows_and_the_unit_change_nothing(seed: int, order: list[int], scale: float) -> None:
    data = drawn(seed)
    rows = np.random.default_rng(seed).permutation(len(data["values"]))
    one = contrast_model(**data, systems=list("abc"))
    other = contrast_model(
        scale * data["values"][rows],
        data["contrasts"][rows][:, order],
        {name: labels[rows] for name, labels in data["random"].items()},
        systems=[list("abc")[place] for place in order],
    )
    assert other.test.p == pytest.approx(one.test.p, rel=1e-4)
    mine = {each.name: scale * each.estimate for each in one.places}
    assert {each.name: each.estimate for each in other.places} == pytest.approx(mine, rel=1e-5, abs=1e-5 * scale)


@given(angle=st.floats(0, 2 * math.pi))
@settings(max_examples=8)
def test_which_orthogonal_contrasts_stand_for_a_ranking_makes_no_difference(angle: float) -> None:
    draw = np.random.default_rng(1)
    ranks = np.argsort(np.argsort(draw.normal(size=(30, 3)) + np.array([0, 0.5, 1.0]))) + 1.0
    basis = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])
    turned = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) @ basis
    models = [
        contrast_model((ranks @ rows.T).ravel(), np.tile(rows, (30, 1)), {"participant": np.repeat(np.arange(10), 6)})
        for rows in (basis, turned)
    ]
    assert figures(models[1]) == pytest.approx(figures(models[0]), rel=1e-6)


def test_without_a_factor_it_is_close_to_the_exact_model(monkeypatch: pytest.MonkeyPatch) -> None:
    study = drawn(4, people=30, items=20)
    exact = contrast_model(**study)
    monkeypatch.setattr("textassay.stats.mixed.mixed_fit._FEW", 0)
    monkeypatch.setattr("textassay.stats.mixed.mixed_fit._MOST_SECONDS", 0.0)
    large = contrast_model(**study)
    assert large.settings["solver"].startswith("conjugate gradients")
    assert math.isnan(large.log_likelihood)
    assert large.sigma == pytest.approx(exact.sigma, rel=0.03)
    for one, other in zip(large.places, exact.places, strict=True):
        assert one.estimate == pytest.approx(other.estimate, abs=0.05 * other.se)
        assert one.se == pytest.approx(other.se, rel=0.05)
    for mine, theirs in zip(large.components, exact.components, strict=True):
        assert (mine.group, mine.name, mine.levels) == (theirs.group, theirs.name, theirs.levels)
        assert mine.sd == pytest.approx(theirs.sd, rel=0.1)


def test_places_sum_to_0_and_pairs_are_their_differences() -> None:
    found = contrast_model(**drawn(2), systems=list("abc"))
    assert sum(found.values) == pytest.approx(0, abs=1e-12)
    place = dict(zip(found.systems, found.values, strict=True))
    for pair in found.pairs:
        assert pair.difference == pytest.approx(place[pair.first] - place[pair.second])
    assert found.n_significant == sum(pair.p < 0.05 for pair in found.pairs)


def test_systems_that_nobody_compared_are_undefined_and_said() -> None:
    contrasts = np.array([[1, -1, 0, 0], [0, 0, 1, -1]] * 8)
    found = contrast_model(np.arange(16.0), contrasts, {"participant": np.repeat(np.arange(4), 4)})
    assert math.isnan(found.test.p)
    assert all(math.isnan(value) for value in found.values)
    assert all(math.isnan(pair.p) for pair in found.pairs)
    assert "never compared with each other" in found.warnings[0]
    assert found.records()


def test_covariate_that_is_the_comparison_is_undefined_and_said() -> None:
    # a stood left every time: whether it is a or the side cannot be told
    data = drawn(1, k=2)
    found = contrast_model(**data, covariates={"right": np.ones(len(data["values"]))})
    assert math.isnan(found.test.p)
    assert found.warnings == (
        "places are undefined: a covariate is not identifiable from the differences between systems",
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"values": [math.nan] * 24}, "missing or infinite"),
        ({"values": [1.0] * 23}, "shape"),
        ({"contrasts": np.tile([1, 1], (24, 1))}, "must sum to 0"),
        ({"contrasts": np.zeros((24, 2))}, "compare nothing"),
        ({"contrasts": np.zeros((24, 1))}, "compare nothing"),
        ({"contrasts": np.tile([math.inf, -1], (24, 1))}, "missing or infinite"),
        ({"random": {}}, "at least one grouping"),
        ({"random": {"g": [1] * 24}}, "one level only"),
        ({"random": {"g": [1, 2]}}, "lengths must be equal"),
        ({"random": {"g": list(range(24))}}, "is not identifiable from the residuals"),
        ({"values": np.ones(24), "contrasts": np.tile([-1, 1], (24, 1))}, "explains the values exactly"),
        ({"covariates": {"side": [1.0]}}, "the covariate side has 1"),
        ({"systems": ["a"]}, "there are 1 systems"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], why: str) -> None:
    data = drawn(1, k=2, people=4, items=6)
    with pytest.raises(DataError, match=why):
        contrast_model(**{**data, **change})


@pytest.mark.parametrize(
    "setting", [{"alpha": 0}, {"confidence": 95}, {"slopes": {"participant": ["x"]}}, {"slopes": {"who": []}}]
)
def test_impossible_settings_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        contrast_model(**drawn(1), **setting)


@pytest.mark.long
def test_level_is_kept_with_random_people_and_items() -> None:
    # 120 studies without a difference: at most 13 beyond .05 with probability .998 (binomial, 120, .05)
    beyond = 0
    for seed in range(120):
        draw = np.random.default_rng(seed)
        data = drawn(seed, people=6, items=6)
        tastes, texts = 0.7 * draw.normal(size=(6, 3)), 0.7 * draw.normal(size=(6, 3))
        person, item = data["random"]["participant"], data["random"]["item"]
        values = np.sum(data["contrasts"] * (tastes[person] + texts[item]), axis=1) + draw.normal(size=person.size)
        beyond += contrast_model(values, data["contrasts"], data["random"]).test.p < 0.05
    assert beyond <= 13


# --- The parts of a model of contrasts ------------------------------------------------------------------------------


CONTRASTS = np.array([[-1, 1, 0], [0, -1, 1], [1, 0, -1]] * 4)


def made(**changed: object) -> ContrastDesign:
    parts = {
        "values": np.arange(12.0),
        "contrasts": CONTRASTS,
        "random": {"participant": np.repeat([1, 2], 6), "item": np.repeat([1, 2, 3], 4)},
        "systems": ["a", "b", "c"],
        "covariates": {"right": np.tile([1.0, -1.0], 6)},
        "slopes": {"participant": ["right"]},
    }
    return contrast_design(**{**parts, **changed})  # type: ignore[arg-type]


def test_first_system_is_at_0_and_places_sum_to_0() -> None:
    design = made()
    assert design.x[0].tolist() == [1, 0, 1]
    # coefficients b = 3, c = 6, and what the side does: places -3, 0, 3
    assert (design.places @ [3.0, 6.0, 100.0]).tolist() == pytest.approx([-3, 0, 3])


def test_tastes_of_a_grouping_have_one_variance_and_its_lean_another() -> None:
    design = made()
    # 3 items × 3 tastes come before 2 people × (3 tastes + lean)
    assert [term.group for term in design.effects.terms] == ["item", "participant"]
    assert design.owners == (("item", "taste", 3), ("participant", "taste", 2), ("participant", "right", 2))
    assert design.owner_of == (0, 0, 0, 1, 1, 1, 2)


def test_systems_are_numbered_where_they_have_no_names() -> None:
    assert made(systems=None).systems == ("system 1", "system 2", "system 3")


def test_groups_that_never_meet_are_named() -> None:
    lonely = np.hstack([CONTRASTS, np.zeros((12, 1))])
    assert "{d}" in made(contrasts=lonely, systems=["a", "b", "c", "d"]).disconnected
    assert made().disconnected == ""


def test_lean_of_nobody_is_refused() -> None:
    with pytest.raises(UsageError, match="there are groupings participant, item and covariates right"):
        made(slopes={"rater": ["right"]})
