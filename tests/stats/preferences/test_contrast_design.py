"""The parts of a model of contrasts."""

from __future__ import annotations

import numpy as np
import pytest

from textassay.errors import UsageError
from textassay.stats.preferences.contrast_design import ContrastDesign, contrast_design

CONTRASTS = np.array([[-1, 1, 0], [0, -1, 1], [1, 0, -1]] * 4)


def made(**changed: object) -> ContrastDesign:
    parts = {
        "values": np.arange(12.0),
        "contrasts": CONTRASTS,
        "random": {"participant": np.repeat([1, 2], 6), "item": np.repeat([1, 2, 3], 4)},
        "systems": ["a", "b", "c"],
        "covariates": {"right": np.tile([1.0, -1.0], 6)},
        "leaning": {"participant": ["right"]},
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
        made(leaning={"rater": ["right"]})
