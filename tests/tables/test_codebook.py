from __future__ import annotations

import csv
import io

from textassay.tables.codebook import DescribedFile, codebook
from textassay.tables.schema import Column

FILES = [
    DescribedFile(
        "ratings.csv",
        "one row per rating",
        (
            Column("who", "text", "who | answered"),
            Column("value", "integer", "the rating"),
            Column("note", "text", "what was\nwritten", personal=True),
        ),
        values={"value": {"1": "bad", "2": "", "3": "good; or better"}},
        omitted=frozenset({"note"}),
    ),
    DescribedFile("empty.csv", "nothing", ()),
]


def test_for_programs() -> None:
    rows = list(csv.DictReader(io.StringIO(codebook("A study", FILES)["codebook.csv"], newline="")))
    assert [(row["file"], row["column"], row["type"], row["personal"], row["exported"]) for row in rows] == [
        ("ratings.csv", "who", "text", "false", "true"),
        ("ratings.csv", "value", "integer", "false", "true"),
        ("ratings.csv", "note", "text", "true", "false"),
    ]
    assert rows[1]["values"] == "1: bad; 2; 3: good; or better"
    assert rows[2]["description"] == "what was\nwritten"


def test_for_people() -> None:
    assert codebook("A\nstudy", FILES)["codebook.md"].splitlines() == [
        "# Codebook: A study",
        "",
        "## ratings.csv",
        "",
        "One row per rating.",
        "",
        "| column | type | what it is | values |",
        "|---|---|---|---|",
        r"| `who` | text | who \| answered |  |",
        "| `value` | whole number | the rating | 1: bad; 2; 3: good; or better |",
        "| `note` | text | what was written; personal; not in this export |  |",
        "",
        "## empty.csv",
        "",
        "Nothing.",
        "",
        "| column | type | what it is | values |",
        "|---|---|---|---|",
    ]
