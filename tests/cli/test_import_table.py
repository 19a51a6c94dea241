"""What the command says beside its result: what the imported tables lack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_study import write_small_study

Command = Callable[..., Any]


def test_import_tells_what_rules_miss(textassay: Command, answered: Path, tmp_path: Path) -> None:
    textassay("export", answered)
    other = write_small_study(tmp_path / "other")
    export = answered / "export"
    ran = textassay("import", other, export / "participants.csv", export / "judgements.csv")
    assert ran.code == 0
    assert "Note: the rule took-part-twice cannot be applied" in ran.err
    assert "Note: the rule attention-checks cannot be applied" in ran.err
    textassay("export", answered, "--personal")
    tables = [export / f"{name}.csv" for name in ("participants", "judgements", "judgements-unscored")]
    again = textassay("import", other, *tables)
    assert again.code == 2
    assert "imported/participants.csv exists; replace it with --replace" in again.err
    whole = textassay("import", other, *tables, "--replace")
    assert (whole.code, whole.err) == (0, "")


def test_import_of_scores_says_what_it_assumes(textassay: Command, tmp_path: Path) -> None:
    study = write_small_study(tmp_path / "s")
    scores = tmp_path / "elsewhere.csv"
    scores.write_text("item,system,judge,errors\ni1,human,4,2\n")
    ran = textassay("import", study, scores)
    assert ran.code == 2
    assert "or add --scores if it holds scores of metrics" in ran.err
    ran = textassay("import", study, scores, "--scores", "--lower-is-better", "errors")
    assert ran.code == 0, ran.err
    assert "scores: imported 2 scores by judge, errors into " in ran.out
    assert ran.err == (
        "Note: higher is taken to be better of judge; if not, import again with --replace --lower-is-better judge.\n"
    )
    ran = textassay("import", study, study / "texts.csv", "--lower-is-better", "x")
    assert ran.code == 2
    assert "--lower-is-better is about scores, and no table of scores is given" in ran.err
