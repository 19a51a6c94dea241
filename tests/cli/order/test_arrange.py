"""`textassay order arrange`: what it writes, prints and refuses."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
TEXTS = 'item,text\nt,"The sun shines. The sea is deep. The sun sinks in the deep sea."\nu,"Prices rose. Banks fell."\n'
UNITS = "item,unit,text,when\nt,a,cats purr,2007-04-22\nt,b,dogs bark,1999-01-01\nt,c,cats and dogs,2001-06-30\n"
ENTITIES = "item,unit,entity,role\nt,1,sun,S\nt,2,sea,s\nt,3,sun,S\nt,3,sea,\nu,1,prices,S\nu,2,banks,S\nu,2,prices,X\n"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "texts.csv").write_text(TEXTS, encoding="utf-8")
    (tmp_path / "units.csv").write_text(UNITS, encoding="utf-8")
    (tmp_path / "entities.csv").write_text(ENTITIES, encoding="utf-8")
    return tmp_path / "texts.csv"


def written(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["item"], row["by"]): row for row in csv.DictReader(file)}


def test_orders_table_is_what_eval_reads(textassay: Command, texts: Path) -> None:
    to = texts.with_name("orders.csv")
    ran = textassay("order", "arrange", texts, "--method", "path", "reversed", "original", "--to", to)
    assert ran.code == 0, ran.err
    rows = written(to)
    assert rows["t", "path"]["order"] == "1 3 2"
    assert rows["t", "path"]["role"] == "system"
    assert rows["t", "path"]["exact"] == "true"
    assert rows["t", "path"]["cost"] == rows["t", "path"]["lower_bound"]
    assert rows["t", "reversed"]["order"] == "3 2 1"
    assert rows["t", "reversed"]["cost"] == ""
    assert "Orders by method" in ran.out
    evaluated = textassay("order", "eval", to)
    assert evaluated.code == 0, evaluated.err


def test_table_of_texts_is_what_a_study_reads(textassay: Command, texts: Path) -> None:
    to, orders = texts.with_name("made.csv"), texts.with_name("orders.csv")
    flags = ("--method", "original", "path", "--names", "O", "T", "--texts-to", to, "--to", orders)
    assert textassay("order", "arrange", texts, *flags).code == 0
    with to.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["item"] == "t"]
    assert [(row["system"], row["unit"]) for row in rows] == [
        *(("O", unit) for unit in "123"),
        *(("T", unit) for unit in "132"),
    ]
    assert [row["text"] for row in rows[3:]] == [
        "The sun shines.",
        "The sun sinks in the deep sea.",
        "The sea is deep.",
    ]
    assert [float(row["tau"]) for row in rows] == [1, 1, 1, *[pytest.approx(1 / 3)] * 3]  # one of three pairs exchanged
    assert ("t", "T") in written(orders)


def test_random_is_seeded_and_keeps_the_first(textassay: Command, texts: Path) -> None:
    runs = [
        json.loads(textassay("order", "arrange", texts, "--method", "random", "--seed", seed, "-f", "json").out)
        for seed in (1, 1, 2, 3, 4)
    ]
    assert runs[0] == runs[1]
    assert len({run[0]["order"] for run in runs}) == 2  # 1 2 3 and 1 3 2
    assert all(run[0]["order"].startswith("1") for run in runs)


@pytest.mark.parametrize("times", [None, ("3", "1", "2")])
def test_chronological_by_dates_and_numbers(textassay: Command, texts: Path, times: tuple[str, ...] | None) -> None:
    units = texts.with_name("units.csv")
    if times:
        dates = ("2007-04-22", "1999-01-01", "2001-06-30")
        changed = UNITS
        for date, number in zip(dates, times, strict=True):
            changed = changed.replace(date, number)
        units.write_text(changed, encoding="utf-8")
    ran = textassay("order", "arrange", units, "--method", "chronological", "--time", "when", "-f", "json")
    assert json.loads(ran.out)[0]["order"] == "b c a"


def test_grid_learns_from_the_other_texts_or_a_table(textassay: Command, texts: Path) -> None:
    entities = texts.with_name("entities.csv")
    ran = textassay("order", "arrange", texts, "--method", "grid", "--entities", entities, "-f", "json")
    assert ran.code == 0, ran.err
    others = json.loads(ran.out)
    given = json.loads(
        textassay(
            *("order", "arrange", texts, "--method", "grid", "--entities", entities, "--train", entities),
            *("--first", "free", "-f", "json"),
        ).out
    )
    assert [each["by"] for each in others] == ["grid", "grid"]
    assert others[0]["cost"] != given[0]["cost"]
    # u by a model of t alone. t: sun S - S, sea - S X, so the steps S→- -→S -→S S→X. With 1 added, after S: 1 1 2 2 of
    # 6; after -: 3 1 1 1 of 6. u, its first kept: prices S→X 2/6, banks -→S 3/6.
    assert others[1]["cost"] == pytest.approx(-math.log(2 / 6 * 3 / 6))


def test_similarities_of_a_table(textassay: Command, texts: Path) -> None:
    table = texts.with_name("similar.csv")
    table.write_text("item,unit,other,value\nt,a,b,0.9\nt,b,c,0.8\nt,a,c,0.1\n", encoding="utf-8")
    units = texts.with_name("units.csv")
    ran = textassay("order", "arrange", units, "--similarities", table, "-f", "json")
    (record,) = json.loads(ran.out)
    assert record["order"] == "a b c"
    assert record["cost"] == pytest.approx(0.1 + 0.2)
    table.write_text("item,unit,other,value\nt,a,b,0.9\n", encoding="utf-8")
    ran = textassay("order", "arrange", units, "--similarities", table)
    assert ran.code == 1
    assert "no similarity of the units a and c" in ran.err
    table.write_text("item,unit,other,value\nt,a,z,0.9\n", encoding="utf-8")
    assert (
        "similar.csv:2: other: item t has no unit 'z'"
        in textassay("order", "arrange", units, "--similarities", table).err
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--method", "chronological"), 2, "--time"),
        (("--method", "grid"), 2, "--entities"),
        (("--method", "sideways"), 2, "sideways"),
        (("--method", "chronological", "--time", "whn"), 1, "column 'whn' is missing; rename 'when' to 'whn'"),
        (("--method", "chronological", "--time", "text"), 1, "'cats purr' is not a time"),
    ],
)
def test_mistakes_are_named(
    textassay: Command, texts: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    ran = textassay("order", "arrange", texts.with_name("units.csv"), *arguments)
    assert ran.code == code
    assert message in " ".join(ran.err.split())


def test_wrong_role_is_named(textassay: Command, texts: Path) -> None:
    entities = texts.with_name("entities.csv")
    entities.write_text("item,unit,entity,role\nt,1,sun,subject\n", encoding="utf-8")
    ran = textassay("order", "arrange", texts, "--method", "grid", "--entities", entities)
    assert ran.code == 1
    assert "entities.csv:2: role: 'subject' is not a role; use S, O or X" in ran.err


def test_a_time_limit_covers_the_search(textassay: Command, tmp_path: Path) -> None:
    draws = random.Random(4)
    words = [f"w{number}" for number in range(60)]
    rows = [f"t,{unit},{' '.join(draws.sample(words, 6))}" for unit in range(300)]
    (tmp_path / "many.csv").write_text("item,unit,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = textassay("order", "arrange", tmp_path / "many.csv", "--time-limit", "0.001", "--format", "json")
    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)[0]["order"].split()) == 300
    said = textassay("order", "arrange", tmp_path / "many.csv", "--time-limit", "0.001").out
    assert "local search was stopped by the time limit of 0.001 seconds" in " ".join(said.split())
    refused = textassay("order", "arrange", tmp_path / "many.csv", "--time-limit", "0")
    assert (refused.code, "time_limit must be above 0 seconds" in refused.err) == (2, True)
