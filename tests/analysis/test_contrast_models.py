"""The mixed model of contrasts with what the data bear of it, and what is said of the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from textassay.analysis.contrast_models import Contrasts, contrast_systems


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
