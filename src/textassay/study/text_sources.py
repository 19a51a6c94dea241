"""Texts, items and references from one file in a layout of its own, as `tables.texts` describes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from textassay.errors import Problem, TableError
from textassay.known_names import did_you_mean
from textassay.study.study_tables import TextSource
from textassay.study.text_cells import as_text, column_value, conversation, texts_by_system
from textassay.tables.raw_table import RawRow, RawTable, is_blank
from textassay.tables.reader import Row, Rows, first_problems, two_headers
from textassay.tables.schema import ITEMS, REFERENCES, TEXTS, TableSchema

CONVERSATION = "context"
"""The item's column with what was said before the text, where the file has conversations."""


class SourceTables(NamedTuple):
    """The tables of a study that one file holds."""

    texts: Rows
    items: Rows | None
    """Nothing where items have no properties."""
    references: Rows | None
    """Nothing where no column holds references."""


class _Entry(NamedTuple):
    """One text: what it is of, and where it was."""

    item: str
    system: str
    text: str
    row: RawRow
    context: str | None = None
    """What was said before, in a conversation."""


def read_source(table: RawTable, source: TextSource, name: str) -> SourceTables:
    """Read texts, items and references from a table in the layout that `source` describes.

    Args:
        table: The file as it is.
        source: Which of its columns are what.
        name: What to call the file in messages.

    Raises:
        TableError: with every problem found.
    """
    reader = _SourceReader(table, source, name)
    found = reader.read()
    if reader.problems:
        raise TableError(first_problems(reader.problems))
    return found


@dataclass
class _SourceReader:
    table: RawTable
    source: TextSource
    name: str

    def __post_init__(self) -> None:
        self.problems: list[Problem] = []
        self.rows = self.table.filled_rows

    def read(self) -> SourceTables:
        self.problems.extend(self.header_problems())
        self.problems.extend(
            Problem(self.name, *self.table.place(row, column), column, message)
            for row in self.rows
            for column, message in row.problems
        )
        if not (self.problems or self.rows):
            self.problems.append(Problem(self.name, self.table.line, 0, "", "the table has no rows; add at least one"))
        if self.problems:
            raise TableError(first_problems(self.problems))
        long = self.source.system is not None
        entries = list(self.long_entries() if long else self.row_entries())
        if not entries and not self.problems:
            self.problem(self.rows[0], "", "no text in any row; name the columns in which the texts are")
        self.problems.extend(self.repeated(entries))
        items, further = self.items(entries)
        texts = [
            Row({"item": each.item, "system": each.system, "text": each.text, **self.kept(each.row, further)}, line)
            for each in entries
            for line in [each.row.line]
        ]
        return SourceTables(
            self.table_of(TEXTS, texts, "item", "system", "text", *further), items, self.references(entries)
        )

    def problem(self, row: RawRow, column: str, message: str) -> None:
        self.problems.append(Problem(self.name, *self.table.place(row, column), column, message))

    def table_of(self, schema: TableSchema, rows: Sequence[Row], *columns: str) -> Rows:
        return Rows(schema, columns, tuple(rows), self.name)

    # --- the header ---

    def header_problems(self) -> Iterator[Problem]:
        header = self.table.header
        if self.table.one_header:
            yield Problem(self.name, self.table.line, 0, "", two_headers(self.table))
            return
        doubled = [column for column, count in Counter(header).items() if count > 1 and column.strip()]
        for column in doubled:
            message = f"duplicate column {column!r}; rename or remove one"
            yield Problem(self.name, self.table.line, 0, column, message)
        source = self.source
        named = {key: getattr(source, key) for key in ("item", "system", "text", "outputs", "messages", "context")}
        wanted = [(key, column) for key, column in named.items() if column is not None]
        wanted += [("systems", column) for column in source.systems if source.outputs is None]
        wanted += [("reference", column) for column in source.reference]
        for key, column in wanted:
            if not self.has(column):
                hint = did_you_mean(column, header) or f"; columns seen: {', '.join(filter(None, header))}"
                message = f"column {column!r}, which {key!r} names, is missing{hint}"
                yield Problem(self.name, self.table.line, 0, column, message)

    def has(self, column: str) -> bool:
        if column in self.table.header:
            return True
        top = column.partition(".")[0]
        return top in self.table.header and any(column_value(row.values, column) is not None for row in self.rows)

    # --- the texts ---

    def row_entries(self) -> Iterator[_Entry]:
        """Texts of a table with all texts of an item in one row."""
        for number, row in enumerate(self.rows, 1):
            item = str(number) if self.source.item is None else self.cell(row, self.source.item)
            if item is None:
                self.problem(row, self.source.item or "", f"column {self.source.item!r} is empty; fill it in")
                continue
            for system, value in self.outputs(row).items():
                text = self.text(row, system, value)
                if text is not None:
                    yield _Entry(item, system, text, row)

    def outputs(self, row: RawRow) -> Mapping[str, Any]:
        source = self.source
        if source.outputs is None:
            return {system: column_value(row.values, system) for system in source.systems}
        value = column_value(row.values, source.outputs)
        found = texts_by_system(value)
        if found is None:
            if not is_blank(value):
                remedy = 'write {"system": "text", …} or [{"system": …, "text": …}, …]'
                self.problem(row, source.outputs, f"{str(value)[:40]!r} is no list of texts by system; {remedy}")
            return {}
        return {system: text for system, text in found.items() if not source.systems or system in source.systems}

    def long_entries(self) -> Iterator[_Entry]:
        """Texts of a table with one row per text."""
        source, numbers, seen = self.source, _Numbers(), Counter[tuple[str, str]]()
        for row in self.rows:
            system = self.cell(row, source.system or "")
            if system is None:
                self.problem(row, source.system or "", f"column {source.system!r} is empty; fill it in")
                continue
            text, before = self.spoken(row) if source.messages else (self.cell(row, source.text or ""), None)
            context = self.cell(row, source.context) if source.context else before
            if source.item is not None:
                item = self.cell(row, source.item)
            else:  # the n-th row of a system with this context belongs with the n-th of the others
                seen[system, context or ""] += 1
                item = numbers[context or "", seen[system, context or ""]]
            if item is None:
                self.problem(row, source.item or "", f"column {source.item!r} is empty; fill it in")
            elif text is not None:
                yield _Entry(item, system, text, row, before)

    def spoken(self, row: RawRow) -> tuple[str | None, str | None]:
        value = column_value(row.values, self.source.messages or "")
        found = conversation(value)
        if found is None:
            if not is_blank(value):
                remedy = 'write [{"role": "user", "content": …}, {"role": "assistant", "content": …}]'
                self.problem(row, self.source.messages or "", f"{str(value)[:40]!r} is no conversation; {remedy}")
            return None, None
        return found.text, found.before

    def cell(self, row: RawRow, column: str) -> str | None:
        return self.text(row, column, column_value(row.values, column))

    def text(self, row: RawRow, column: str, value: Any) -> str | None:
        try:
            return as_text(value)
        except ValueError as error:
            self.problem(row, column, f"{error}; write it as a string")
            return None

    def repeated(self, entries: Sequence[_Entry]) -> Iterator[Problem]:
        first: dict[tuple[str, str], int] = {}
        told: set[int] = set()
        for each in entries:
            line = first.setdefault((each.item, each.system), each.row.line)
            if line != each.row.line and each.row.line not in told:
                told.add(each.row.line)
                of = "" if self.source.system is None else f", system {each.system!r}"
                message = f"item {each.item!r}{of} is already in line {line}; {self.remedy()}"
                yield Problem(self.name, *self.table.place(each.row, self.source.item or ""), "", message)

    def remedy(self) -> str:
        number = f"name another column, or leave 'item: {self.source.item}' out to number the items"
        return f"keep one of the two rows, {number}" if self.source.item else "keep one of the two rows"

    # --- items and references ---

    def items(self, entries: Sequence[_Entry]) -> tuple[Rows | None, list[str]]:
        """The items table, and the columns that differ between the texts of an item."""
        source = self.source
        taken = {source.item, source.system, source.text, source.outputs, source.messages, *source.reference}
        taken |= {"item", "system", "text", "unit", ""} | ({*source.systems} if source.outputs is None else set())
        inside = [source.context] if source.context and source.context not in self.table.header else []
        columns = [column for column in (*self.table.header, *inside) if column not in taken]
        columns = [column for column in columns if not any(_is_nested(row.values.get(column)) for row in self.rows)]
        first = {each.item: each for each in reversed(entries)}
        further = [column for column in columns if source.system is not None and self.differs(column, entries, first)]
        own = [column for column in columns if column not in further]
        if source.messages and source.context is None:
            own = [*(column for column in own if column != CONVERSATION), CONVERSATION]
        if source.context in further:
            self.differing_context(entries, first)
        if not own:
            return None, further
        rows = []
        for item in dict.fromkeys(each.item for each in entries):
            each = first[item]
            values = {column: column_value(each.row.values, column) for column in own}
            if source.messages and source.context is None:
                values[CONVERSATION] = each.context
            rows.append(Row({"item": item, **values}, each.row.line))
        return self.table_of(ITEMS, rows, "item", *own), further

    def differs(self, column: str, entries: Sequence[_Entry], first: Mapping[str, _Entry]) -> _Entry | None:
        """The first text of an item whose row says something else in this column than the item's first row."""
        return next(
            (
                each
                for each in entries
                if column_value(each.row.values, column) != column_value(first[each.item].row.values, column)
            ),
            None,
        )

    def differing_context(self, entries: Sequence[_Entry], first: Mapping[str, _Entry]) -> None:
        column = str(self.source.context)
        each = self.differs(column, entries, first)
        if each is not None:
            there = first[each.item].row.line
            message = f"item {each.item!r} has another {column!r} here than in line {there}; make them the same"
            self.problem(each.row, column, f"{message}, or give the two texts different items")

    def kept(self, row: RawRow, columns: Sequence[str]) -> dict[str, Any]:
        return {column: column_value(row.values, column) for column in columns}

    def references(self, entries: Sequence[_Entry]) -> Rows | None:
        if not self.source.reference:
            return None
        found: dict[tuple[str, str], Row] = {}
        for each in entries:
            for column in self.source.reference:
                value = column_value(each.row.values, column)
                for part in value if isinstance(value, list | tuple) else [value]:
                    text = self.text(each.row, column, part)
                    if text is not None:
                        found.setdefault((each.item, text), Row({"item": each.item, "text": text}, each.row.line))
        return self.table_of(REFERENCES, list(found.values()), "item", "text")


class _Numbers(dict[Any, str]):
    """A number, from 1, for each key in the order in which they are asked for."""

    def __missing__(self, key: Any) -> str:
        self[key] = str(len(self) + 1)
        return self[key]


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def joined_items(own: Rows, found: Rows, problems: list[Problem]) -> Rows:
    """The study's items table with the properties that the file of texts adds; what contradicts is a problem."""
    of_file = {row["item"]: row for row in found}
    rows = []
    for row in own:
        other = of_file.get(row["item"])
        values = dict(other.values) if other else {}
        for column in (column for column in own.columns if column in values and column != "item"):
            if str(values[column] or "") != str(row[column] or ""):
                message = f"item {row['item']!r} has another value here than in {found.file}; remove one of the columns"
                problems.append(own.problem(row, column, message))
        rows.append(Row({**values, **row.values}, row.line))
    return Rows(own.schema, tuple(dict.fromkeys([*own.columns, *found.columns])), tuple(rows), own.file)
