"""Made-up ratings that are unbalanced, and go through R for known answers."""

from __future__ import annotations

import numpy as np


def unbalanced_ratings() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Values, people, items and systems of 700 ratings.

    Some of 40 people give many, some few; some see several of the 6 systems of an item.
    """
    draw = np.random.Generator(np.random.PCG64(12))
    person = draw.choice(40, 700, p=np.arange(1, 41) / 820)
    item, system = draw.integers(0, 25, 700), draw.choice(6, 700, p=np.arange(3, 9) / 33)
    sds = ((0.6, 40), (0.4, (40, 6)), (0.5, 25), (0.4, (25, 6)), (0.5, (40, 25)))
    effects = [draw.normal(0, sd, size) for sd, size in sds]
    value = 4 + 0.1 * system + effects[0][person] + effects[1][person, system] + effects[2][item]
    value = value + effects[3][item, system] + effects[4][person, item] + draw.normal(0, 0.8, 700)
    return np.round(value, 6), person, item, system
