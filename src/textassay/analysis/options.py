"""What a recipe knows besides the answers: levels, scales, the order of systems, properties of items.

Properties of items are such as the set of entities a text is about (Belz & Kow 2010); answers may depend on them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from textassay.study.model import AnalysisOptions
    from textassay.study.study import Study
    from textassay.tables.schema import TableSchema

_LEAST_ITEMS = 2
"""Items that a level has on average, at least: with fewer the factor hardly differs from the item itself."""

ItemFactors = Mapping[str, Mapping[str, str]]
"""Name of a factor → item → its level."""


@dataclass(frozen=True)
class RecipeOptions:
    """What every recipe may take besides the answers."""

    alpha: float = 0.05
    """Level of significance."""
    confidence: float = 0.95
    """Of intervals."""
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Ends of the scale of each criterion."""
    systems: Sequence[str] = ()
    """The order in which systems are shown; those not named follow by name."""
    item_factors: ItemFactors = field(default_factory=dict)
    """Properties of items, each a factor of its own."""
    seed: int = 0
    """Of everything that is drawn, such as bootstraps."""
    draws: int = 1999
    """How often it is drawn, where there are too many ways for all."""
    smallest: Mapping[str, float] = field(default_factory=dict)
    """By measure the smallest difference that matters, as far as a study declares one."""


def study_options(study: Study, scales: Mapping[str, tuple[float, float]] | None = None) -> RecipeOptions:
    """What a study says: its levels, systems, properties of items and seed.

    Args:
        study: The study.
        scales: Ends of the scale of each criterion.
    """
    levels = study.file.analysis
    properties = {item: study.items[item].values for item in study.items_in_order if item in study.items}
    factors = item_factors(properties)
    return RecipeOptions(
        levels.alpha,
        levels.confidence,
        scales or {},
        study.systems,
        factors,
        study.file.seed,
        smallest=levels.smallest_difference,
    )


def table_options(
    table: pd.DataFrame,
    levels: AnalysisOptions,
    schema: TableSchema,
    scales: Mapping[str, tuple[float, float]] | None = None,
) -> RecipeOptions:
    """What a table that belongs to no study says: properties of items are in its further columns.

    Args:
        table: Answers.
        levels: Of tests and intervals.
        schema: The table's; its columns are no properties of items.
        scales: Ends of the scale of each criterion.
    """
    known = {column.name for column in schema.columns}
    factors = item_factors_of_table(table, known) if "item" in table else {}
    return RecipeOptions(
        levels.alpha, levels.confidence, scales or {}, item_factors=factors, smallest=levels.smallest_difference
    )


def item_factors(items: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The properties that have few levels.

    >>> item_factors({f"i{n}": {"text": f"t{n}", "topic": "ab"[n % 2], "kind": "x"} for n in range(4)})
    {'topic': {'i0': 'a', 'i1': 'b', 'i2': 'a', 'i3': 'b'}}

    Args:
        items: Properties by item, as the items table has them.
    """
    names = dict.fromkeys(name for properties in items.values() for name in properties if name != "item")
    found = {name: {item: _level(properties.get(name)) for item, properties in items.items()} for name in names}
    known = {name: {item: level for item, level in levels.items() if level} for name, levels in found.items()}
    return {name: levels for name, levels in known.items() if _few(levels)}


def item_factors_of_table(table: pd.DataFrame, known: Collection[str]) -> dict[str, dict[str, str]]:
    """The same from further columns of a table of answers: those that say the same wherever an item comes up.

    Args:
        table: Answers; column `item`.
        known: Columns that are no properties of items.
    """
    others = [str(name) for name in table.columns if name not in known and name != "item"]
    fixed = [name for name in others if (table.groupby("item")[name].nunique(dropna=False) <= 1).all()]
    first = table.drop_duplicates("item")
    rows = zip(first["item"].astype(str), first[fixed].to_dict("records"), strict=True)
    return item_factors({item: {str(key): value for key, value in row.items()} for item, row in rows})


def _level(value: Any) -> str:
    return "" if value is None or value != value else str(value)  # noqa: PLR0124 -- nan is not itself


def _few(levels: Mapping[str, str]) -> bool:
    count = len(set(levels.values()))
    return count > 1 and count * _LEAST_ITEMS <= len(levels)
