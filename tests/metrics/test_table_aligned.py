"""Aligned systems: the same scores as from a table, with nothing kept in memory that is not asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import metric, score_aligned, score_table
from textassay.metrics.engine import ScoringOptions
from textassay.tables.lines import LineFile

LINES = 25
SYSTEMS = {name: [f"{name} line {n} of {n % 4}" for n in range(LINES)] for name in ("A", "B", "C")}
REFERENCES = [[f"B line {n}", *([f"of {n}"] if n % 3 else [])] for n in range(LINES)]


@pytest.mark.parametrize("chunk", [1, 4, 7, 1000])
def test_equals_the_table(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [str(n) for n in range(1, LINES + 1)]
    table = score_table(
        ["rouge-l", "bleu", "nist"],
        items * 3,
        [name for name in SYSTEMS for _ in items],
        [text for texts in SYSTEMS.values() for text in texts],
        dict(zip(items, REFERENCES, strict=True)),
    )
    made = {name: metric(name) for name in ("rouge-l", "bleu", "nist")}
    for one in made.values():
        monkeypatch.setattr(type(one), "chunk", chunk)
    aligned = score_aligned(made, SYSTEMS, REFERENCES)
    assert aligned.rows() == table.rows()
    assert aligned.records() == table.records()


def test_sums_alone_give_the_corpus_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = score_aligned(["rouge-l", "bleu"], SYSTEMS, REFERENCES)
    monkeypatch.setattr("textassay.metrics.contract.Metric.chunk", 4)
    sums = score_aligned(["rouge-l", "bleu"], SYSTEMS, REFERENCES, options=ScoringOptions(keep=False))
    for one, other in zip(kept.records(), sums.records(), strict=True):
        assert one.keys() == other.keys()
        assert one["n"] == other["n"] == LINES
        assert one["value"] == pytest.approx(other["value"], rel=1e-14)
    assert all(result.segments.size == 0 for systems in sums.scores.values() for result in systems.values())
    assert [row["item"] for row in sums.rows()] == [""] * 6


def test_lines_of_files_are_asked_for_chunk_by_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(SYSTEMS["A"]), encoding="utf-8")
    asked: list[int] = []
    read = LineFile._read
    monkeypatch.setattr(LineFile, "_read", lambda self, a, b: asked.append(b - a) or read(self, a, b))
    made = metric("rouge-l")
    monkeypatch.setattr(type(made), "chunk", 10)
    found = score_aligned([made], {"A": LineFile(path)}, REFERENCES)
    assert asked == [10, 10, 5]
    expected = score_aligned(["rouge-l"], {"A": SYSTEMS["A"]}, REFERENCES)
    np.testing.assert_array_equal(found.scores["rouge-l"]["A"].segments, expected.scores["rouge-l"]["A"].segments)


def test_wrong_input() -> None:
    with pytest.raises(UsageError, match="no system to score; give at least one"):
        score_aligned(["rouge-l"], {}, [["a"]])
    with pytest.raises(DataError, match="A has 2 texts for 1 sets of references; they must match one by one"):
        score_aligned(["rouge-l"], {"A": ["a", "b"]}, [["a"]])
