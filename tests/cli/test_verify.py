"""`textassay verify`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay import pipeline
from textassay.sharing.archive import FileChanges
from textassay.sharing.comparison import Difference, ResultsComparison
from textassay.sharing.verification import Verification


def verification(differences: int) -> Verification:
    found = tuple(Difference("clarity", "F · clarity", f"cell {place}", 4.0, 4.5) for place in range(differences))
    comparison = ResultsComparison(100, 20, found, (), ())
    return Verification("T", comparison, FileChanges(), 1e-9, (("textassay", "0.1", "0.2"),), {})


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """What comes out, without a bundle: only how it is told is tested here."""

    def fake(differences: int) -> None:
        monkeypatch.setattr(pipeline, "verify", lambda *_, **__: verification(differences))

    return fake


def test_differences_are_shown_with_versions(verified: Callable[[int], None], textassay: Callable[..., Any]) -> None:
    verified(2)
    ran = textassay("verify", "bundle.zip")
    assert ran.code == 1
    first, tolerance, versions, *rest = ran.out.splitlines()
    assert first == "2 of 100 numbers differ."
    assert "no more than 1e-09" in tolerance
    assert versions == "Versions differ: textassay 0.1 there, 0.2 here; small differences may come from that."
    row = next(line.split() for line in rest if "cell 1" in line)
    assert row[-4:] == ["4", "4.5", "0.5", "0.125"]


def test_long_table_is_cut_on_the_terminal_only(verified: Callable[[int], None], textassay: Callable[..., Any]) -> None:
    verified(50)
    shown = textassay("verify", "bundle.zip").out
    assert "10 more rows: use --format csv." in shown
    assert "cell 49" not in shown
    assert "cell 49" in textassay("verify", "bundle.zip", "--format", "csv").out


def test_json(verified: Callable[[int], None], textassay: Callable[..., Any]) -> None:
    verified(1)
    verdict, difference, version = json.loads(textassay("verify", "bundle.zip", "--format", "json").out)
    assert verdict == {"table": "verdict", "same": False, "verdict": "1 of 100 numbers differ."}
    assert (difference["stored"], difference["recomputed"], difference["relative"]) == (4.0, 4.5, 0.125)
    assert version["program"] == "textassay"


@pytest.mark.parametrize("tolerance", ["-1", "nan", "inf"])
def test_wrong_tolerance(tolerance: str, textassay: Callable[..., Any]) -> None:
    ran = textassay("verify", "bundle.zip", "--tolerance", tolerance)
    assert ran.code == 2
    assert "a relative difference is needed, such as 1e-9" in ran.err


def test_nothing_there(tmp_path: Path, textassay: Callable[..., Any]) -> None:
    ran = textassay("verify", tmp_path / "bundle.zip")
    assert ran.code == 2
    assert "there is no" in ran.err
