"""`textassay correlate --compare`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_study import write_csv

Command = Callable[..., Any]


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    rows = [("p", f"i{n}", system, "clarity", (n * k) % 7) for n in range(1, 6) for k, system in enumerate("abc", 1)]
    write_csv(tmp_path / "j.csv", ("participant", "item", "system", "criterion", "value"), rows)
    scores = [
        (item, system, metric, value if metric == "same" else -value % 3)
        for _, item, system, _, value in rows
        for metric in ("same", "other")
    ]
    write_csv(tmp_path / "s.csv", ("item", "system", "metric", "value"), scores)
    return tmp_path / "j.csv", tmp_path / "s.csv"


def test_compare(textassay: Command, tables: tuple[Path, Path]) -> None:
    ran = textassay("correlate", *tables, "--compare", "--draws", "199")
    assert ran.code == 0, ran.err
    assert "With 3 systems no ranking of metrics is possible." in " ".join(ran.out.split())
    assert "Metrics that can be told apart" in ran.out
    assert "Metrics that can be told apart" not in textassay("correlate", *tables).out
    ran = textassay("correlate", *tables, "--compare", "--correction", "benjamini-hochberg", "--format", "csv")
    assert "Benjamini–Hochberg" in ran.out


def test_details(textassay: Command, tables: tuple[Path, Path]) -> None:
    ran = textassay("correlate", *tables, "--details")
    assert (ran.code, "Systems in the wrong order" in ran.out) == (0, True)
    assert "Metrics that can be told apart" not in ran.out


def test_output_does_not_depend_on_the_hash_seed(tables: tuple[Path, Path]) -> None:
    # seeds of the same numbers: tests/meta/test_metric_comparisons.py
    command = ["correlate", *map(str, tables), "--compare", "--details", "--draws", "99", "--format", "json"]
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "textassay", *command],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in "12"
    ]
    first, second = (run.communicate(timeout=300)[0] for run in runs)
    assert b'"metric"' in first
    assert first == second


def test_several_data_sets(textassay: Command, tables: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    again = [Path(shutil.copy(path, other)) for path in tables]
    ran = textassay("correlate", *tables, "--compare", "--draws", "99", "--also", *again)
    assert ran.code == 0, ran.err
    titles = [
        line for line in ran.out.splitlines() if line.endswith((": Metrics and people", "Metrics over data sets"))
    ]
    first, *apart = dict.fromkeys(titles)
    assert first == "Metrics over data sets"
    assert apart == [f"{tmp_path.name}-j: Metrics and people", "other-j: Metrics and people"]  # both are called j.csv
    ran = textassay("correlate", *tables, "--compare", "--also", *tables)
    assert (ran.code, "two data sets have the same name" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--also", "a.csv", "b.csv"], "--also is about metrics compared over several data sets; add --compare"),
        (["--jobs", "2"], "--jobs is about metrics compared with each other; add --compare"),
        (["--test", "williams"], "--test is about metrics compared"),
        (["--compare", "--jobs", "0"], "0 jobs; give a number of processes"),
    ],
)
def test_flags_that_go_nowhere(textassay: Command, tables: tuple[Path, Path], flags: list[str], message: str) -> None:
    ran = textassay("correlate", *tables, *flags)
    assert (ran.code, message in ran.err) == (2, True)


def test_two_studies_have_no_metrics(textassay: Command, tables: tuple[Path, Path]) -> None:
    ran = textassay("correlate", tables[0], tables[0], "--compare")
    assert (ran.code, "--tables are for metrics; two studies have none" in ran.err) == (2, True)


def test_tables_of_papers(textassay: Command, tables: tuple[Path, Path]) -> None:
    ran = textassay("correlate", *tables, "--tables", "c09")
    assert (ran.code, "Table 3: correlation between human judgements (clarity)" in ran.out) == (0, True)
    assert "Metrics and people" not in ran.out
    assert r"\caption{Table 3: " in textassay("correlate", *tables, "--tables", "c09", "--format", "latex").out
    assert '"note": "as published; liberal"' in textassay("correlate", *tables, "--tables", "c09", "-f", "json").out
    ran = textassay("correlate", *tables, "--tables", "g10")
    assert (ran.code, "compare two conditions that have texts with scores, got a, b, c" in ran.err) == (1, True)
    ran = textassay("correlate", *tables, "--tables", "c09", "--compare")
    assert (ran.code, "give either --tables or --compare" in ran.err) == (2, True)
