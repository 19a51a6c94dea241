from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from textassay.report.figures.style import COLOURS, KEPT, LEFT_OUT, QUIET, Palette

Array = npt.NDArray[np.float64]

# Machado, Oliveira & Fernandes (2009), table 1, severity 1.0: how linear RGB looks without one kind of cones.
VISIONS = {
    "all": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])  # IEC 61966-2-1
WHITE = np.array([0.9505, 1.0, 1.089])


def linear(colour: str) -> Array:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.asarray(np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4))


def lab(rgb: Array) -> Array:
    """CIE L*a*b* of linear RGB."""
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colour", [*COLOURS, KEPT, LEFT_OUT])
def test_marks_stand_out_from_white(colour: str) -> None:
    # WCAG 2.2, 1.4.11: graphics need a contrast of at least 3 to 1
    luminance = float(TO_XYZ[1] @ linear(colour))
    assert 1.05 / (luminance + 0.05) >= 3


def test_quiet_text_is_readable() -> None:
    # WCAG 2.2, 1.4.3: text needs 4.5 to 1
    assert 1.05 / (float(TO_XYZ[1] @ linear(QUIET)) + 0.05) >= 4.5


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_stay_apart_for_every_kind_of_colour_vision(vision: str) -> None:
    seen = [lab(VISIONS[vision] @ linear(colour)) for colour in COLOURS]
    # ΔE*ab of 10 is seen at a glance
    assert min(float(np.linalg.norm(one - other)) for one, other in combinations(seen, 2)) > 15


def test_a_system_looks_the_same_whatever_figure_it_is_in() -> None:
    palette = Palette.of(["b", "a", "b", "c"])
    assert palette.systems == ("b", "a", "c")
    assert palette.look("a") == Palette.of(["b", "a"]).look("a")


def test_as_many_systems_as_a_study_has_all_look_different() -> None:
    palette = Palette.of(f"s{n}" for n in range(56))
    assert len({palette.look(system) for system in palette.systems}) == 56


def test_an_unknown_system_is_grey() -> None:
    assert Palette.of([]).look("x").colour == QUIET
