"""`textassay ontology`: the whole, one concept, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from textassay.cli import run

WARD = """
links: [concerns]
concepts:
  event: {label: Event}
  breathing: {is_a: event, concerns: oxygen}
  apnoea: {is_a: breathing, concerns: airway}
  oxygen:
  airway:
"""


@pytest.fixture
def ward(tmp_path: Path) -> str:
    path = tmp_path / "ward.yaml"
    path.write_text(WARD, encoding="utf-8")
    return str(path)


def test_whole(ward: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", ward, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"what": "concepts", "value": 5} in [{key: row.get(key) for key in ("what", "value")} for row in rows]
    assert run(["ontology", ward]) == 0
    output = capsys.readouterr().out
    assert "concerns" in output
    assert "below it" in output


def test_one_concept(ward: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", ward, "apnoea"]) == 0
    output = capsys.readouterr().out
    assert "oxygen, inherited" in output
    assert "event (Event)" in output
    assert "airway, inherited" not in output


def test_mistakes(ward: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ontology", ward, "apnea"]) == 2
    assert "has no concept 'apnea'; did you mean 'apnoea'" in capsys.readouterr().err
    assert run(["ontology", str(tmp_path / "none.ttl")]) == 1
    assert "it cannot be read" in capsys.readouterr().err
