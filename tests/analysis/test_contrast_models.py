"""The mixed model of contrasts with what the data bear of it, and what is said of the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from textassay.analysis.contrast_models import Contrasts, ContrastSystems, contrast_systems
from textassay.stats.preferences.contrast_model import TASTE


def made(people: int = 6, items: int = 5) -> Contrasts:
    """Everybody compares a and b on each item; the side is drawn."""
    draw = np.random.default_rng(1)
    person, item = (part.ravel() for part in np.indices((people, items)))
    side = draw.choice([-1.0, 1.0], size=person.size)
    values = (
        1
        + 0.5 * side
        + draw.normal(size=people)[person]
        + draw.normal(size=items)[item]
        + draw.normal(size=person.size)
    )
    rows = np.tile([-1.0, 1.0], (person.size, 1))
    return Contrasts(values, rows, ("a", "b"), person.astype(str), item.astype(str), {"side": side})


def test_participants_and_items_are_random_and_participants_lean() -> None:
    found = contrast_systems(made(), of="clarity")
    assert found.model is not None
    assert [(each.group, each.name) for each in found.model.components] == [
        ("participant", "taste"),
        ("participant", "side"),
        ("item", "taste"),
    ]
    assert found.model.of == "clarity"
    assert found.results == (found.model,)


def test_a_single_item_is_taken_as_it_is_and_that_is_said() -> None:
    alone = made()
    found = contrast_systems(replace(alone, items=np.full(len(alone.values), "i")), of="clarity")
    assert found.model is not None
    assert {each.group for each in found.model.components} == {"participant"}
    assert any(
        text.startswith("mixed model: items are taken as they are (the grouping item") for text in found.warnings
    )


def test_side_that_is_the_system_is_left_out_and_that_is_said() -> None:
    given = made()
    found = contrast_systems(replace(given, covariates={"side": np.ones(len(given.values))}), of="clarity")
    assert found.model is not None
    assert found.model.covariates == ()
    assert "mixed model: the side is not identifiable from the systems" in found.warnings


def all_pairs(of_texts: float) -> Contrasts:
    """Everybody compares all three pairs of systems on each item; participants have tastes for single texts."""
    draw = np.random.default_rng(3)
    person, item, pair = (part.ravel() for part in np.indices((8, 7, 3)))
    rows = np.array([[1.0, -1, 0], [1, 0, -1], [0, 1, -1]])[pair]
    tastes = 0.6 * draw.normal(size=(8, 3))[person] + 0.9 * draw.normal(size=(7, 3))[item]
    tastes += of_texts * draw.normal(size=(8, 7, 3))[person, item]
    values = np.sum(rows * tastes, axis=1) + draw.normal(size=person.size)
    return Contrasts(values, rows, ("a", "b", "c"), person.astype(str), item.astype(str))


def test_participants_who_compare_a_text_with_several_others_have_tastes_for_texts() -> None:
    found = contrast_systems(all_pairs(1.0), of="clarity")
    assert found.model is not None
    sds = {each.group: each.sd for each in found.model.components}
    assert set(sds) == {"participant", "item", "participant × item"}
    assert sds["participant × item"] == pytest.approx(1.0, abs=0.25)
    assert found.model.sigma == pytest.approx(1.0, abs=0.25)
    # balanced: the variance of a difference is that of two tastes of each kind over their number, and of what is left
    counts = {"participant": 8, "item": 7, "participant × item": 56}
    parts = [2 * sds[name] ** 2 / count for name, count in counts.items()] + [found.model.sigma**2 * found.of_pair]
    assert found.model.pairs[0].se ** 2 == pytest.approx(sum(parts), rel=1e-4)
    assert found.of_pair == pytest.approx(2 / (56 * 3))  # (S - 1) of each pair's 56: 2 / (S r), r = 56
    assert found.squared_length == 2


def test_tastes_for_texts_that_do_not_vary_are_left_out_and_that_is_said() -> None:
    given = all_pairs(0.0)
    values = given.values - given.rows @ np.linalg.lstsq(given.rows, given.values, rcond=None)[0]
    found = contrast_systems(replace(given, values=np.random.default_rng(5).permutation(values)), of="clarity")
    assert found.model is not None
    assert {each.group for each in found.model.components} == {"participant", "item"}
    assert "mixed model: without tastes of participant × item: their variance is 0" in found.warnings


def test_texts_return_only_where_answers_of_a_participant_to_an_item_have_one_in_common() -> None:
    every = all_pairs(0.0)
    assert every.texts_return
    assert not made().texts_return
    assert not replace(every, items=np.full(len(every.values), "i")).texts_return
    once = replace(every, items=np.arange(len(every.values)).astype(str))
    assert not once.texts_return
    helmert = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])  # a ranking of three texts
    ranked = Contrasts(np.zeros(4), np.tile(helmert, (2, 1)), ("a", "b", "c"), np.array([*"ppqq"]), np.array([*"iiii"]))
    assert not ranked.texts_return


@pytest.mark.parametrize(("systems", "rows"), [(("a",), np.zeros((30, 1))), (("a", "b"), np.zeros((30, 2)))])
def test_nothing_compared(systems: tuple[str, ...], rows: np.ndarray) -> None:
    found = contrast_systems(replace(made(), systems=systems, rows=rows), of="clarity")
    assert found.model is None
    assert found.results == ()
    assert found.warnings == ("no mixed model: no two systems are compared",)


def test_one_answer_is_too_few_and_does_not_stop_anything() -> None:
    given = made(people=1, items=1)
    found = contrast_systems(given, of="clarity")
    assert found.model is None
    assert "there is none" in found.warnings[-1]


def test_a_single_comparison_has_two_tastes_and_what_is_left() -> None:
    def sd(squared_length: float, *, converged: bool = True) -> float | None:
        tastes = [SimpleNamespace(name=TASTE, variance=each) for each in (0.5, 0.25)]
        side = SimpleNamespace(name="lean to the right", variance=0.1)
        model: Any = SimpleNamespace(components=[*tastes, side], sigma=2.0, converged=converged)
        return ContrastSystems("clarity", model, squared_length=squared_length).answer_sd

    # a choice between two: each taste twice, the lean and the error once; a contrast of ranks has length 1, a pair two
    assert sd(2.0) == pytest.approx(math.sqrt(2 * 0.75 + 0.1 + 4.0))
    assert sd(1.0) == pytest.approx(math.sqrt(2 * 0.75 + 2 * (0.1 + 4.0)))
    assert sd(2.0, converged=False) is None
    assert ContrastSystems("clarity").answer_sd is None
