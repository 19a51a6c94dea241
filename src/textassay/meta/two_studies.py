"""Two studies of the same texts: what people say of each text in the one beside what they do with it in the other.

As in Lapata (2006): mean ratings of texts in one study with mean reading times in another. Systems may differ: eight
bins of orders in the one are three groups in the other. Texts are matched by their words, by item and system, or by a
column that both have. The studies are brought onto one grid, as judgements and scores are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from textassay.analysis.judgements import CELL, read_judgements
from textassay.errors import UsageError
from textassay.meta.alignment import AlignmentOptions, ScoreGrid, score_grids
from textassay.meta.judged_texts import JudgedTexts

TEXT, ITEM_SYSTEM = "text", "item-system"
"""Ways to match besides a column's name."""
_SHOWN = 10
Key = tuple[str, str]


@dataclass(frozen=True, eq=False)
class TwoStudies:
    """Two studies on one grid per criterion of the first."""

    first: str
    second: str
    match: str
    """How texts were matched, in words."""
    grids: tuple[ScoreGrid, ...]
    """The second study's criteria in the place of metrics; the grid's systems are those of the study that fills it
    better."""
    shared: int
    """Texts that both studies have."""
    alone: pd.DataFrame
    """Columns `study, item, system`: texts that one study has only."""
    notes: tuple[str, ...]


def two_studies(
    first: JudgedTexts, second: JudgedTexts, match: str | None = None, options: AlignmentOptions | None = None
) -> TwoStudies:
    """Bring two studies onto one grid.

    Args:
        first: Its criteria are the judgements.
        second: Its criteria take the place of metrics; values are means over its participants.
        match: `text` (the same words), `item-system` (the same names), or a column that both have; by default by text
            where both have texts, else by names.
        options: What several raters make of a text, in both studies.

    Raises:
        UsageError: a side does not have what texts are to be matched by, or no text is in both.
    """
    options = options or AlignmentOptions()
    match = match or (TEXT if first.texts and second.texts else ITEM_SYSTEM)
    second_name = second.name if second.name != first.name else f"{second.name} (second)"
    sides = (first, replace(second, name=second_name))
    keys = [_keys(side, match) for side in sides]
    common = set(keys[0].values()) & set(keys[1].values())
    if not common:
        raise UsageError(
            f"{sides[0].name} and {sides[1].name} have no text in common, by {_in_words(match)}; choose how texts are "
            "matched with --match: text, item-system, or a column that both have"
        )
    place = _denser([_texts_of(each, common) for each in keys])
    placed = [_placed(side, own, place, common) for side, own in zip(sides, keys, strict=True)]
    scores = _as_scores(placed[1], options)
    errors = options.error_criteria | first.error_criteria
    grids = score_grids(placed[0], scores, replace(options, error_criteria=frozenset(errors)))
    turned = frozenset(second.error_criteria)
    return TwoStudies(
        sides[0].name,
        sides[1].name,
        _in_words(match),
        tuple(_turned(grid, turned) for grid in grids),
        len(common),
        _alone(sides, keys, common),
        tuple(_notes(sides, keys, common)),
    )


def _in_words(match: str) -> str:
    return {TEXT: "the words of texts", ITEM_SYSTEM: "names of items and systems"}.get(match, f"column {match}")


def _keys(side: JudgedTexts, match: str) -> dict[Key, str]:
    """Each judged text, by item and system, and what it is matched by."""
    named = side.judgements[["item", "system"]].dropna().astype(str).drop_duplicates()
    judged: list[Key] = list(zip(named["item"], named["system"], strict=True))
    if match == ITEM_SYSTEM:
        return {key: "\0".join(key) for key in judged}
    values = side.texts if match == TEXT else side.column(match)
    if not values:
        what = "texts" if match == TEXT else f"column {match!r}"
        raise UsageError(
            f"{side.name} has no {what} to match by; add it, or match by another one of: text, item-system"
        )
    return {key: " ".join(values[key].split()) for key in judged if key in values}


def _texts_of(keys: Mapping[Key, str], common: set[str]) -> dict[str, Key]:
    """What a text is matched by → its item and system; the first where several texts are the same."""
    found: dict[str, Key] = {}
    for key, value in keys.items():
        if value in common:
            found.setdefault(value, key)
    return found


def _denser(places: list[dict[str, Key]]) -> dict[str, Key]:
    """The items and systems of the side on whose grid fewer places are empty; the first where both are alike."""

    def empty(place: dict[str, Key]) -> int:
        items, systems = (len({key[part] for key in place.values()}) for part in (0, 1))
        return items * systems - len(set(place.values()))

    return min(places, key=empty)


def _placed(side: JudgedTexts, keys: Mapping[Key, str], place: Mapping[str, Key], common: set[str]) -> pd.DataFrame:
    """The judgements of shared texts under their places on the common grid."""
    table = read_judgements(side.judgements).main
    own = list(zip(table["item"], table["system"], strict=True))
    kept = np.array([keys.get(key) in common for key in own], dtype=bool)
    target = [place[keys[key]] for key, keep in zip(own, kept, strict=True) if keep]
    rows = table[kept].assign(item=[item for item, _ in target], system=[system for _, system in target])
    # a text that is there under several names has the mean of what a participant says of it
    return rows.groupby(CELL, sort=False)["value"].mean().reset_index()


def _as_scores(judgements: pd.DataFrame, options: AlignmentOptions) -> pd.DataFrame:
    """The mean judgement of each text and criterion as a table of scores."""
    nothing = pd.DataFrame({"item": [], "system": [], "metric": [], "value": []}, dtype=object)
    grids = score_grids(judgements, nothing, replace(options, error_criteria=frozenset(), reference_system=None))
    parts = []
    for grid in grids:
        item, system = np.nonzero(np.isfinite(grid.people))
        parts.append(
            pd.DataFrame(
                {
                    "item": np.array(grid.items, dtype=object)[item],
                    "system": np.array(grid.systems, dtype=object)[system],
                    "metric": grid.criterion,
                    "value": grid.people[item, system],
                    "signature": "judgements",  # a criterion may have a metric's name, which does not make it one
                }
            )
        )
    return pd.concat(parts, ignore_index=True) if parts else nothing


def _turned(grid: ScoreGrid, errors: frozenset[str]) -> ScoreGrid:
    """The grid with criteria of the second study turned of which less is better."""
    turn = {name: -1.0 if name in errors else 1.0 for name in grid.scores}
    return replace(
        grid,
        scores={name: turn[name] * values for name, values in grid.scores.items()},
        system_scores={name: turn[name] * values for name, values in grid.system_scores.items()},
        turned=errors & frozenset(grid.scores),
    )


def _alone(sides: tuple[JudgedTexts, JudgedTexts], keys: list[dict[Key, str]], common: set[str]) -> pd.DataFrame:
    rows = [
        (side.name, *key) for side, own in zip(sides, keys, strict=True) for key, value in own.items()
        if value not in common
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["study", "item", "system"])


def _notes(sides: tuple[JudgedTexts, JudgedTexts], keys: list[dict[Key, str]], common: set[str]) -> list[str]:
    """Which texts were not shared, and which are the same text under several names."""
    found = [f"{side.name}: {text}" for side in sides for text in read_judgements(side.judgements).warnings]
    for side, own in zip(sides, keys, strict=True):
        alone = [f"{item} by {system}" for (item, system), value in own.items() if value not in common]
        if alone:
            more = f" and {len(alone) - _SHOWN} more" if len(alone) > _SHOWN else ""
            what = f"{len(alone)} of {len(own)} texts are in {side.name} only"
            found.append(f"{what}, so omitted: {', '.join(alone[:_SHOWN])}{more}")
        several = sum(count > 1 for value, count in Counter(own.values()).items() if value in common)
        if several:
            found.append(f"{side.name}: {several} texts are there under several names; their judgements are joined")
    return found
