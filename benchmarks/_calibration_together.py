"""Texts rated side by side: ratings on one page have something in common, and the first text may be rated higher.

Drawn from the designs that a study has: sets of systems that rotate over items, and the order of the texts on each page
drawn at random.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import numpy.typing as npt
import pandas as pd
from _calibration import Check
from _calibration_claims import ANY_REJECTED, BRADLEY, centred, covers, rejects, rejects_any, size_near, size_within

from textassay.analysis.page_positions import position_effects
from textassay.analysis.trial_contrasts import trial_contrasts
from textassay.design.assignment import assign
from textassay.design.sets import system_sets
from textassay.seeds import Stream
from textassay.stats import anova_type_test

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_MOST = 0.075
_WHY = "must not be liberal; Bradley's liberal criterion above, no bound below"
_PAGE = 0.7
"""SD of participant × item: what the ratings of a page have in common."""
_EFFECT = 0.5
_COST = 5.0


def checks() -> tuple[Check, ...]:
    """All of this family."""
    leading = (
        size_within("anova_type_test", "systems", high=_MOST, why=_WHY),
        size_within("anova_type_test", "pairs, Holm", high=_MOST, why=_WHY, what=ANY_REJECTED),
    )
    better = (
        centred("anova_type_test", "difference of the last from the first system, .5", _EFFECT, why="unbiased"),
        size_within("anova_type_test", "that difference", low=0.94, high=1, why="safe: holds for all pairs together",
                    what="95 % interval holds the truth"),
    )  # fmt: skip
    places = (
        size_near("position_effects", "trend", why=BRADLEY),
        size_near("position_effects", "any", why=BRADLEY),
    )
    common = "rated side by side; SD of participant × item 0.7"
    return (
        Check(f"all 3 systems {common}: 24 participants × 12 items; the first text gains .5 over the last",
              partial(_level, 24, 12, 3, 3), leading, _COST),
        Check(f"3 of 5 systems {common}: 20 participants × 20 items; the first text gains .5 over the last",
              partial(_level, 20, 20, 5, 3), leading, _COST),
        Check(f"3 of 5 systems {common}: 20 participants × 20 items; one system is better by .5",
              partial(_difference, 20, 20, 5, 3), better, _COST),
        Check(f"all 4 systems {common}: 12 participants × 12 items; positions do nothing",
              partial(_positions, 12, 12, 4, 4), places, _COST),
        Check(f"3 of 5 systems {common}: 20 participants × 20 items; positions do nothing",
              partial(_positions, 20, 20, 5, 3), places, _COST),
    )  # fmt: skip


@cache
def _design(people: int, items: int, systems: int, shown: int) -> tuple[Ints, Ints, Ints]:
    """Participant, item and systems of each page."""
    names = [str(number) for number in range(systems)]
    sets = system_sets(names, shown, Stream(1, "calibration"))
    hands = assign([str(item) for item in range(items)], sets, people, items, Stream(1, "calibration"))
    rows = [(person, int(cell.item), *map(int, cell.condition)) for person, hand in enumerate(hands) for cell in hand]
    found = np.array(rows)
    return found[:, 0], found[:, 1], found[:, 2:]


def _drawn(
    sizes: tuple[int, int, int, int], random: np.random.Generator, first: float = 0.0, better: float = 0.0
) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    """Participant, item, system, place on the page and value of each rating, page by page."""
    people, items, systems, shown = sizes
    person, item, on_page = _design(*sizes)
    places = np.argsort(random.random(on_page.shape), axis=1)
    y = random.normal(size=people)[person] + 0.7 * random.normal(size=items)[item]
    y = (y + _PAGE * random.normal(size=len(person)))[:, None] - first * places / (shown - 1)
    y = y + (0.3 * random.normal(size=(people, systems)))[person[:, None], on_page]
    y += (0.3 * random.normal(size=(items, systems)))[item[:, None], on_page]
    y += better * (on_page == systems - 1) + random.normal(size=on_page.shape)
    return np.repeat(person, shown), np.repeat(item, shown), on_page.ravel(), places.ravel() + 1, y.ravel()


def _level(people: int, items: int, systems: int, shown: int, random: np.random.Generator) -> list[float]:
    person, item, system, _, y = _drawn((people, items, systems, shown), random, first=0.5)
    found = anova_type_test(y, system, person, item)
    return [rejects(found.p), rejects_any(pair.p for pair in found.pairs)]


def _difference(people: int, items: int, systems: int, shown: int, random: np.random.Generator) -> list[float]:
    person, item, system, _, y = _drawn((people, items, systems, shown), random, better=_EFFECT)
    pairs = anova_type_test(y, system, person, item).pairs
    (pair,) = (each for each in pairs if {each.first, each.second} == {"0", str(systems - 1)})
    sign = 1 if pair.first == str(systems - 1) else -1
    return [sign * pair.difference, covers(pair.ci, sign * _EFFECT)]


def _positions(people: int, items: int, systems: int, shown: int, random: np.random.Generator) -> list[float]:
    person, item, system, place, y = _drawn((people, items, systems, shown), random)
    page = np.arange(len(y)) // shown
    values, places = np.full((2, page[-1] + 1, systems), np.nan)
    values[page, system], places[page, system] = y, place
    labels = [codes[::shown].astype(str) for codes in (person, item)]
    index = pd.MultiIndex.from_arrays(labels, names=("participant", "item"))
    given = trial_contrasts(pd.DataFrame(values, index, [f"s{number}" for number in range(systems)]))
    assert given.trials is not None
    trend, other = position_effects(given, np.nan_to_num(places)[given.trials])
    return [np.nan if found is None else rejects(found.p) for found in (trend, other)]
