"""Fill in what comes out of the ready studies on the pages of docs/papers: `python docs/make_papers.py`.

It simulates the ready studies, which takes some minutes, and writes what stands between two comments of a page:

    <!-- from: report l06-ratings; table: times; columns: System, Mean, SD; rows: 3 -->
    <!-- end -->

`from` is a command: `report STUDY`, `analyse STUDY STUDY` or `correlate STUDY STUDY`. Without `table` the key results
come out, with it that table of the report: all columns or those that are named, all rows or the first few, or with
`where: Test = F1, F2` those with one of these values in that column. A test sees that the pages are up to date.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

from textassay.report.numbers import format_value, heading, number_format  # noqa: E402

if TYPE_CHECKING:
    from rehearsals import Rehearsals

    from textassay.headline import Headline
    from textassay.results import Table

PAPERS = HERE / "papers"
_BLOCK = re.compile(r"(?P<head><!-- from: (?P<command>[^;]+?)(?:; (?P<rest>.*?))? -->\n).*?(?=<!-- end -->)", re.DOTALL)


def filled(text: str, rehearsals: Rehearsals, but: Sequence[str] = ()) -> str:
    """The page with what comes out of the studies that it names; where one of `but` is needed, it stays as it is."""

    def fill(block: re.Match[str]) -> str:
        if not set(but).isdisjoint(block["command"].split()):
            return block[0]
        asked = dict(part.split(": ", 1) for part in (block["rest"] or "").split("; ") if part)
        return block["head"] + "\n".join(_shown(block["command"].split(), asked, rehearsals)) + "\n"

    return _BLOCK.sub(fill, text)


def studies_of(text: str) -> list[str]:
    """The ready studies that a page needs."""
    return sorted({name for block in _BLOCK.finditer(text) for name in block["command"].split()[1:]})


def _shown(command: Sequence[str], asked: Mapping[str, str], rehearsals: Rehearsals) -> Iterator[str]:
    headlines, tables = _results(command, rehearsals)
    yield from _table(tables[asked["table"]], asked) if "table" in asked else _key_results(headlines)


def _results(command: Sequence[str], rehearsals: Rehearsals) -> tuple[Sequence[Headline], Mapping[str, Table]]:
    kind, *names = command
    if kind == "report":
        found = rehearsals[names[0]]
        leading = [analysis for analysis in found.analyses if analysis.place in ("results", "metrics")]
        return [each for analysis in leading for each in analysis.headlines], found.tables
    both = rehearsals.compared(*names) if kind == "analyse" else [rehearsals.correlated(*names)]
    tables = {table.name: table for analysis in both for table in analysis.tables}
    return [each for analysis in both for each in analysis.headlines], tables


def _key_results(headlines: Sequence[Headline]) -> Iterator[str]:
    yield ""
    yield from (f"> **{each.subject}**: {each.text}\n>" for each in headlines[:-1])
    yield from (f"> **{each.subject}**: {each.text}\n" for each in headlines[-1:])


def _table(table: Table, asked: Mapping[str, str]) -> Iterator[str]:
    columns = asked["columns"].split(", ") if "columns" in asked else list(table.columns)
    records = table.records()
    if "where" in asked:
        column, _, values = asked["where"].partition(" = ")
        records = [record for record in records if str(record[column]) in values.split(", ")]
    if "rows" in asked:
        records = records[: int(asked["rows"])]
    yield f"\n*{table.title}*\n"
    yield f"| {' | '.join(map(heading, columns))} |"
    yield f"|{'|'.join('---' for _ in columns)}|"
    for record in records:
        yield f"| {' | '.join(_cell(record, column) for column in columns)} |"
    yield ""


def _cell(record: Mapping[str, Any], column: str) -> str:
    return format_value(record[column], number_format(column, record)).replace("|", "\\|").replace("*", "\\*")


if __name__ == "__main__":
    from rehearsals import rehearsing

    with tempfile.TemporaryDirectory() as folder, rehearsing(Path(folder)) as ready:
        for page in sorted(PAPERS.glob("*.md")):
            before = page.read_text(encoding="utf-8")
            page.write_text(filled(before, ready), encoding="utf-8")
            print(page.name)
