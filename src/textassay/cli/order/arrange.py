"""`textassay order arrange`: texts put in order by one or several methods."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Annotated, Literal

import numpy as np
from cyclopts import Parameter

from textassay.analysis.orders.materials import arrangement_analysis
from textassay.cli.options import Format, Whole
from textassay.cli.order.tables import TEXT_COLUMNS, checked_names, read_text_units, unit_rows
from textassay.cli.output import show_analyses
from textassay.errors import DataError, TableError, UsageError
from textassay.ordering import ArrangedText, ArrangeSettings
from textassay.ordering import arrange as arranged
from textassay.ordering.arranging.arrange import Method
from textassay.ordering.arranging.entity_grid import ROLES, EntityGrid, Mention, entity_grid
from textassay.ordering.permutations import Floats
from textassay.tables.reader import read_table
from textassay.tables.schema import ITEM, Column, Kind, TableSchema
from textassay.tables.writer import write_table

_COLUMNS = ("item", "by", "role", "order", "cost", "lower_bound", "exact")


def arrange(  # noqa: PLR0913 -- a flag each
    texts: Path,
    *,
    method: Annotated[list[Method], Parameter(consume_multiple=True, negative="")] = ["path"],  # noqa: B006 -- only read
    similarity: Literal["words", "characters"] = "words",
    similarities: Path | None = None,
    first: Literal["keep", "free"] = "keep",
    time: str | None = None,
    entities: Path | None = None,
    train: Path | None = None,
    seed: Whole = 0,
    time_limit: float = 10.0,
    language: str = "en",
    system: str | None = None,
    to: Path | None = None,
    texts_to: Path | None = None,
    names: Annotated[list[str] | None, Parameter(consume_multiple=True, negative="")] = None,
    format: Format = "text",  # noqa: A002 -- the flag's name
) -> None:
    """Put the units of each text in order.

    Args:
        texts: A table `item, text` of whole texts, split into sentences; or with a column `unit`, one row per unit.
        method: The shortest path by similarity, a baseline, or the path that a model of entities finds most likely.
        similarity: What `path` compares: words or runs of characters, both weighted by tf-idf.
        similarities: For `path`: a table `item, unit, other, value` instead.
        first: Whether `path`, `random` and `grid` leave the first unit in its place.
        time: For `chronological`: the column of `texts` with a number or a date (2007-04-22) for each unit.
        entities: For `grid`: a table `item, unit, entity, role`; role S, O or X, X if empty.
        train: For `grid`: such a table of texts to learn from, units in their order; else each text's others.
        seed: Of `random` and of the search for long paths.
        time_limit: Seconds for the path of each text of more than 20 units: search, bound and proof.
        language: Of the texts, for sentences.
        system: Whose texts, where the table has several systems.
        to: Write a table of orders (.csv, .tsv, .jsonl) that `order eval` reads, each method as a system.
        texts_to: Write a table of texts for a study: a row per unit, each method as a system, and tau.
        names: A name for each method in these tables, in their order; the method's own if not given.
        format: How the result is printed.
    """
    if "chronological" in method and time is None:
        raise UsageError("the method chronological needs times; name their column with --time")
    if "grid" in method and entities is None:
        raise UsageError("the method grid needs entities; give a table of them with --entities")
    units = read_text_units(texts, language, system)
    settings = ArrangeSettings(
        similarity=similarity if similarities is None else read_similarities(similarities, units),
        first=first,
        times={} if time is None else read_times(texts, time, system),
        mentions={} if entities is None else read_mentions(entities),
        train=None if train is None else read_grids(train),
        seed=seed,
        time_limit=time_limit,
        clock=monotonic,
    )
    methods = list(dict.fromkeys(method))
    systems = dict(zip(methods, checked_names(names, methods, "methods"), strict=True))
    made = arranged(units, methods, settings)
    if to is not None:
        write_table(to, _COLUMNS, [_row(each, systems[each.by]) for each in made.arranged])
    if texts_to is not None:
        rows = [unit_rows(each.item, systems[each.by], each.order, units[each.item]) for each in made.arranged]
        write_table(texts_to, TEXT_COLUMNS, chain.from_iterable(rows))
    show_analyses([arrangement_analysis(made)], format)


def _row(each: ArrangedText, system: str) -> Mapping[str, object]:
    row: dict[str, object] = {
        "item": each.item,
        "by": system,
        "role": "system",
        "order": " ".join(map(str, each.order)),
    }
    if each.path is not None:
        row |= {"cost": each.path.cost, "lower_bound": each.path.lower_bound, "exact": each.path.exact}
    return row


_UNIT = Column("unit", "text", "id of the unit", required=True)
_SIMILARITIES = TableSchema(
    "similarities",
    "how similar two units of an item are; the same both ways unless both are given",
    (
        ITEM,
        _UNIT,
        Column("other", "text", "id of the other unit; may be the same", required=True),
        Column("value", "number", "the similarity", required=True),
    ),
    key=("item", "unit", "other"),
)
_ENTITIES = TableSchema(
    "entities",
    "entities that units mention: one row per mention",
    (
        ITEM,
        _UNIT,
        Column("entity", "text", "the entity, for example the head noun", required=True),
        Column("role", "text", "S subject, O object, X another part; X if empty"),
    ),
)


def read_similarities(path: Path, texts: Mapping[str, Mapping[str, str]]) -> dict[str, Floats]:
    """Item → matrix in the order of its units; 1 on the diagonal where nothing else is given.

    Raises:
        TableError: units that there are not.
        DataError: a pair without a similarity.
    """
    table = read_table(path, _SIMILARITIES)
    place = {item: {unit: number for number, unit in enumerate(units)} for item, units in texts.items()}
    found = {item: np.full((len(units), len(units)), np.nan) for item, units in texts.items()}
    problems = []
    for row in table:
        places = place.get(row["item"], {})
        unknown = [column for column in ("unit", "other") if row[column] not in places]
        problems += [table.problem(row, name, f"item {row['item']} has no unit {row[name]!r}") for name in unknown]
        if not unknown:
            found[row["item"]][places[row["unit"]], places[row["other"]]] = row["value"]
    if problems:
        raise TableError(problems)
    return {item: _completed(item, matrix, list(texts[item])) for item, matrix in found.items()}


def _completed(item: str, matrix: Floats, units: list[str]) -> Floats:
    whole = np.where(np.isnan(matrix), matrix.T, matrix)
    own = whole.diagonal()
    whole[np.diag_indices(len(whole))] = np.where(np.isnan(own), 1.0, own)
    if np.isnan(whole).any():
        one, other = np.argwhere(np.isnan(whole))[0]
        raise DataError(f"item {item} has no similarity of the units {units[one]} and {units[other]}; give each pair's")
    return whole


def read_times(path: Path, column: str, system: str | None) -> dict[str, list[float]]:
    """Item → the time of each unit, in the order of the rows: the numbers of a column, or its dates as numbers.

    Raises:
        TableError: no such column, or a row whose time is neither a number nor a date.
    """
    try:
        table = read_table(path, _timed(column, "number"))
    except TableError:
        table = read_table(path, _timed(column, "time"))
    found: dict[str, list[float]] = {}
    for row in table:
        if system is None or row.get("system") == system:
            time = row[column]
            found.setdefault(row["item"], []).append(time.timestamp() if isinstance(time, datetime) else time)
    return found


def _timed(column: str, kind: Kind) -> TableSchema:
    times = Column(column, kind, "a number or a date such as 2007-04-22, for each unit", required=True)
    return TableSchema("texts", "units with times", (ITEM, _UNIT, times))


def read_mentions(path: Path) -> dict[str, list[Mention]]:
    """Item → mentions.

    Raises:
        TableError: a role that there is not.
    """
    table = read_table(path, _ENTITIES)
    known = {"": "X", **{role: role for role in ROLES[:3]}}
    roles = [(row, str(row.get("role") or "").upper()) for row in table]
    problems = [
        table.problem(row, "role", f"{row['role']!r} is not a role; use S, O or X")
        for row, role in roles
        if role not in known
    ]
    if problems:
        raise TableError(problems)
    found: dict[str, list[Mention]] = {}
    for row, role in roles:
        found.setdefault(row["item"], []).append(Mention(row["unit"], row["entity"], known[role]))
    return found


def read_grids(path: Path) -> list[EntityGrid]:
    """Grids of the texts in a table of entities; units in the order of their first row."""
    return [
        entity_grid(list(dict.fromkeys(mention.unit for mention in mentions)), mentions)
        for mentions in read_mentions(path).values()
    ]
