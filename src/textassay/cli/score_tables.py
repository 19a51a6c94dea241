"""The tables that `score` shows: systems by metrics, texts by metrics, and tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from textassay.cli.score_tests import Uncertainty
from textassay.metrics import ScoreTable
from textassay.metrics.table import each_number
from textassay.report.latex import CellFormat
from textassay.results import Record, Table, table_of_records

if TYPE_CHECKING:
    from textassay.metrics.significance import Comparison, PairedTest

MARKS = ("*", "†")
"""For the first and the second test that finds a difference from the baseline."""
_LARGE = 10
"""Scores from this on have two decimals."""
_DIGITS = 4
"""Decimals of smaller ones, and of p."""
_LATEX_MARKS = {"*": "$^{*}$", "†": r"$^{\dagger}$"}


def system_scores_table(scored: ScoreTable, sure: Uncertainty) -> Table:
    """One row per system, one column per metric, each followed by its interval where there is one."""
    found = {(each.metric, each.system): each.ci for each in sure.intervals.intervals} if sure.intervals else {}
    columns = ["system"]
    for name in scored.scores:
        columns += [name, f"{name} interval"] if found else [name]
    rows = []
    for system in scored.items:
        row: list[Any] = [system]
        for name, scores in scored.scores.items():
            value = scores[system].corpus if system in scores else math.nan
            row += [value, found.get((name, system))] if found else [value]
        rows.append(tuple(row))
    return Table("scores", "Scores", tuple(columns), tuple(rows), "\n".join(signatures(scored, sure)))


def segments_table(scored: ScoreTable) -> Table:
    """One row per text, one column per metric."""
    rows = tuple(tuple(record.values()) for record in segment_records(scored))
    note = "\n".join(signatures(scored, Uncertainty()))
    return Table("segments", "Scores of texts", segment_columns(scored), rows, note)


def documents_table(scored: ScoreTable, note: str = "") -> Table:
    """One row per document of a system, one column per metric."""
    rows = tuple(tuple(record.values()) for record in document_records(scored))
    return Table("documents", "Scores of documents", document_columns(scored), rows, note)


def document_columns(scored: ScoreTable) -> tuple[str, ...]:
    """The columns of the table of documents."""
    return ("document", "system", "texts", *scored.scores)


def document_records(scored: ScoreTable) -> Iterator[Record]:
    """The rows of the table of documents; undefined where a metric scored no text of a document."""
    for system in scored.items:
        its = {name: scores[system].documents for name, scores in scored.scores.items() if system in scores}
        values = {(name, document): value for name, of in its.items() if of for document, value, _ in of.each()}
        sizes: dict[str, int] = {}
        for of in its.values():
            for document, _, n in of.each() if of else ():
                sizes[document] = max(n, sizes.get(document, 0))
        for document, n in sizes.items():
            scores_of_it = {name: values.get((name, document), math.nan) for name in scored.scores}
            yield {"document": document, "system": system, "texts": n, **scores_of_it}


def segment_columns(scored: ScoreTable) -> tuple[str, ...]:
    """The columns of the table of texts."""
    return ("item", *(["document"] if scored.documents else []), "system", *scored.scores)


def segment_records(scored: ScoreTable) -> Iterator[Record]:
    """The rows of the table of texts, made one after the other, for there may be millions."""
    columns = segment_columns(scored)
    for system, items in scored.items.items():
        values = (_of_items(scored, name, system, items) for name in scored.scores)
        documents = [scored.documents[system].each_name()] if scored.documents else []
        for item, *row in zip(items, *documents, repeat(system, len(items)), *values, strict=True):
            yield dict(zip(columns, (item, *row), strict=True))


def _of_items(scored: ScoreTable, name: str, system: str, items: Sequence[str]) -> Iterable[float]:
    """A metric's values for these items; undefined for those that it did not score."""
    its = scored.items_of(name, system)
    segments = each_number(scored.scores[name][system].segments) if system in scored.scores[name] else ()
    if its is items or its == items:
        return segments
    known = dict(zip(its, segments, strict=True))
    return (known.get(item, math.nan) for item in items)


def comparison_tables(sure: Uncertainty) -> list[Table]:
    """One table per test, one row per comparison."""
    return [
        Table(
            test.method.replace(" ", "-"), test.method[0].upper() + test.method[1:], *_comparisons(test), test.signature
        )
        for test in sure.tests
    ]


def _comparisons(test: PairedTest) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    columns = ("metric", "system", "baseline", "difference", "interval", "p", "p_raw", "won", "n")
    rows = [
        (one.metric, one.system, one.baseline, one.difference, one.ci, one.p, one.p_raw, one.won, one.n)
        for one in test.comparisons
    ]
    kept = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    return tuple(columns[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows)


def flat_table(scored: ScoreTable, sure: Uncertainty) -> Table:
    """All of it as one table for programs: one row per comparison if there are tests, else one per system."""
    table = system_scores_table(scored, sure)
    if not sure.tests:
        return table_of_records([flat_intervals(record) for record in table.records()], name=table.name, title="")
    found = {(each.metric, each.system): each.ci for each in sure.intervals.intervals} if sure.intervals else {}
    rows: list[Record] = []
    for test in sure.tests:
        for one in test.comparisons:
            rows.append({"test": test.method, "metric": one.metric})
            for role, system in (("system", one.system), ("baseline", one.baseline)):
                its = {f"{role} score": scored.scores[one.metric][system].corpus}
                interval = {f"{role} interval": found[one.metric, system]} if found else {}
                rows[-1] |= {role: system, **its, **interval}
            rows[-1] |= {"difference": one.difference, "difference interval": one.ci, "p": one.p, "p_raw": one.p_raw}
            rows[-1] |= {"won": one.won, "n": one.n, "signature": f"{one.signature}; {test.signature}"}
    return table_of_records([flat_intervals(row) for row in rows], name="comparisons", title="")


def flat_intervals(record: Record) -> Record:
    """A row with each interval in two columns.

    >>> flat_intervals({"a": 1.0, "a interval": (0.5, 2.0)})
    {'a': 1.0, 'a interval low': 0.5, 'a interval high': 2.0}
    """
    flat: Record = {}
    for key, value in record.items():
        if isinstance(value, tuple):
            flat |= {f"{key} low": value[0], f"{key} high": value[1]}
        else:
            flat[key] = value
    return flat


def signatures(scored: ScoreTable, sure: Uncertainty) -> list[str]:
    """Those of scores and intervals, each once; with the name that was typed where a signature does not begin so."""
    found: dict[str, None] = {}
    for name, systems in scored.scores.items():
        for score in systems.values():
            found[score.signature if name == score.method else f"{name}: {score.signature}"] = None
    return [*found, *([sure.intervals.signature] if sure.intervals else [])]


def decimals(scored: ScoreTable, width: int | None, small: int = _DIGITS) -> dict[str, int]:
    """For each metric the decimals of its scores: `width`, or two where any is 10 or more, else `small`."""
    if width is not None:
        return dict.fromkeys(scored.scores, width)
    values = {name: [abs(score.corpus) for score in scores.values()] for name, scores in scored.scores.items()}
    return {name: 2 if any(value >= _LARGE for value in its) else small for name, its in values.items()}


def segment_decimals(scored: ScoreTable, width: int | None) -> dict[str, int]:
    """The same for the scores of texts."""
    if width is not None:
        return dict.fromkeys(scored.scores, width)
    large = {name: [(abs(its.segments) >= _LARGE).any() for its in of.values()] for name, of in scored.scores.items()}
    return {name: 2 if any(found) else _DIGITS for name, found in large.items()}


def document_decimals(scored: ScoreTable, width: int | None) -> dict[str, int]:
    """The same for the scores of documents."""
    if width is not None:
        return dict.fromkeys(scored.scores, width)
    digits = decimals(scored, None)
    for name, scores in scored.scores.items():
        if any((abs(each.documents.values) >= _LARGE).any() for each in scores.values() if each.documents):
            digits[name] = 2
    return digits


def text_cell(digits: Mapping[str, int]) -> CellFormat:
    """Cells of a table of systems or of texts: digit below digit in each column."""

    def fixed(row: int, column: str, value: Any) -> str | None:
        del row
        return fixed_digits(value, digits.get(column.removesuffix(" interval")))

    return fixed


def comparison_cell(test: PairedTest, digits: Mapping[str, int]) -> CellFormat:
    """Cells of a table of comparisons: differences with the decimals of their metric, p with enough for all."""
    smallest = min((one.p_raw for one in test.comparisons if one.p_raw > 0), default=1.0)
    of_p = max(_DIGITS, 1 - math.floor(math.log10(smallest)))

    def fixed(row: int, column: str, value: Any) -> str | None:
        of_metric = digits[test.comparisons[row].metric]
        wanted = {"difference": of_metric, "interval": of_metric, "p": of_p, "p_raw": of_p}
        return fixed_digits(value, wanted.get(column))

    return fixed


def fixed_digits(value: Any, digits: int | None) -> str | None:
    """A number or an interval with that many decimals; None for what is neither, or undefined.

    >>> fixed_digits(50.0, 2), fixed_digits((0.5, 1.0), 3), fixed_digits("a", 2), fixed_digits(math.nan, 2)
    ('50.00', '0.500 to 1.000', None, None)
    """
    if digits is None or value is None:
        return None
    parts = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(part, float) and math.isfinite(part) for part in parts):
        return None
    return " to ".join(f"{part:.{digits}f}" for part in parts)


def format_cell(scored: ScoreTable, sure: Uncertainty, level: float, width: int | None = None) -> CellFormat:
    """Cells for LaTeX: the best of each metric in bold, marks where a system differs from the baseline."""
    digits = decimals(scored, width, small=3)
    systems = list(scored.items)
    shown = {
        (name, system): f"{score.corpus:.{digits[name]}f}"
        for name, scores in scored.scores.items()
        for system, score in scores.items()
        if not math.isnan(score.corpus)
    }
    best = {name: _best(scored, name, shown) if len(systems) > 1 else set() for name in scored.scores}
    marks = _marks(sure, level)

    def dressed(row: int, column: str, value: Any) -> str | None:
        name = column.removesuffix(" interval")
        if isinstance(value, tuple) and name in digits and not any(map(math.isnan, value)):
            return f"{value[0]:.{digits[name]}f}--{value[1]:.{digits[name]}f}"
        text = shown.get((column, systems[row]))
        if text is None:
            return None
        text = text.replace("-", "$-$")
        bold = rf"\textbf{{{text}}}" if text in best[column] else text
        return bold + marks.get((column, systems[row]), "")

    return dressed


def latex_note(sure: Uncertainty, level: float, *, several: bool) -> str:
    """What bold face and marks mean; with one system there is nothing to be best of."""
    said = ["Bold: the best."] if several else []
    for mark, test in zip(MARKS, sure.tests, strict=False):
        compared = [one for one in test.comparisons if one.baseline == test.comparisons[0].baseline]
        if len(compared) == len(test.comparisons):
            said.append(f"{mark} differs from {compared[0].baseline}: {test.method}, p < {level:g} (Holm).")
    return " ".join(said)


def _marks(sure: Uncertainty, level: float) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for mark, test in zip(MARKS, sure.tests, strict=False):
        if len({one.baseline for one in test.comparisons}) > 1:
            continue  # among all pairs there is no single baseline for a mark to refer to
        for one in filter(lambda each: _differs(each, level), test.comparisons):
            key = (one.metric, one.system)
            found[key] = found.get(key, "") + _LATEX_MARKS[mark]
    return found


def _differs(one: Comparison, level: float) -> bool:
    return one.p < level


def _best(scored: ScoreTable, name: str, shown: dict[tuple[str, str], str]) -> set[str]:
    """The best value as it is shown, so that what looks equal is equally bold."""
    scores = {system: score for system, score in scored.scores[name].items() if (name, system) in shown}
    if not scores:
        return set()
    return {shown[name, max(scores, key=lambda system: float(scores[system].metric.oriented(scores[system].corpus)))]}
