"""`textassay relevance`: the whole study, one item, one text, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from content_study import write_content_study

from textassay.cli import run


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_content_study(tmp_path_factory.mktemp("content")))


def test_whole_study(study: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["relevance", study, "--tables", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Of what the texts of human say, 35 % of the weight points to")
    assert "Note: actions with the prior 0: nothing;" in out
    assert {path.name for path in tmp_path.iterdir()} >= {"relevance-events.csv", "relevance-shares.csv"}
    # six cases of two annotated texts, of which those by neural have two events
    assert len((tmp_path / "relevance-events.csv").read_text(encoding="utf-8").splitlines()) == 1 + 6 + 12


def test_one_text(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["relevance", study, "case2", "human"]) == 0
    out = capsys.readouterr().out
    assert "[oxygen saturation | 1 desaturation]" in out
    # oxygen is ruled out by the ventilator: suction .2 of .6, call .4 of .6
    assert "REL .333, IRREL .000" in out
    assert "neural" not in out


def test_one_item_for_programs(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["relevance", study, "case1", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    weights = {row["Action"]: row["Weight"] for row in rows if row["table"] == "actions-case1-human"}
    assert weights["call"] == pytest.approx(0.5)  # .4 of .2 + .2 + .4
    assert {row["Type"] for row in rows if row["table"] == "relevance-events"} == {"desaturation", "bradycardia"}


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (["case9"], "no annotated text is about the item 'case9'; use one of: case1, case2,"),
        (["case1", "graph"], "the text of 'graph' about 'case1' is not annotated; use one of: human, neural"),
    ],
)
def test_mistakes(study: str, named: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["relevance", study, *named]) == 2
    assert message in capsys.readouterr().err
