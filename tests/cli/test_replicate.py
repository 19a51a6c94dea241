"""`textassay replicate`: tables and studies, in every format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]
SCORES = "system,criterion,score\na,clarity,{}\nb,clarity,{}\nc,clarity,{}\n"


def tables(folder: Path) -> tuple[Path, Path]:
    first, second = folder / "first.csv", folder / "second.csv"
    first.write_text(SCORES.format(3.5, 4.0, 5.0), encoding="utf-8")
    second.write_text(SCORES.format(3.7, 4.4, 4.1), encoding="utf-8")
    return first, second


def test_published_scores(textassay: Command, tmp_path: Path) -> None:
    first, second = tables(tmp_path)
    ran = textassay("replicate", first, second, "--begins", "clarity=1", "--tables", tmp_path / "out")
    assert ran.code == 0
    assert "Of 3 pairs of systems, 2 are in the same order in first and second." in " ".join(ran.out.split())
    assert (tmp_path / "out" / "cv-star.csv").exists()
    records = json.loads(textassay("replicate", first, second, "--begins", "clarity=1", "-f", "json").out)
    (of_a,) = [record for record in records if record["statistic"] == "CV*" and record["by"] == "a"]
    assert of_a["mean"] == 2.6  # 3.5 and 3.7 on a scale moved from 1 to 0
    assert "\\begin{tabular}" in textassay("replicate", first, second, "-f", "latex").out
    assert textassay("replicate", first, second, "-f", "csv").out.startswith("statistic,")


def test_a_study_and_its_exported_answers_are_one_run(textassay: Command, brief: Path, tmp_path: Path) -> None:
    textassay("export", brief, "--to", tmp_path / "export")
    ran = textassay("replicate", tmp_path / "export" / "judgements.csv", tmp_path / "export" / "judgements.csv")
    assert ran.code == 2
    assert "is there twice: a run is not its own replication" in ran.err
    copy = tmp_path / "copy.csv"
    copy.write_bytes((tmp_path / "export" / "judgements.csv").read_bytes())
    ran = textassay("replicate", tmp_path / "export" / "judgements.csv", copy)
    assert ran.code == 1
    assert "hold the same answers of the same people: this is one run, not two" in ran.err


def test_one_run_is_no_replication(textassay: Command, tmp_path: Path) -> None:
    ran = textassay("replicate", tables(tmp_path)[0])
    assert ran.code == 2
    assert "two runs or more" in ran.err
