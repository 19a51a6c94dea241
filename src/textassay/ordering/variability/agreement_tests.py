"""Whether people agree more on some texts, or in some conditions, than in others: people as what is sampled."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from textassay.ordering.measures.measure import Floats
from textassay.ordering.variability.pseudo_values import AgreementTest, Level, agreement_test
from textassay.ordering.variability.reorderings import Reorderings


def text_agreement(
    people: Reorderings, *, alpha: float = 0.05, confidence: float = 0.95, draws: int = 1999, seed: int = 0
) -> AgreementTest:
    """Mean tau over all pairs of people, compared between texts; see `agreement_test`.

    In simulated studies in which no text differs, 2 to 5 of 100 are significant at .05.

    Args:
        people: All orders.
        alpha: Level of significance of a pair of texts.
        confidence: Of the intervals, one at a time.
        draws: How often people's signs are turned for the p of all texts together, where there are too many ways.
        seed: Of the draws.

    >>> from textassay.ordering.variability.reorderings import Reordered, reorderings
    >>> given = [Reordered("s", by, order) for by, order in zip("pqr", ["abc", "abc", "acb"])]
    >>> round(text_agreement(reorderings(given)).means[0], 4)  # 1, 1/3 and 1/3
    0.5556
    """
    taus = people.taus
    n = len(people.people)
    left_out = np.array([_means(np.delete(np.delete(taus, p, axis=1), p, axis=2)) for p in range(n)])
    sizes = (people.which >= 0).sum(axis=1)
    level = Level(alpha, confidence, draws, seed)
    return agreement_test(people.texts, _means(taus), left_out, sizes.tolist(), "text", level)


def condition_agreement(
    people: Reorderings, *, alpha: float = 0.05, confidence: float = 0.95, draws: int = 1999, seed: int = 0
) -> AgreementTest:
    """Mean tau of people who had a text in the same condition, over texts, compared between conditions.

    Arguments as in `text_agreement`. With six people to a condition, 1 to 3 of 100 simulated studies in which no
    condition differs are significant at .05, with three people next to none: leaving out one of so few changes means
    more than another sample would.
    """
    n = len(people.people)

    def means(kept: Sequence[int]) -> Floats:
        taus, condition = people.taus[:, kept][:, :, kept], people.condition[:, kept]
        alike = [(condition == k)[:, :, None] & (condition == k)[:, None, :] for k in range(len(people.conditions))]
        cells = [_means(np.where(same, taus, math.nan)) for same in alike]
        return np.array(
            [float(cell[there].mean()) if there.any() else math.nan for cell in cells for there in [~np.isnan(cell)]]
        )

    everyone = list(range(n))
    left_out = np.array([means([p for p in everyone if p != out]) for out in everyone])
    sizes = [int((people.condition == k).any(axis=0).sum()) for k in range(len(people.conditions))]
    level = Level(alpha, confidence, draws, seed)
    return agreement_test(people.conditions, means(everyone), left_out, sizes, "condition", level)


def _means(taus: Floats) -> Floats:
    """Mean over the known pairs of each text."""
    known = ~np.isnan(taus)
    count = known.sum(axis=(1, 2))
    total = np.where(known, taus, 0.0).sum(axis=(1, 2))
    return np.asarray(np.divide(total, count, out=np.full(len(taus), math.nan), where=count > 0))
