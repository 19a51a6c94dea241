"""`textassay score --documents`: which document a text belongs to, and where the scores of documents go."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from small_study import write_csv, write_small_study

from textassay.metrics import score

Command = Callable[..., object]
REFERENCES = ["the cat is on the mat", "a dog barks loudly", "it rains today", "we sing a song"]
A = ["the cat sat on the mat", "a dog barks", "it rains", "we sing"]
B = ["a cat on mat", "the dog barks loudly", "rain", "we song a sing"]


def corpus(texts: list[str], *rows: int) -> float:
    return score("rouge-l", tuple(texts[row] for row in rows), [[REFERENCES[row]] for row in rows]).corpus


EXPECTED = [
    ("animals", "a", 2, corpus(A, 0, 3)),
    ("others", "a", 2, corpus(A, 1, 2)),
    ("animals", "b", 2, corpus(B, 0, 3)),
    ("others", "b", 2, corpus(B, 1, 2)),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Files in the working directory; the flags that name them."""
    monkeypatch.chdir(tmp_path)
    names = ["animals", "others", "others", "animals"]
    for name, lines in (("ref", REFERENCES), ("a", A), ("b", B), ("documents", names)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ("score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", "rouge-l", "--documents", "documents.txt")


def read(text: str) -> list[tuple[str, str, int, float]]:
    rows = csv.DictReader(text.splitlines())
    return [(row["document"], row["system"], int(row["texts"]), float(row["rouge-l"])) for row in rows]


def test_csv_is_the_table_of_documents(textassay: Command, files: tuple[str, ...]) -> None:
    assert read(textassay(*files, "--format", "csv").out) == EXPECTED


def test_text_has_systems_then_documents(textassay: Command, files: tuple[str, ...]) -> None:
    out = textassay(*files).out
    systems, documents = out.split("Scores of documents")
    assert systems.startswith("Scores")
    cells = [line.split() for line in documents.splitlines() if line.strip()]
    assert cells[0] == ["document", "system", "texts", "rouge-l"]
    assert cells[2:] == [[name, system, str(n), f"{value:.4f}"] for name, system, n, value in EXPECTED]
    latex = textassay(*files, "--format", "latex", "--width", "1").out
    assert f"animals & a & 2 & {EXPECTED[0][3]:.1f}" in latex


def test_json_has_a_record_for_each(textassay: Command, files: tuple[str, ...]) -> None:
    records = json.loads(textassay(*files, "--format", "json").out)
    found = [(row["document"], row["by"], row["n"], row["value"]) for row in records if "document" in row]
    assert found == EXPECTED
    assert len(records) == len(EXPECTED) + 2


def test_written_to_a_file_they_leave_room_for_tests(textassay: Command, files: tuple[str, ...]) -> None:
    out = textassay(*files, "--to", "documents.csv", "--ci", "--format", "csv", "--quiet").out
    assert out.splitlines()[0] == "system,rouge-l,rouge-l interval low,rouge-l interval high"
    assert read(Path("documents.csv").read_text("utf-8")) == EXPECTED
    ran = textassay(*files, "--ci", "--format", "csv")
    told = "--documents as CSV shows documents, but --ci and tests are about systems; write the documents with --to"
    assert (ran.code, ran.err) == (2, f"textassay: {told}\n")


def test_texts_have_a_column_for_their_document(textassay: Command, files: tuple[str, ...]) -> None:
    out = textassay(*files, "--segments", "--to", "texts.csv").out
    assert "Scores of documents" in out
    rows = list(csv.DictReader(Path("texts.csv").read_text("utf-8").splitlines()))
    assert [(row["item"], row["document"], row["system"]) for row in rows[2:6]] == [
        ("3", "others", "a"),
        ("4", "animals", "a"),
        ("1", "animals", "b"),
        ("2", "others", "b"),
    ]


def test_a_column_of_a_table(textassay: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    columns = ("item", "system", "page", "text")
    rows = [(str(row), "a", "animals" if row in (0, 3) else "others", A[row]) for row in range(4)]
    write_csv(tmp_path / "texts.csv", columns, rows)
    write_csv(tmp_path / "references.csv", ("item", "text"), [(str(row), REFERENCES[row]) for row in range(4)])
    command = ("score", "texts.csv", "--references", "references.csv", "-m", "rouge-l", "--format", "csv")
    assert read(textassay(*command, "--documents", "page").out) == EXPECTED[:2]
    ran = textassay(*command, "--documents", "pages")
    wrong = "texts.csv has no column 'pages'; it has: item, system, page, text; did you mean 'page'?"
    assert (ran.code, ran.err) == (2, f"textassay: {wrong}\n")
    write_csv(tmp_path / "texts.csv", columns, [*rows, ("0", "b", "others", "a cat"), ("1", "b", "", "a dog")])
    told = textassay(*command, "--documents", "page").err
    assert "texts.csv:6: page: item 0 is in document 'animals' above; an item belongs to one document" in told
    assert "texts.csv:7: page: no document; name the one that the text belongs to" in told


def test_a_column_of_the_items_of_a_study(textassay: Command, tmp_path: Path) -> None:
    study = write_small_study(tmp_path / "study")
    command = ("score", study, "-m", "rouge-l", "--format", "csv", "--documents", "context")
    documents = list(csv.DictReader(textassay(*command).out.splitlines()))
    texts = list(csv.DictReader(textassay(*command, "--segments").out.splitlines()))
    # Each item has a context of its own, so that a document is one text.
    kept = ("document", "system", "rouge-l")
    assert [[row[key] for key in kept] for row in documents] == [[row[key] for key in kept] for row in texts]
    ran = textassay(*command[:-1], "page")
    assert ran.code == 2
    assert "names no document of item i1 in a column 'page'; give the name of a column of that table" in ran.err


def test_what_has_no_documents_refuses_them(textassay: Command, files: tuple[str, ...]) -> None:
    Path("documents.txt").write_text("animals\n\nothers\nanimals\n", encoding="utf-8")
    assert textassay(*files).err == (
        "textassay: documents.txt:2: no document; each line names the document of the text in that line\n"
    )
    write_csv(Path("orders.csv"), ("item", "by", "role", "order"), [("1", "a", "system", "1 2")])
    told = textassay("score", "orders.csv", "-m", "order-tau", "--documents", "item").err
    remedy = "--documents goes with plain files, a table of texts or a study"
    assert told == f"textassay: orders.csv has no documents; {remedy}\n"


def test_of_many_documents_the_first_are_shown_and_csv_has_all(textassay: Command, tmp_path: Path) -> None:
    for name, lines in (("texts", ["a b"] * 201), ("documents", [f"d{number}" for number in range(201)])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    texts, documents = (str(tmp_path / f"{name}.txt") for name in ("texts", "documents"))
    flags = ("score", "-r", texts, "-i", texts, "-m", "rouge-l", "--documents", documents)
    shown = textassay(*flags).out
    assert "d199" in shown
    assert "d200" not in shown
    assert "1 more rows: use --format csv." in shown
    assert len(read(textassay(*flags, "--format", "csv").out)) == 201
