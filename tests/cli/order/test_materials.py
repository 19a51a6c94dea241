"""`textassay order materials`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay.ordering import tau

Command = Callable[..., Any]
SENTENCES = ("Mary came.", "She sat.", "However, Dr. Ada left.", "Doors closed.", "Rain fell.", "Ice grew.")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.csv"
    path.write_text(f'item,text\nt1,"{" ".join(SENTENCES)}"\n', encoding="utf-8")
    return path


def test_whole_texts_fall_into_sentences(textassay: Command, texts: Path, tmp_path: Path) -> None:
    to = tmp_path / "made.csv"
    ran = textassay("order", "materials", texts, "--bins", 8, "--seed", 1, "--to", to)
    assert ran.code == 0, ran.err
    assert "item t1, unit 2 opens with a pronoun: 'She'" in ran.out
    assert "item t1, unit 3 opens with a connective: 'However'" in ran.out
    with to.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["item", "system", "unit", "text", "tau"]  # a study's table of texts
    assert [row["system"] for row in rows[::6]] == [f"bin {number}" for number in range(1, 9)]
    for start in range(0, len(rows), 6):
        order = [row["unit"] for row in rows[start : start + 6]]
        assert {row["tau"] for row in rows[start : start + 6]} == {str(tau(order, list("123456")))}
    assert all(row["text"] == SENTENCES[int(row["unit"]) - 1] for row in rows)


def test_unequal_bins_with_names_from_the_orders_of_a_table(textassay: Command, texts: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    assert textassay("order", "materials", texts, "--seed", 3, "--to", first).code == 0
    flags = ("--edges", 0.5, -0.2, "--names", "high", "medium", "low", "--among", first, "--to", second)
    ran = textassay("order", "materials", texts, *flags)
    assert ran.code == 0, ran.err
    assert "[-0.2, 0.5)" in ran.out
    texts_of = {}
    for path in (first, second):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        texts_of[path] = {
            row["system"]: [each["text"] for each in rows if each["system"] == row["system"]] for row in rows
        }
    assert list(texts_of[second]) == ["high", "medium", "low"]
    assert all(text in texts_of[first].values() for text in texts_of[second].values())


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--bins", 8, "--edges", 0.5), "--bins makes bins of equal width, --edges others; give one of the two"),
        (("--edges", 0, 0.5), "edges of bins fall from below 1 to above -1"),
        (("--bins", 2, "--names", "high"), "there are 2 bins; give each a name of its own with --names, got 1"),
        (("--bins", 2, "--names", "x", "x"), "give each a name of its own"),
    ],
)
def test_wrong_flags(textassay: Command, texts: Path, flags: tuple[object, ...], message: str) -> None:
    ran = textassay("order", "materials", texts, *flags)
    assert ran.code == 2
    assert message in ran.err


def test_same_seed_same_materials(textassay: Command, texts: Path) -> None:
    first, again, other = (textassay("order", "materials", texts, "--seed", seed).out for seed in (1, 1, 2))
    assert first == again != other


def test_rows_that_are_units(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    lines = [
        "item,system,unit,text",
        *(f"t1,gold,u{number},Text {number}." for number in range(5)),
        "t1,other,u0,Text.",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = textassay("order", "materials", path, "--bins", 2, "--system", "gold", "--format", "json")
    records = json.loads(ran.out)
    assert [row["bin"] for row in records] == [1, 2]
    assert sorted(records[0]["order"].split()) == ["u0", "u1", "u2", "u3", "u4"]
    several = textassay("order", "materials", path)
    assert several.code == 2
    assert "say which with --system: gold, other" in several.err
    none = textassay("order", "materials", path, "--system", "x")
    assert "there is no system 'x'; use one of: gold, other" in none.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,text\nt1,One.\n", "item t1 has fewer than 2 units (1)"),
        ("item,text\nt1,One. Two.\nt1,Three. Four.\n", "is already in line 2"),
        ("item,unit,text\nt1,a,One.\nt1,,Two.\n", "give each row the id of its unit, or remove the column"),
        ("item,words\nt1,x\n", "column 'text' is missing"),
    ],
)
def test_mistakes(textassay: Command, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "texts.csv"
    path.write_text(text, encoding="utf-8")
    ran = textassay("order", "materials", path)
    assert ran.code == 1
    assert message in ran.err
