"""`textassay score`: automatic metrics for a study, a table, or plain files."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from textassay import catalogue
from textassay.cli.completing import metric_names
from textassay.cli.options import Format, Quiet, Whole
from textassay.cli.output import (
    console,
    notes_at_once,
    progress_bar,
    shortened,
    show_records,
    show_rows,
    show_tables,
    show_text,
)
from textassay.cli.score_files import Files
from textassay.cli.score_sources import find_texts
from textassay.cli.score_tables import (
    comparison_cell,
    comparison_tables,
    decimals,
    document_columns,
    document_decimals,
    document_records,
    documents_table,
    flat_intervals,
    flat_table,
    format_cell,
    latex_note,
    segment_columns,
    segment_decimals,
    segment_records,
    segments_table,
    system_scores_table,
    text_cell,
)
from textassay.cli.score_tests import Uncertainty, UncertaintyOptions, check_tests, uncertainty
from textassay.errors import TableError, UsageError
from textassay.metrics import Metric, ScoreTable, ScoringOptions, Workers, metric
from textassay.metrics.scoring import metric_class
from textassay.report.latex import latex_table
from textassay.tables.schema import SCORES
from textassay.tables.writer import table_lines, write_table

_Several = Parameter(consume_multiple=True, negative="")
_MOST_DOCUMENTS = 200
"""Rows of the table of documents on the terminal."""
_NO_FILES = Files()
_NO_OPTIONS = UncertaintyOptions()
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def score(  # noqa: PLR0913 -- a flag each
    source: Path | None = None,
    *,
    files: Files = _NO_FILES,
    metrics: Annotated[list[str] | None, Parameter(name=["--metrics", "-m"], completer=metric_names), _Several] = None,
    tests: UncertaintyOptions = _NO_OPTIONS,
    segments: Annotated[bool, Parameter(negative="")] = False,
    to: Path | None = None,
    scores_to: Path | None = None,
    jobs: Whole = 1,
    cluster: str = "",
    format: Format = "text",  # noqa: A002 -- the flag's name
    width: Annotated[Whole | None, Parameter(name=["--width", "-w"])] = None,
    quiet: Quiet = False,
) -> None:
    """Score texts with automatic metrics.

    Args:
        source: A study directory, a table `item, system, text`, or a table of orders for metrics of orders.
        files: Plain files instead.
        metrics: Which metrics, with settings as in rouge-l:stem=yes,multi=mean; a study names its own.
        tests: How sure the scores are.
        segments: Every text's score: one row per text, one column per metric.
        to: Write the table to this file (.csv, .tsv, .jsonl): that of texts with --segments, that of documents with
            --documents, else that of systems.
        scores_to: Write all scores to this file as the long table `scores`, which correlate reads.
        jobs: Processes of this machine that share the work; -1 for one per core.
        cluster: Address of a Dask scheduler whose workers do the work, such as tcp://10.0.0.5:8786.
        format: How the result is printed.
        width: Decimals of scores in text and LaTeX; by default two for scores from 10 on, four below (LaTeX: three).
        quiet: Show no progress and no notes.
    """
    for path in filter(None, (to, scores_to)):
        table_lines(path, (), ())  # refuses an ending that it cannot write, before anything is scored
    if width is not None and (width < 0 or format in ("csv", "json")):
        wrong = f"must be 0 or more; got {width}" if width < 0 else f"rounds text and LaTeX; {format} has all digits"
        raise UsageError(f"--width {wrong}")
    named = metrics_named(metrics or ())
    found = find_texts(source, files, orders=_about_orders(named))
    chosen = named or found.metrics
    if not chosen:
        raise UsageError("no metric named; say which with -m, for example -m rouge-l")
    check_tests(tests, found.systems)
    if scores_to is not None:
        _refuse_loss(scores_to, chosen)
    if to is None and (tests.ci or tests.paired):
        _refuse_hidden_tests(format, segments=segments, documents=files.documents is not None)
    with progress_bar("texts", quiet=quiet) as progress:
        resampled = tests.ci or tests.paired
        keep = segments or scores_to is not None or resampled
        options = ScoringOptions(keep, Workers(jobs, cluster), progress, scores_only=not resampled)
        scored = found.score(chosen, options)
    sure = uncertainty(scored, tests, seed=found.seed, quiet=quiet)
    if scores_to is not None:
        write_table(scores_to, [column.name for column in SCORES.columns], scored.each_row())
    if to is not None:
        _write(to, scored, sure, segments=segments)
    if segments and to is None:
        _show_segments(scored, format, width)
    else:
        written = to is not None and not segments
        _show(scored, sure, format, level=1 - tests.confidence, width=width, documents=not written)
    if not quiet:
        _notes([*found.notes, *scored.warnings, *sure.warnings], (*found.systems, *chosen), format)


def _about_orders(metrics: Mapping[str, Metric]) -> bool:
    """Whether orders are to be scored and not texts."""
    if not any(one.takes.kind == "order" for one in metrics.values()):
        return False
    from textassay.cli.order_sources import takes_orders  # noqa: PLC0415 -- only where there are orders

    return takes_orders(metrics)


def _refuse_loss(path: Path, metrics: Collection[str]) -> None:
    """Refuse to replace a file that holds anything but scores by these metrics."""
    from textassay.tables.reader import read_table  # noqa: PLC0415 -- only where there is such a table

    if not path.exists():
        return
    try:
        others = [
            name for name in dict.fromkeys(row["metric"] for row in read_table(path, SCORES)) if name not in metrics
        ]
    except TableError:
        raise UsageError(f"{path} exists and is no table of scores; write to another file") from None
    if others:
        raise UsageError(f"{path} has scores by {', '.join(others)}, which would be lost; write to another file")


def _write(path: Path, scored: ScoreTable, sure: Uncertainty, *, segments: bool) -> None:
    if segments:
        write_table(path, segment_columns(scored), segment_records(scored))
    elif scored.documents:
        write_table(path, document_columns(scored), document_records(scored))
    else:
        rows = [flat_intervals(record) for record in system_scores_table(scored, sure).records()]
        write_table(path, list(rows[0]), rows)


def _refuse_hidden_tests(how: Format, *, segments: bool, documents: bool) -> None:
    """Refuse tests of systems where systems are not shown."""
    if segments:
        raise UsageError("--segments shows texts, but --ci and tests are about systems; write the texts with --to")
    if documents and how == "csv":
        shown = "--documents as CSV shows documents"
        raise UsageError(f"{shown}, but --ci and tests are about systems; write the documents with --to")


def _show(
    scored: ScoreTable, sure: Uncertainty, how: Format, *, level: float, width: int | None, documents: bool
) -> None:
    """The scores of systems and, unless these are written to a file, of documents; as CSV there is one table only."""
    if documents and scored.documents and how == "csv":
        show_rows(document_columns(scored), (record.values() for record in document_records(scored)))
        return
    table = system_scores_table(scored, sure)
    if how == "text":
        digits = decimals(scored, width)
        show_text(table, text_cell(digits))
        for test, shown in zip(sure.tests, comparison_tables(sure), strict=True):
            show_text(shown, comparison_cell(test, digits))
    elif how == "latex":
        meaning = latex_note(sure, level, several=len(table.rows) > 1)
        noted = replace(table, note=f"{meaning}\n{table.note}")
        print(latex_table(noted, format_cell=format_cell(scored, sure, level, width)))
        show_tables(comparison_tables(sure), how)
    elif how == "csv":
        show_tables([flat_table(scored, sure)], how)
    else:
        show_records([record for result in (scored, *sure.results) for record in result.records()])
    if documents and scored.documents and how in ("text", "latex"):  # in JSON they are among the records
        cells = text_cell(document_decimals(scored, width))
        if how == "text":
            show_text(shortened(documents_table(scored), _MOST_DOCUMENTS), cells)
        else:
            print(latex_table(documents_table(scored), format_cell=cells))


def _show_segments(scored: ScoreTable, how: Format, width: int | None) -> None:
    if how == "csv":
        show_rows(segment_columns(scored), (record.values() for record in segment_records(scored)))
    elif how == "text":
        show_text(segments_table(scored), text_cell(segment_decimals(scored, width)))
    else:
        show_tables([segments_table(scored)], how)


def _notes(notes: list[str], names: Collection[str], how: Format) -> None:
    """What a reader must know: below the table, or on standard error."""
    for note in notes_at_once(notes, names):
        if how == "text":
            console().print(f"Note: {note}")
        else:
            print(f"Note: {note}", file=sys.stderr)


def metrics_named(typed: Sequence[str]) -> dict[str, Metric]:
    """Metrics under the names that were typed, in the catalogue's spelling.

    Raises:
        UsageError: an unknown metric or setting, a value of the wrong kind, or the same twice.

    >>> list(metrics_named(["BLEU", "rouge-l:stem=yes"]))
    ['bleu', 'rouge-l:stem=yes']
    """
    found: dict[str, Metric] = {}
    for one in typed:
        name, colon, settings = one.partition(":")
        if "," in name:
            spaced = name.replace(",", " ")
            raise UsageError(f"there is no metric {name!r}; separate metrics by spaces: -m {spaced}")
        known = catalogue.meant("metric", name)
        label = f"{known}{colon}{settings}"
        if label in found:
            raise UsageError(f"-m {one} is a duplicate; give it once, or with other settings")
        found[label] = _metric(known, label)
    return found


def _metric(name: str, typed: str) -> Metric:
    _, colon, rest = typed.partition(":")
    usual = {each.name: each.default for each in fields(metric_class(name).Settings)}
    settings: dict[str, Any] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise UsageError(f"-m {typed}: {part!r} is not a setting; write name=value, for example rouge-l:stem=yes")
        if key in settings:
            raise UsageError(f"-m {typed}: {key} is a duplicate; give it once")
        settings[key] = _value(typed, key, value, usual[key]) if key in usual else value
    return metric(name, **settings)


def _value(typed: str, key: str, value: str, usual: Any) -> Any:
    """The value as the setting has it."""
    if isinstance(usual, bool):
        if value.lower() not in _WORDS:
            raise UsageError(f"-m {typed}: {key} is yes or no, not {value!r}")
        return _WORDS[value.lower()]
    if not isinstance(usual, (int, float)):
        return value
    try:
        return type(usual)(value)
    except ValueError:
        kind = "a whole number" if isinstance(usual, int) else "a number"
        raise UsageError(f"-m {typed}: {key} is {kind}, like {usual}, not {value!r}") from None
