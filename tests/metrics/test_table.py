"""`score_table`: systems by metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import Metric, metric, score, score_aligned, score_table
from textassay.metrics.engine import ScoringOptions
from textassay.tables.lines import LineFile

ITEMS = ["1", "2", "1", "2", "3"]
SYSTEMS = ["A", "A", "B", "B", "B"]
TEXTS = ["a b", "c", "a x", "d", "e"]
REFERENCES = {"1": ["a b"], "2": ["c", "d d"], "3": ["e"]}


def test_rows_are_the_scores_table() -> None:
    table = score_table(["rouge-l"], ITEMS, SYSTEMS, TEXTS, REFERENCES)
    rows = [(row["item"], row["system"], row["metric"], round(row["value"], 4)) for row in table.rows()]
    # B, item 2: "d" against "d d" has P = 1, R = 1/2, F = 2/3; its mean is (1/2 + 2/3 + 1)/3.
    assert rows == [
        ("1", "A", "rouge-l", 1.0),
        ("2", "A", "rouge-l", 1.0),
        ("", "A", "rouge-l", 1.0),
        ("1", "B", "rouge-l", 0.5),
        ("2", "B", "rouge-l", 0.6667),
        ("3", "B", "rouge-l", 1.0),
        ("", "B", "rouge-l", 0.7222),
    ]
    assert table.rows()[0]["signature"] == table.scores["rouge-l"]["A"].signature
    assert "nrefs:1-2" in table.scores["rouge-l"]["B"].signature


def test_equals_scoring_each_system_alone() -> None:
    table = score_table(["rouge-l"], ITEMS, SYSTEMS, TEXTS, REFERENCES)
    alone = score("rouge-l", TEXTS[2:], [REFERENCES[item] for item in ITEMS[2:]])
    assert table.scores["rouge-l"]["B"].segments.tolist() == alone.segments.tolist()
    assert table.scores["rouge-l"]["B"].corpus == alone.corpus


def test_records_by_system() -> None:
    records = score_table(["rouge-l"], ITEMS, SYSTEMS, TEXTS, REFERENCES).records()
    assert [(record["of"], record["by"], record["n"]) for record in records] == [
        ("rouge-l", "A", 2),
        ("rouge-l", "B", 3),
    ]


def test_systems_with_fewer_items_and_empty_texts_are_named() -> None:
    table = score_table(["rouge-l"], ITEMS, SYSTEMS, [*TEXTS[:4], ""], REFERENCES)
    identical = (
        "identical to one of their references, so that scores say little about them; "
        "check that no references were given as hypotheses"
    )
    assert table.warnings == (
        "rouge-l: 1 hypotheses contain no words and score 0",
        f"A: 2 of 2 hypotheses are {identical}",
        "A has texts for 2 of 3 items; its corpus score is over those only",
    )
    # of a metric that goes through each system by itself, with the system's name
    table = score_table(["nist"], ITEMS, SYSTEMS, [*TEXTS[:4], ""], REFERENCES)
    assert table.warnings[0] == "B: nist: 1 hypotheses contain no words and score 0"


def test_one_metric_with_several_settings() -> None:
    chosen = {"plain": metric("rouge-l"), "stemmed": metric("rouge-l", stem=True)}
    table = score_table(chosen, ["1"], ["A"], ["walks"], {"1": ["walked"]})
    assert [(row["metric"], row["value"]) for row in table.rows() if row["item"]] == [("plain", 0), ("stemmed", 1)]


def test_no_texts() -> None:
    assert score_table(["rouge-l"], [], [], [], {}).rows() == []


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"metrics": "rouge-l"}, UsageError, "metrics is the string 'rouge-l'; give a list: ['rouge-l']"),
        (
            {"metrics": ["rouge-l", metric("rouge-l", stem=True)]},
            UsageError,
            "rouge-l is given twice; give a mapping from a name of your own to each metric",
        ),
        ({"items": ITEMS[:4]}, UsageError, "4 items, 5 systems, 5 texts; give one of each per row"),
        ({"systems": ["A"] * 5}, DataError, "item 1, system A: 2 texts; keep one"),
        ({"references": {"1": ["a"]}}, DataError, "no reference for item 2, 3; add one, or drop the item"),
        ({"references": {**REFERENCES, "3": []}}, DataError, "no reference for item 3; add one, or drop the item"),
        (
            {"texts": [*TEXTS[:4], None]},
            DataError,
            "hypotheses[4] (item 3, system B): missing (None); give its text, or remove the row",
        ),
    ],
)
def test_wrong_tables(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    given = {"metrics": ["rouge-l"], "items": ITEMS, "systems": SYSTEMS, "texts": TEXTS, "references": REFERENCES}
    with pytest.raises(error) as caught:
        score_table(**{**given, **changes})
    assert str(caught.value) == message


def test_many_items_without_reference_are_counted() -> None:
    items = [str(number) for number in range(8)]
    with pytest.raises(DataError, match="no reference for item 0, 1, 2, 3, 4 and 3 more; add one, or drop the item"):
        score_table(["rouge-l"], items, ["A"] * 8, ["a"] * 8, {})


def test_metric_of_another_kind_is_refused() -> None:
    class Orders(Metric):
        name = "orders"
        takes = type("OrderSegments", (), {"kind": "order"})  # type: ignore[assignment]
        statistics = segment_scores = None  # type: ignore[assignment]

    with pytest.raises(UsageError, match="orders takes order, not text, and cannot score a table of texts"):
        score_table([Orders()], ["1"], ["A"], ["a"], {"1": ["a"]})


# --- Aligned systems: the same scores as from a table, with nothing kept in memory that is not asked for ------------


LINES = 25
SYSTEMS_ALIGNED = {name: [f"{name} line {n} of {n % 4}" for n in range(LINES)] for name in ("A", "B", "C")}
REFERENCES_ALIGNED = [[f"B line {n}", *([f"of {n}"] if n % 3 else [])] for n in range(LINES)]


def test_one_reference_each_need_not_be_in_a_list() -> None:
    texts, references = ["a b", "c"], ["a b c", "d"]
    listed = score_aligned(["rouge-l"], {"A": texts}, [[each] for each in references])
    assert list(score_aligned(["rouge-l"], {"A": texts}, references).rows()) == list(listed.rows())
    assert score("bleu", texts, references).corpus == score("bleu", texts, [[each] for each in references]).corpus


@pytest.mark.parametrize("chunk", [1, 4, 7, 1000])
def test_equals_the_table(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [str(n) for n in range(1, LINES + 1)]
    table = score_table(
        ["rouge-l", "bleu", "nist"],
        items * 3,
        [name for name in SYSTEMS_ALIGNED for _ in items],
        [text for texts in SYSTEMS_ALIGNED.values() for text in texts],
        dict(zip(items, REFERENCES_ALIGNED, strict=True)),
    )
    made = {name: metric(name) for name in ("rouge-l", "bleu", "nist")}
    for one in made.values():
        monkeypatch.setattr(type(one), "chunk", chunk)
    aligned = score_aligned(made, SYSTEMS_ALIGNED, REFERENCES_ALIGNED)
    assert aligned.rows() == table.rows()
    assert aligned.records() == table.records()


def test_sums_alone_give_the_corpus_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = score_aligned(["rouge-l", "bleu"], SYSTEMS_ALIGNED, REFERENCES_ALIGNED)
    monkeypatch.setattr("textassay.metrics.contract.Metric.chunk", 4)
    sums = score_aligned(["rouge-l", "bleu"], SYSTEMS_ALIGNED, REFERENCES_ALIGNED, options=ScoringOptions(keep=False))
    for one, other in zip(kept.records(), sums.records(), strict=True):
        assert one.keys() == other.keys()
        assert one["n"] == other["n"] == LINES
        assert one["value"] == pytest.approx(other["value"], rel=1e-14)
    assert all(result.segments.size == 0 for systems in sums.scores.values() for result in systems.values())
    assert [row["item"] for row in sums.rows()] == [""] * 6


def test_scores_alone_are_those_of_the_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["rouge-l", "bleu", "nist"]
    kept = score_aligned(names, SYSTEMS_ALIGNED, REFERENCES_ALIGNED)
    monkeypatch.setattr("textassay.metrics.contract.Metric.chunk", 4)
    options = ScoringOptions(scores_only=True)
    alone = score_aligned(names, SYSTEMS_ALIGNED, REFERENCES_ALIGNED, options=options)
    for name in names:
        for system, found in alone.scores[name].items():
            np.testing.assert_array_equal(found.segments, kept.scores[name][system].segments)
            assert found.corpus == pytest.approx(kept.scores[name][system].corpus, rel=1e-14)
            assert len(found.statistics) == 0
    assert [row["item"] for row in alone.rows()] == [row["item"] for row in kept.rows()]


def test_lines_of_files_are_asked_for_chunk_by_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(SYSTEMS_ALIGNED["A"]), encoding="utf-8")
    asked: list[int] = []
    read = LineFile._read
    monkeypatch.setattr(LineFile, "_read", lambda self, a, b: asked.append(b - a) or read(self, a, b))
    made = metric("rouge-l")
    monkeypatch.setattr(type(made), "chunk", 10)
    found = score_aligned([made], {"A": LineFile(path)}, REFERENCES_ALIGNED)
    assert asked == [10, 10, 5]
    expected = score_aligned(["rouge-l"], {"A": SYSTEMS_ALIGNED["A"]}, REFERENCES_ALIGNED)
    np.testing.assert_array_equal(found.scores["rouge-l"]["A"].segments, expected.scores["rouge-l"]["A"].segments)


def test_wrong_input() -> None:
    with pytest.raises(UsageError, match="no system to score; give at least one"):
        score_aligned(["rouge-l"], {}, [["a"]])
    with pytest.raises(DataError, match="A has 2 texts for 1 sets of references; they must match one by one"):
        score_aligned(["rouge-l"], {"A": ["a", "b"]}, [["a"]])
