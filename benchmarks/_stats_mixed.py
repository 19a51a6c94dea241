"""Crossed linear mixed models against lme4, and against statsmodels, whose way to them is variance components."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from _crossed_ratings import crossed_ratings, groupings, lme4_seconds
from _house import Row, best_of

from textassay.stats import mixed_model


def made_up(participants: int, items: int, share: float = 1.0) -> pd.DataFrame:
    """Ratings of three systems by a Latin square, or a part of them."""
    draw = np.random.Generator(np.random.PCG64(5))
    participant, item = np.divmod(np.arange(participants * items), items)
    kept = draw.random(participant.size) < share
    participant, item = participant[kept], item[kept]
    system = (participant + item) % 3
    effects = draw.normal(size=participants)[participant] + 0.6 * draw.normal(size=items)[item]
    value = 4 + 0.3 * system + effects + draw.normal(size=participant.size)
    return pd.DataFrame(
        {
            "value": value,
            "system": np.array(["a", "b", "c"])[system],
            "participant": participant,
            "item": item,
            "all": 1,
        }
    )


def ours(data: pd.DataFrame) -> float:
    columns = {name: data[name].to_numpy() for name in data}
    columns["system"] = columns["system"].astype(str)
    random = {name: columns[name] for name in ("participant", "item")}
    return mixed_model(columns["value"], {"system": columns["system"]}, random).log_likelihood


def theirs(data: pd.DataFrame) -> float:
    components = {"participant": "0 + C(participant)", "item": "0 + C(item)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = smf.mixedlm("value ~ system", data, groups="all", re_formula="0", vc_formula=components)
        return float(model.fit(reml=True).llf)


def rows() -> Iterator[Row]:
    crossed = made_up(40, 60)
    found: dict[str, float] = {}
    quick = best_of(5, lambda: found.update(ours=ours(crossed)))
    slow = best_of(1, lambda: found.update(theirs=theirs(crossed)))
    note = f"log-likelihood {found['ours']:.6f}, theirs {found['theirs']:.6f}"
    yield Row("mixed model, 40 × 60 crossed", quick, "statsmodels", slow, 5, note)
    large = made_up(2000, 100, 0.6)
    yield Row(
        "mixed model, 2,000 × 100 crossed, 120,000 rows", best_of(1, lambda: ours(large)), "none", math.nan, math.nan
    )
    for what, bar, size in BARS:
        yield against_lme4(what, bar, size)


BARS = [
    ("mixed model, 17 × 100 × 150, 8,453 ratings", 1 / 1.5, (17, 100, 150, 8_453)),
    ("mixed model, 10 × 100 × 200, 10,483 ratings", 1.0, (10, 100, 200, 10_483)),
]
"""What it is called, lme4's time over ours that is wanted, and systems, items, people and ratings."""


def against_lme4(what: str, bar: float, size: tuple[int, int, int, int]) -> Row:
    data = crossed_ratings(*size)
    fixed, random = {"system": data["system"].to_numpy()}, groupings(data)
    found: list[float] = []
    seconds = best_of(1, lambda: found.append(mixed_model(data["value"], fixed, random).criterion))
    theirs, note = lme4_seconds(what, data)
    return Row(what, seconds, "lme4", theirs, bar, f"criterion {found[0]:.4f}, {note}")
