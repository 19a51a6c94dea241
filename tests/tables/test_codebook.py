from __future__ import annotations

import csv
from pathlib import Path

from textassay.tables.codebook import DescribedFile, write_codebook
from textassay.tables.schema import Column

FILES = [
    DescribedFile(
        "ratings.csv",
        "one row a rating",
        (
            Column("who", "text", "who | answered"),
            Column("value", "integer", "the rating"),
            Column("note", "text", "what was\nwritten", personal=True),
        ),
        values={"value": {"1": "bad", "2": "", "3": "good; or better"}},
        left_out=frozenset({"note"}),
    ),
    DescribedFile("empty.csv", "nothing", ()),
]


def test_for_programs(tmp_path: Path) -> None:
    table, _ = write_codebook(tmp_path, "A study", FILES)
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["file"], row["column"], row["type"], row["personal"], row["exported"]) for row in rows] == [
        ("ratings.csv", "who", "text", "false", "true"),
        ("ratings.csv", "value", "integer", "false", "true"),
        ("ratings.csv", "note", "text", "true", "false"),
    ]
    assert rows[1]["values"] == "1: bad; 2; 3: good; or better"
    assert rows[2]["description"] == "what was\nwritten"


def test_for_people(tmp_path: Path) -> None:
    _, page = write_codebook(tmp_path, "A\nstudy", FILES)
    assert page.read_text(encoding="utf-8").splitlines() == [
        "# Codebook: A study",
        "",
        "## ratings.csv",
        "",
        "One row a rating.",
        "",
        "| column | type | what it is | values |",
        "|---|---|---|---|",
        r"| `who` | text | who \| answered |  |",
        "| `value` | whole number | the rating | 1: bad; 2; 3: good; or better |",
        "| `note` | text | what was written; personal; left out of this export |  |",
        "",
        "## empty.csv",
        "",
        "Nothing.",
        "",
        "| column | type | what it is | values |",
        "|---|---|---|---|",
    ]
