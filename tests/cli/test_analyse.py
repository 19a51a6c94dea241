"""`textassay analyse` on a table: levels and task as asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv

from textassay import pipeline
from textassay.study.model import AnalysisOptions

Command = Callable[..., Any]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [
        (p, i, s, "clarity", 1 + (3 * p + 2 * i + (s == "A")) % 5) for p in range(4) for i in range(4) for s in "AB"
    ]
    write_csv(tmp_path / "judgements.csv", ("participant", "item", "system", "criterion", "value"), rows)
    return tmp_path / "judgements.csv"


@pytest.mark.parametrize(
    ("flags", "task", "options"),
    [
        ([], None, AnalysisOptions()),
        (["--alpha", "0.01"], None, AnalysisOptions(alpha=0.01)),
        (["--confidence", "0.9"], None, AnalysisOptions(confidence=0.9)),
        (["--task", "rating"], "rating", AnalysisOptions()),
    ],
)
def test_options_reach_the_analysis(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, table: Path, flags: list[str], task: str | None, options: Any
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(pipeline, "analyse_table", lambda source, **more: seen.append((source, more)) or [])
    assert textassay("analyse", table, *flags).code == 0
    assert seen == [(table, {"task": task, "options": options})]


@pytest.mark.parametrize("flag", ["--alpha", "--confidence"])
@pytest.mark.parametrize("value", ["0", "1", "1.5"])
def test_levels_lie_between_0_and_1(textassay: Command, table: Path, flag: str, value: str) -> None:
    ran = textassay("analyse", table, flag, value)
    assert ran.code == 2
    assert f"{flag} must lie between 0 and 1, got {value}" in ran.err


def test_study_names_its_own_task(textassay: Command, answered: Path) -> None:
    ran = textassay("analyse", answered, "--task", "rating")
    assert ran.code == 2
    assert "--task is for tables" in ran.err


def test_many_systems_are_shown_by_letters_and_their_pairs_written(textassay: Command, tmp_path: Path) -> None:
    systems = [f"s{number:02d}" for number in range(16)]
    rows = [
        (p, i, s, "clarity", p + i + 5 * n + (p * i + n) % 3)
        for p in range(4)
        for i in range(3)
        for n, s in enumerate(systems)
    ]
    write_csv(tmp_path / "judgements.csv", ("participant", "item", "system", "criterion", "value"), rows)
    ran = textassay("analyse", tmp_path / "judgements.csv", "--tables", tmp_path / "all")
    assert "as letters" in ran.out
    assert f"not shown: All pairs of systems (120 rows). They are in {tmp_path / 'all'}." in " ".join(ran.out.split())
    written = (tmp_path / "all" / "pairs.csv").read_text(encoding="utf-8").splitlines()
    assert (len(written), written[0][:22]) == (121, "Criterion,First,Second")


def test_want_of_memory_is_said_without_a_traceback(
    textassay: Command, monkeypatch: pytest.MonkeyPatch, table: Path
) -> None:
    def none(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(pipeline, "analyse_table", none)
    ran = textassay("analyse", table)
    assert (ran.code, ran.err[:60]) == (1, "textassay: this needs more memory than there is; end other p")
