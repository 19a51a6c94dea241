"""The base of every result: records, settings, signature, warnings, notebook view.

A method returns a frozen dataclass derived from `Result`. It knows the settings that were used and can turn itself
into records with stable keys. Results hold plain values only, no data frame and no file, so that reports, exports and
notebooks can show any of them without knowing which one it is.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import textassay
from textassay.headline import Headline
from textassay.marked_text import MarkedText

if TYPE_CHECKING:
    import pandas as pd

Record = dict[str, Any]

Place = Literal["results", "agreement", "participants", "metrics", "details", "published"]
"""Where a report shows an analysis; `published` is for what is kept only to be set beside published work."""

RECORD_KEYS = ("statistic", "of", "by", "value", "df", "p", "ci", "n", "method", "signature")
"""Keys that every record has, in this order; a method's own keys follow."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a method found, with all that is needed to get it again."""

    method: str
    """The method in the words of the literature, for example `one-way ANOVA`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What was asked for and what was used: variant, grouping, n, exact or asymptotic."""
    warnings: tuple[str, ...] = ()
    """What a reader must know before trusting the figures; the reason for each undefined value."""

    @property
    def signature(self) -> str:
        """Method, settings and version in one line, for a paper's footnote."""
        parts = [
            self.method,
            *(f"{key}:{value}" for key, value in self.settings.items()),
            f"version:{textassay.__version__}",
        ]
        return "|".join(parts)

    def records(self) -> list[Record]:
        """The figures, one record each, made with `record`."""
        raise NotImplementedError

    def record(self, statistic: str, value: float, *, of: str = "", by: str = "", **more: Any) -> Record:
        """One record with the stable keys first and this method's own keys after them."""
        stable: Record = dict.fromkeys(RECORD_KEYS)
        stable.update(statistic=statistic, of=of, by=by, value=value, method=self.method, signature=self.signature)
        return {**stable, **more}

    def table(self, name: str = "", title: str = "") -> Table:
        """The records as a table: the columns that have something to say."""
        return table_of_records(self.records(), name=name or type(self).__name__.lower(), title=title or self.method)

    def frame_rows(self) -> Sequence[Record]:
        """The rows of `to_frame`: the records, unless the result has a table of its own that users expect."""
        return self.records()

    def to_frame(self) -> pd.DataFrame:
        """The result as a data frame; see `frame_of_records`."""
        return frame_of_records(self.frame_rows())

    def to_json(self) -> str:
        """The records as JSON; undefined values are null with their reason in `warnings`."""
        return json.dumps({"records": plain(self.records()), "warnings": list(self.warnings)}, ensure_ascii=False)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_() + _warnings_html(self.warnings)


@dataclass(frozen=True)
class Table:
    """A table ready to be shown or written: the only form in which reports see tables."""

    name: str
    """Name of its files: lower case, words joined by hyphens."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    """A sentence that belongs under the table."""
    subject: str = ""
    """Which of the analysis's subjects (see `Headline`) it is about, where it is about one."""
    detail: bool = False
    """Whether a reader may pass over it at first: reports show it folded."""

    def about(self, subject: str) -> Table | None:
        """What it says about one subject: itself, or the rows whose first cell is the subject, without that cell.

        >>> table = Table("means", "Means", ("Criterion", "n"), (("clarity", 3), ("fluency", 4)))
        >>> table.about("fluency").rows, table.about("length")
        (((4,),), None)
        """
        if self.subject:
            return self if self.subject == subject else None
        rows = tuple(row[1:] for row in self.rows if row[:1] == (subject,))
        name = f"{self.name}-{subject}"
        return replace(self, name=name, columns=self.columns[1:], rows=rows, subject=subject) if rows else None

    def __post_init__(self) -> None:
        """Refuse rows that do not fit the columns where the table is made, not where it is shown."""
        wrong = next((row for row in self.rows if len(row) != len(self.columns)), None)
        if wrong is not None:
            columns = len(self.columns)
            raise ValueError(f"table {self.name!r} has {columns} columns, but a row of {len(wrong)}: {wrong!r}")

    def records(self) -> list[Record]:
        """One mapping per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def to_frame(self) -> pd.DataFrame:
        """The table as a data frame, with the same columns."""
        import pandas as pd  # noqa: PLC0415 -- pandas only for those who want frames

        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(
            "<tr>"
            + "".join(f"<td>{html.escape(shown(*cell))}</td>" for cell in zip(row, self.columns, strict=True))
            + "</tr>"
            for row in self.rows
        )
        return f"<table><caption>{html.escape(self.title)}</caption><tr>{head}</tr>{body}</table>"


@dataclass(frozen=True)
class Figure:
    """What a figure shows, as plain data; `report/figures/` has a drawing for each `kind`."""

    name: str
    """Name of its files: lower case, words joined by hyphens."""
    title: str
    kind: str
    """Which drawing: `means`, `distribution`, `diagnostics`, `scatter` …"""
    data: Mapping[str, Any]
    note: str = ""
    subject: str = ""
    """Which of the analysis's subjects (see `Headline`) it shows, where it shows one."""
    detail: bool = False
    """Whether a reader may pass over it at first: reports show it folded."""

    def _repr_html_(self) -> str:
        from textassay.report.figures.render import element_of  # noqa: PLC0415 -- only those who look pay for matplotlib

        caption = " ".join(filter(None, (self.title, self.note)))
        return f"<figure>{element_of(self)}<figcaption>{html.escape(caption)}</figcaption></figure>"


@dataclass(frozen=True)
class Analysis:
    """What one recipe found: results for programs, tables and figures for people."""

    name: str
    """Name of its part in reports and files: lower case, words joined by hyphens."""
    title: str
    results: tuple[Result, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    warnings: tuple[str, ...] = ()
    headlines: tuple[Headline, ...] = ()
    """What a reader takes home, one per criterion or measure."""
    cautions: tuple[str, ...] = ()
    """Those warnings that change what a reader may conclude, which reports show in yellow and not folded."""
    subjects: Mapping[str, str] = field(default_factory=dict)
    """Measures, as headlines and tables name them → headings of their sections; a measure needs no headline for one."""
    place: Place = "results"
    texts: tuple[MarkedText, ...] = ()
    """Texts with what is marked in them."""

    def records(self) -> list[Record]:
        """The records of all results."""
        return [record for result in self.results for record in result.records()]

    def to_frame(self) -> pd.DataFrame:
        """The records of all results as a data frame; see `frame_of_records`."""
        return frame_of_records(self.records())

    def _repr_html_(self) -> str:
        tables = "".join(table._repr_html_() for table in self.tables)
        figures = "".join(figure._repr_html_() for figure in self.figures)
        return (
            f"<h3>{html.escape(self.title)}</h3>" + _warnings_html([*self.cautions, *self.warnings]) + tables + figures
        )

    def within(self, block: str) -> Analysis:
        """The same as one of several blocks has it: the block's name comes before its own and those of its parts.

        >>> Analysis("means", "Means", tables=(Table("clarity", "Clarity", (), ()),)).within("First").tables[0].name
        'first-clarity'
        """
        prefix = f"{block.lower()}-"
        return replace(
            self,
            name=prefix + self.name,
            title=f"{block}: {self.title}",
            tables=tuple(replace(table, name=prefix + table.name) for table in self.tables),
            figures=tuple(replace(figure, name=prefix + figure.name) for figure in self.figures),
        )


def table_of_records(records: Sequence[Record], *, name: str, title: str, note: str = "") -> Table:
    """A table with the columns in which at least one record has something to say.

    >>> table_of_records([{"a": 1, "b": None}, {"a": 2, "b": ""}], name="t", title="T").columns
    ('a',)
    """
    keys = dict.fromkeys(key for record in records for key in record)
    columns = tuple(key for key in keys if any(record.get(key) not in (None, "") for record in records))
    rows = tuple(tuple(record.get(column) for column in columns) for record in records)
    return Table(name, title, columns, rows, note)


def frame_of_records(records: Sequence[Record]) -> pd.DataFrame:
    """A data frame with one row per record and the columns in which at least one record has something to say.

    An interval becomes two columns of numbers:

    >>> frame_of_records([{"statistic": "mean", "value": 2.5, "p": None, "ci": (2.0, 3.0)}]).columns.tolist()
    ['statistic', 'value', 'ci_low', 'ci_high']
    """
    table = table_of_records([_flat(record) for record in records], name="records", title="Records")
    return table.to_frame()


def _flat(record: Record) -> Record:
    """The record with its interval as two numbers."""
    flat: Record = {}
    for key, value in record.items():
        if key == "ci":
            flat["ci_low"], flat["ci_high"] = (None, None) if value is None else value
        else:
            flat[key] = value
    return flat


def _warnings_html(warnings: Iterable[str]) -> str:
    return "".join(f"<p>⚠ {html.escape(warning)}</p>" for warning in warnings)


RESIDUE = 1e-12
"""What floating-point arithmetic leaves of a difference of equal numbers is smaller than this; it is shown as 0."""
_NEVER_RESIDUE = re.compile(r"(^|[\W_])p([\W_]|$)|^share$", re.IGNORECASE)
"""Headings of numbers that are no differences, and may be as small as they are."""


def shown(value: Any, column: str = "") -> str:
    """A cell as a reader wants it: four significant digits, nothing for nothing; 0 for a residue (no p or share).

    >>> [shown(x) for x in (None, 3, 0.123456, 12345.678, 1e-9, float("nan"), (1.5, 2.25))]
    ['', '3', '0.1235', '12345.7', '1e-09', 'undefined', '1.5 to 2.25']
    >>> shown(4e-16), shown((-4e-16, 1.0)), shown(4e-16, "p (Holm)"), shown(4e-16, "Share")
    ('0', '0 to 1', '4e-16', '4e-16')
    """
    value = value.item() if hasattr(value, "item") else value  # a NumPy scalar is what it holds
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "0" if abs(value) < RESIDUE and not _NEVER_RESIDUE.search(column) else _number(value)
    if isinstance(value, (tuple, list)):
        return " to ".join(shown(part, column) for part in value)
    return str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def plain(value: Any) -> Any:
    """The value with what JSON has no word for (nan, infinity, tuples, NumPy scalars) turned into what it has."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
