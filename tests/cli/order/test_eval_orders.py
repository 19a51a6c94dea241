"""`textassay order eval`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
ORDERS = """item,by,role,order
1,gold,reference,a b c d
1,other,reference,a b d c
1,A,system,b a d c
1,B,system,a b c d
1,P1,participant,a b c d
2,gold,reference,1 2 3 4 5
2,A,system,2 1 3 5 4
2,B,system,1 2 3 4 5
2,P1,participant,2 1 3 4 5
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "orders.csv"
    path.write_text(ORDERS, encoding="utf-8")
    return path


def test_records(textassay: Command, table: Path) -> None:
    ran = textassay("order", "eval", table, "--format", "json")
    assert ran.code == 0, ran.err
    records = {(row["statistic"], row["of"], row["by"]): row for row in json.loads(ran.out)}
    assert records["order-tau", "1", "A"]["value"] == pytest.approx(0.5)
    assert records["order-tau", "1", "A"]["highest"] == pytest.approx(5 / 6)
    assert records["order-tau", "1", "A"]["weighted"] == pytest.approx(0.5)
    assert records["order-tau", "2", "A"]["value"] == pytest.approx(0.6)
    assert records["order-tau", "all items", "A"]["value"] == pytest.approx(0.55)
    assert records["order-accuracy", "2", "A"]["value"] == pytest.approx(0.2)


def test_text_latex_and_csv(textassay: Command, table: Path) -> None:
    text = textassay("order", "eval", table, "--items").out
    assert "Orders against references" in text
    assert "Several references" in text
    assert "Every order" in text
    assert r"\begin{tabular}" in textassay("order", "eval", table, "--format", "latex").out
    rows = list(csv.DictReader(io.StringIO(textassay("order", "eval", table, "--format", "csv").out)))
    assert {row["by"] for row in rows} == {"A", "B", "P1"}


def test_people_as_references(textassay: Command, table: Path) -> None:
    ran = textassay("order", "eval", table, "--against", "participant", "--format", "json")
    records = {(row["statistic"], row["of"], row["by"]): row for row in json.loads(ran.out)}
    assert records["order-tau", "2", "A"]["value"] == pytest.approx(0.8)


def test_first_fixed(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "fixed.csv"
    path.write_text("item,by,role,order\n1,r,reference,a b c d\n1,A,system,a b d c\n", encoding="utf-8")
    records = json.loads(textassay("order", "eval", path, "--first-fixed", "--format", "json").out)
    assert records[0]["chance"] == 0.5


def test_scores_for_correlating(textassay: Command, table: Path, tmp_path: Path) -> None:
    to = tmp_path / "scores.csv"
    assert textassay("order", "eval", table, "--to", to).code == 0
    with to.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["item"], row["system"], row["metric"]) for row in rows][:2] == [
        ("1", "P1", "order-tau"),
        ("2", "P1", "order-tau"),
    ]
    assert float(rows[2]["value"]) == pytest.approx(0.5)


def test_systems_without_reference(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "systems.csv"
    lines = ["item,by,role,order"]
    for item in range(6):
        lines += [f"{item},{system},system,a b c d e f" for system in "ABC"] + [f"{item},D,system,f e d c b a"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    records = json.loads(textassay("order", "eval", path, "--format", "json").out)
    outliers = [row["of"] for row in records if row.get("outlier")]
    assert outliers == ["D"]
    assert "Tau between systems" in textassay("order", "eval", path).out


def test_practice_and_checks_do_not_count(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "kinds.csv"
    rows = [
        "1,r,reference,a b c,",
        "1,P,participant,a b c,main",
        "1,P,participant,c b a,repeat",
        "x,P,participant,1 2,check",
    ]
    path.write_text("item,by,role,order,kind\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = textassay("order", "eval", path)
    assert ran.code == 0, ran.err
    assert "1 order(s) of repeat trials are excluded" in ran.out
    assert "1 order(s) of check trials are excluded" in ran.out


@pytest.mark.parametrize(
    ("text", "arguments", "code", "message"),
    [
        ("item,by,role,order\n1,A,system,a b\n", [], 1, "nothing to compare (0 of role participant, 1 of role system"),
        (
            "item,by,role,order\n1,A,robot,a b\n",
            [],
            1,
            "'robot' is not a role; use one of: participant, system, reference",
        ),
        ("item,by,role\n1,A,system\n", [], 1, "column 'order' is missing"),
        (
            "item,by,role,order\n1,r,reference,a b\n1,A,system,a c\n",
            [],
            1,
            "orders.csv: item 1, system A: the order lacks units",
        ),
        ("item,by,role,order\n1,r,reference,a b\n1,A,system,a c\n", [], 1, "or --units common to compare"),
        ("item,by,role,order\n1,r,reference,a b\n2,A,system,a b\n", [], 1, "no reference for item 2"),
        (ORDERS, ["--units", "any"], 2, "--units"),
        (ORDERS, ["--window", "-1"], 2, "window is -1; it must be at least 0"),
        (ORDERS, ["--confidence", "2"], 2, "confidence must lie between 0 and 1"),
        (ORDERS, ["--lengths", "5"], 2, "add --by-length"),
        (ORDERS, ["--by-length", "--lengths", "5", "3"], 2, "lengths rise from at least 1"),
        (ORDERS, ["--to", "scores.xyz"], 2, "scores.xyz"),
        (ORDERS, ["-i", "hyp.txt"], 2, "give either a table of orders, or plain files"),
    ],
)
def test_mistakes(textassay: Command, tmp_path: Path, text: str, arguments: list[str], code: int, message: str) -> None:
    path = tmp_path / "orders.csv"
    path.write_text(text, encoding="utf-8")
    ran = textassay("order", "eval", path, *arguments)
    assert ran.code == code
    assert message in ran.err


def test_common_units(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("item,by,role,order\n1,r,reference,a b c\n1,A,system,b a x\n", encoding="utf-8")
    ran = textassay("order", "eval", path, "--units", "common")
    assert ran.code == 0, ran.err
    assert "do not cover all units" in ran.out


def test_common_units_between_systems_too(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    rows = ["1,r,reference,a b c d", "1,A,system,a b c", "1,B,system,a b c d", "1,C,system,b a d"]
    path.write_text("item,by,role,order\n" + "\n".join(rows) + "\n", encoding="utf-8")
    ran = textassay("order", "eval", path, "--units", "common")
    assert ran.code == 0, ran.err
    assert "Tau between systems" in ran.out
    refused = textassay("order", "eval", path)
    assert "orders.csv: item 1, system A: " in " ".join(refused.err.split())


def test_plain_files_are_the_same_as_a_table(textassay: Command, table: Path, tmp_path: Path) -> None:
    files = {"A": "b a d c\n2 1 3 5 4\n", "B": "a b c d\n[1, 2, 3, 4, 5]\n", "gold": "a b c d\n1,2,3,4,5\n"}
    files |= {"other": "a b d c\n\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    paths = {name: tmp_path / f"{name}.txt" for name in files}
    asked = ("-i", paths["A"], paths["B"], "-r", paths["gold"], paths["other"], "--format", "json")
    ran = textassay("order", "eval", *asked)
    assert ran.code == 0, ran.err
    from_files = [row for row in json.loads(ran.out) if row["by"] in ("A", "B")]
    from_table = [
        row for row in json.loads(textassay("order", "eval", table, "--format", "json").out) if row["by"] in ("A", "B")
    ]

    def ordered(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return sorted((row["statistic"], row["of"], row["by"], row["value"]) for row in rows)

    assert ordered(from_files) == ordered(from_table)


def test_by_length(textassay: Command, table: Path) -> None:
    assert "By number of units" in textassay("order", "eval", table, "--by-length").out
    assert "4–5" in textassay("order", "eval", table, "--by-length", "--lengths", "3", "10").out


def test_a_line_that_is_no_permutation_is_named(textassay: Command, tmp_path: Path) -> None:
    (tmp_path / "hyp.txt").write_text("1 2\n1 3\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("1 2\n1 2\n", encoding="utf-8")
    ran = textassay("order", "eval", "-i", tmp_path / "hyp.txt", "-r", tmp_path / "ref.txt")
    assert ran.code == 1
    assert "hyp.txt:2: the order lacks units of the reference: '2'" in " ".join(ran.err.split())
    assert "--units common" in ran.err
