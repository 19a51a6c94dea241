"""Orders that people give to texts: whether they agree more on some texts, or in some conditions, than in others."""

from __future__ import annotations

from functools import partial

import numpy as np
from _calibration import Check
from _calibration_claims import rejects, size_near, size_within

from textassay.ordering import GivenOrder, Reorderings, condition_agreement, reorderings, text_agreement

_DRAWS = 199
_EXACT = "exact where conditions make no difference: 10 of 200 ways"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    texts, conditions = "text_agreement", "condition_agreement"
    return (
        Check("18 people × 9 texts of 8 sentences in 3 conditions, people stray unequally far", partial(_nulls, 18), (
            size_near(texts, "F, signs flipped"),
            size_near(conditions, "F, lists exchanged", why=_EXACT),
        ), cost=10),
        Check("9 people × 9 texts of 8 sentences in 3 conditions, people stray unequally far", partial(_nulls, 9), (
            size_within(texts, "F, signs flipped", high=0.075, why="errs on the safe side with few people"),
            size_near(conditions, "F, lists exchanged", why=_EXACT),
        ), cost=10),
        Check("18 people × 9 texts in 3 conditions, each of which moves other sentences equally far", _moved, (
            size_within(conditions, "F, lists exchanged", high=0.075,
                        why="measured by its own error, so that it need not be exact"),
        ), cost=10),
    )  # fmt: skip


def _nulls(people: int, random: np.random.Generator) -> list[float]:
    given = _orders(random, people, 8)
    return [rejects(test(given, draws=_DRAWS).p) for test in (text_agreement, condition_agreement)]


def _moved(random: np.random.Generator) -> list[float]:
    """Each condition turns another third of the text round."""
    places = np.tile(np.arange(9.0), (3, 1))
    for condition in range(3):
        third = slice(3 * condition, 3 * condition + 3)
        places[condition, third] = 0.4 * places[condition, third] + 0.6 * places[condition, third][::-1]
    given = _orders(random, 18, 9, places)
    return [rejects(condition_agreement(given, draws=_DRAWS).p)]


def _orders(random: np.random.Generator, people: int, units: int, wanted: np.ndarray | None = None) -> Reorderings:
    """Everybody orders 9 texts, three in each condition: units by their place, and a deviation."""
    strays = 1.5 * np.exp(0.5 * random.standard_normal(people))
    found = []
    for text in range(9):
        for person in range(people):
            condition = (person + text // 3) % 3
            places = np.arange(units) if wanted is None else wanted[condition]
            order = np.argsort(places + strays[person] * random.standard_normal(units))
            found.append(GivenOrder(str(text), str(person), tuple(order.tolist()), "ORT"[condition]))
    return reorderings(found, conditions="ORT")
