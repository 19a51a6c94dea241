"""The choice model of rankings with ties: which sets of systems might have been chosen, and with what utility."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from textassay.errors import DataError
from textassay.stats.preferences.choice_sets import ChoiceSets, counted, distinct_rows
from textassay.stats.preferences.rankings import Stages

_ALTERNATIVES = 20_000
"""The most sets of tied systems that are gone through."""


def rank_choices(stages: Stages) -> ChoiceSets:
    """The choices as a conditional logit model.

    Parameters are the log abilities of all but the first system and, for each size of tie that occurs, log δ. A tie of
    the set S has the utility log δ + mean of the log abilities in S; sizes that never occur have no δ.

    Raises:
        DataError: so many systems are tied that the ties that might have been cannot be gone through.
    """
    k, sizes = stages.left.shape[1], stages.tie_sizes
    number = k + sum(math.comb(k, size) for size in sizes)
    if number > _ALTERNATIVES:
        raise DataError(
            f"ties of up to {max(sizes)} of {k} systems make {number} possible choices, more than the {_ALTERNATIVES} "
            "that are gone through; analyse fewer systems at a time, or leave out rankings with such ties"
        )
    alternatives = [subset for size in (1, *sizes) for subset in combinations(range(k), size)]
    members = np.zeros((number, k))
    for row, subset in enumerate(alternatives):
        members[row, list(subset)] = 1
    width = members.sum(axis=1)
    ties = [(width == size)[:, None] for size in sizes]
    design = np.concatenate([(members / width[:, None])[:, 1:], *ties], axis=1)
    sets, place = distinct_rows(stages.left)
    taken, which = distinct_rows(stages.taken)
    row_of = {subset: row for row, subset in enumerate(alternatives)}
    chosen = np.array([row_of[tuple(np.flatnonzero(row).tolist())] for row in taken], dtype=np.intp)[which]
    return counted(design, sets.astype(float) @ members.T == width, place, chosen)
