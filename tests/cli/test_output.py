"""How results look on the terminal and in each format."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from textassay.cli import output
from textassay.cli.options import Format
from textassay.cli.output import notes_at_once, progress_bar, show_analyses, show_tables, stage_line
from textassay.headline import Headline, SystemName
from textassay.results import Analysis, Record, Result, Table

Shown = Callable[..., str]


@dataclass(frozen=True, kw_only=True)
class Two(Result):
    """Two records: one with an interval, one without a value."""

    def records(self) -> list[Record]:
        return [self.record("mean", 2.5, by="A", ci=(1.0, 4.0)), self.record("mean", math.nan, by="B")]


FIRST = Table(
    "first", "First [table] :warning:", ("system", "mean"), (("A", 2.5), ("B [x]", None)), "Read [this] first."
)
SECOND = Table("second", "Second table", ("participants",), ((3,),))
ANALYSES = [
    Analysis(
        "a",
        "An analysis",
        (Two(method="by hand"),),
        (FIRST, SECOND),
        warnings=("few [people]",),
        headlines=(Headline("clarity", ((SystemName("B [x]"), " was rated highest."),)),),
        cautions=("it depends on [one] person",),
    ),
    Analysis("b", "Another one", (), (Table("none", "Nothing to compare", ("pairs",), ()), SECOND)),
]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    def call(show: Callable[..., None], *arguments: Any) -> str:
        show(*arguments)
        return capsys.readouterr().out

    return call


def test_text_has_titles_tables_notes_and_warnings_in_this_order(shown: Shown) -> None:
    text = " ".join(shown(show_analyses, ANALYSES, "text").split())
    parts = ["An analysis", "B [x] was rated highest.", "First [table] :warning:", "system", "2.5",
             "Read [this] first.", "Second table", "Caution: it depends on [one] person", "Note: few [people]",
             "Another one", "Second table"]  # fmt: skip
    places = [text.index(part) for part in parts[:-2]]
    assert places == sorted(places)
    assert text.index("Another one") < text.rindex("Second table")
    assert "B [x]" in text  # nothing in brackets is taken for markup
    assert "Nothing to compare" not in text


def test_numbers_are_right_aligned_and_words_left(shown: Shown) -> None:
    table = Table("t", "", ("name", "value"), (("x", 1), ("longer", 1000), ("y", None)))
    lines = [line.rstrip() for line in shown(show_tables, [table], "text").splitlines() if line.strip()]
    of_values = [line for line in lines if line.strip().startswith(("x", "longer"))]
    assert len({len(line) for line in of_values}) == 1  # 1 ends where 1000 ends
    assert len({len(line) - len(line.lstrip()) for line in of_values}) == 1


def test_json_holds_the_records_of_all_analyses_and_names_the_table_of_others(shown: Shown) -> None:
    records = json.loads(shown(show_analyses, ANALYSES, "json"))
    assert [(record["by"], record["value"], record["ci"]) for record in records] == [
        ("A", 2.5, [1.0, 4.0]), ("B", None, None)
    ]  # fmt: skip
    assert json.loads(shown(show_tables, [FIRST, SECOND], "json")) == [
        {"table": "first", "system": "A", "mean": 2.5},
        {"table": "first", "system": "B [x]", "mean": None},
        {"table": "second", "participants": 3},
    ]


def test_csv_of_records_has_the_interval_in_two_columns(shown: Shown) -> None:
    rows = list(csv.DictReader(io.StringIO(shown(show_analyses, ANALYSES, "csv"))))
    assert [(row["by"], row["value"], row["ci_low"], row["ci_high"]) for row in rows] == [
        ("A", "2.5", "1.0", "4.0"), ("B", "", "", "")
    ]  # fmt: skip
    assert "ci" not in rows[0]


def test_csv_is_one_table(shown: Shown) -> None:
    assert shown(show_tables, [SECOND], "csv") == "participants\n3\n"
    text = shown(show_tables, [FIRST, SECOND], "csv")
    assert list(csv.reader(io.StringIO(text))) == [
        ["table", "row", "column", "value"],
        ["first", "1", "system", "A"],
        ["first", "1", "mean", "2.5"],
        ["first", "2", "system", "B [x]"],
        ["first", "2", "mean", ""],
        ["second", "1", "participants", "3"],
    ]


def test_notes_that_differ_in_names_and_numbers_are_one() -> None:
    systems = [f"s{number}" for number in range(44)]
    notes = [f"bleu, {system}: undefined in {number} of 100 resamples" for number, system in enumerate(systems)]
    assert notes_at_once(["first", *notes, "first", "first of all"], ["bleu", *systems]) == [
        "first",
        "bleu, s0: undefined in 0 of 100 resamples (likewise s1, s2, s3, s4 and 39 more)",
        "first of all",
    ]
    pairs = [f"{one} and {other} differ" for one, other in (("s1", "s0"), ("s2", "s0"), ("s2", "s1"))]
    assert notes_at_once(pairs, systems) == ["s1 and s0 differ (likewise s2)"]
    assert notes_at_once(["line 3 is empty", "line 5 is empty"], []) == ["line 3 is empty (and 1 more like it)"]
    assert notes_at_once(["a-b is long", "a is long"], ["a", "b"]) == ["a-b is long", "a is long"]


def test_latex_holds_every_table_and_nothing_else(shown: Shown) -> None:
    text = shown(show_analyses, ANALYSES, "latex")
    assert text.count(r"\begin{table}") == 3
    assert "Note:" not in text
    assert not text.startswith("\n")


@pytest.mark.parametrize("how", [how for how in get_args(get_args(Format)[0]) if how != "text"])
def test_what_programs_read_has_no_notes(shown: Shown, how: Format) -> None:
    text = shown(show_analyses, ANALYSES, how)
    assert not any(said in text for said in ("few [people]", "it depends on", "was rated highest"))


class Stream(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "quiet", "there"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_progress_is_shown_on_a_terminal_unless_quiet(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool, there: bool
) -> None:
    stream = Stream(terminal=terminal)
    monkeypatch.setattr(output.sys, "stderr", stream)
    with progress_bar("texts scored", quiet=quiet) as progress:
        assert (progress is not None) is there
        if progress is not None:
            progress(1, 2)
    assert ("texts scored" in stream.getvalue()) is there


@pytest.mark.parametrize(
    ("terminal", "quiet", "there"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_stages_are_shown_on_a_terminal_unless_quiet(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool, there: bool
) -> None:
    stream = Stream(terminal=terminal)
    monkeypatch.setattr(output.sys, "stderr", stream)
    with stage_line(quiet=quiet) as stage:
        stage("scoring the texts")
    assert ("Scoring the texts …" in stream.getvalue()) is there


def test_pipes_get_long_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.sys, "stdout", Stream(terminal=False))
    assert output.console().width == 160
