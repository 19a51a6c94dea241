"""`textassay score` for orders: plain files with one order per line, tables of orders, texts with a row per unit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay.metrics import score

Command = Callable[..., Any]
TABLE = """item,by,role,order
1,gold,reference,a b c d
1,other,reference,a b d c
1,A,system,b a d c
1,B,system,a b c d
2,gold,reference,1 2 3 4 5
2,A,system,2 1 3 5 4
2,B,system,1 2 3 5 4
"""
UNITS = "item,system,unit,text\n1,A,b,Two.\n1,A,a,One.\n1,A,c,Three.\n"
REFERENCE_UNITS = "item,unit,text\n1,a,One.\n1,b,Two.\n1,c,Three.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def values(ran: Any) -> dict[tuple[str, str], float]:
    assert ran.code == 0, ran.err
    return {(row["of"], row["by"]): row["value"] for row in json.loads(ran.out)}


@pytest.mark.usefixtures("folder")
def test_plain_files_in_every_form_are_what_lists_are(textassay: Command) -> None:
    orders, right = [[2, 0, 1, 3], [1, 0]], [[0, 1, 2, 3], [0, 1]]
    write("ref.txt", "0 1 2 3\n0 1\n")
    forms = {"spaces": "2 0 1 3\n1 0\n", "commas": "2,0,1,3\n1, 0\n", "lists": '[2, 0, 1, 3]\n["1", "0"]\n'}
    inputs = [write(f"{name}.txt", text) for name, text in forms.items()]
    names = ["order-tau", "order-lsr", "order-rouge-s", "order-accuracy:corpus=pooled"]
    found = values(textassay("score", "-i", *inputs, "-r", "ref.txt", "-m", *names, "--format", "json"))
    references = [[each] for each in right]
    for name in names[:3]:
        expected = score(name, orders, references).corpus
        assert {found[name, form] for form in forms} == {expected}, name
    pooled = score("order-accuracy", orders, references, corpus="pooled").corpus
    assert found["order-accuracy:corpus=pooled", "lists"] == pooled == pytest.approx(1 / 6)


@pytest.mark.usefixtures("folder")
def test_several_references_intervals_and_tests(textassay: Command) -> None:
    write("a.txt", "2 1 3\n" * 6)
    write("b.txt", "3 2 1\n" * 6)
    write("r1.txt", "1 2 3\n" * 6)
    write("r2.txt", "2 1 3\n" * 5 + "\n")
    asked = ("score", "-i", "a.txt", "b.txt", "-r", "r1.txt", "r2.txt", "-m", "order-tau")
    ran = textassay(*asked, "--ci", "--paired-ar", "--format", "json")
    assert ran.code == 0, ran.err
    rows = json.loads(ran.out)
    # a: 1/3 with the first and 1 with the second reference, which the last text lacks; b: -1 and -1/3.
    assert [row["value"] for row in rows[:2]] == pytest.approx([(5 * 2 / 3 + 1 / 3) / 6, (5 * -2 / 3 - 1) / 6])
    assert any("interval" in row["method"] for row in rows)
    assert any(row.get("p") for row in rows)
    assert "nrefs:1-2" in rows[0]["signature"]
    assert "r2.txt: 1 empty line" in ran.err


@pytest.mark.usefixtures("folder")
def test_a_table_of_orders(textassay: Command) -> None:
    write("orders.csv", TABLE)
    found = values(textassay("score", "orders.csv", "-m", "order-tau", "order-lsr", "--format", "json"))
    assert found["order-tau", "A"] == pytest.approx(0.55)  # (1/3 + 2/3) / 2 and 0.6
    assert found["order-lsr", "A"] == pytest.approx(((0.5 + 0.75) / 2 + 0.6) / 2)


@pytest.mark.usefixtures("folder")
def test_scores_of_both_commands_are_one(textassay: Command) -> None:
    write("orders.csv", TABLE)
    assert textassay("score", "orders.csv", "-m", "order-tau", "--scores-to", "one.csv").code == 0
    assert textassay("order", "eval", "orders.csv", "--to", "other.csv").code == 0
    one, other = (set(Path(name).read_text(encoding="utf-8").splitlines()) for name in ("one.csv", "other.csv"))
    assert other - one == set()
    assert "order-tau|nrefs:1-2|multi:mean|units:same|corpus:mean|scale:-1-1|" in next(
        line for line in one if "1,A" in line
    )


@pytest.mark.usefixtures("folder")
def test_texts_with_a_row_per_unit(textassay: Command) -> None:
    write("texts.csv", UNITS)
    write("refs.csv", REFERENCE_UNITS)
    ran = textassay("score", "texts.csv", "--references", "refs.csv", "-m", "order-tau", "--format", "json")
    assert values(ran) == {("order-tau", "A"): pytest.approx(1 / 3)}
    refused = textassay("score", "texts.csv", "-m", "order-tau")
    assert (refused.code, "texts.csv needs reference orders" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("hypotheses", "references", "metric", "message"),
    [
        ("0 1 2\n", "1 2 3\n", "order-tau", "hyp.txt:1: the order lacks units of the reference: '3'"),
        ("0 1 2\n", "1 2 3\n", "order-tau", "one of the two counts from 0 and the other from 1"),
        ("1 2 3\n1 2\n", "1 2 3\n1 2 3\n", "order-tau", "hyp.txt:2: the order lacks units of the reference: '3'"),
        ("1 2 3\n1 2\n", "1 2 3\n1 2 3\n", "order-tau", "or write units=common, as in -m order-tau:units=common"),
        ("1 2 2\n", "1 2 3\n", "order-tau", "the order names units more than once: '2'"),
        ("\n", "1 2\n", "order-tau", "hyp.txt:1: the order lacks units"),
        ("1 2\n", "\n", "order-tau", "ref.txt:1: an empty line; give the reference order of this text"),
        ("[1, 2\n", "1 2\n", "order-tau", "hyp.txt:1: '[1, 2' is no JSON list"),
        ("1 2\n1 2\n", "1 2\n", "order-tau", "the files must match line by line"),
        ("1 2\n", "1 2\n", "bleu", "order-tau takes orders, bleu does not"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_mistakes(textassay: Command, hypotheses: str, references: str, metric: str, message: str) -> None:
    write("hyp.txt", hypotheses)
    write("ref.txt", references)
    asked = dict.fromkeys(["order-tau", metric])
    ran = textassay("score", "-i", "hyp.txt", "-r", "ref.txt", "-m", *asked)
    assert ran.code in (1, 2)
    assert message in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("table", "arguments", "message"),
    [
        (TABLE, ["-m", "bleu"], "orders.csv is a table of orders; score it with metrics of orders"),
        (TABLE, [], "orders.csv is a table of orders"),
        (TABLE, ["-m", "order-tau", "-r", "x.txt"], "-r is for plain files of orders"),
        (TABLE, ["-m", "order-tau", "--references", "x.csv"], "has its references in rows of role reference"),
        (TABLE, ["-m", "order-tau", "--sources", "x.csv"], "orders have no sources"),
        ("item,by,role,order\n1,A,system,a b\n", ["-m", "order-tau"], "orders.csv: no orders of role reference"),
        ("item,by,role,order\n1,A,reference,a b\n", ["-m", "order-tau"], "no orders of role system or participant"),
        (TABLE + "3,A,system,a b\n", ["-m", "order-tau"], "orders.csv: no reference for item 3"),
        (TABLE.replace("2 1 3 5 4", "2 1 3 5"), ["-m", "order-tau"], "orders.csv: item 2, system A: the order lacks"),
        ("item,by,role\n1,A,system\n", ["-m", "order-tau"], "column 'order' is missing"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_mistakes_in_tables(textassay: Command, table: str, arguments: list[str], message: str) -> None:
    write("orders.csv", table)
    ran = textassay("score", "orders.csv", *arguments)
    assert ran.code in (1, 2)
    assert message in " ".join(ran.err.split())


def test_orders_need_references(textassay: Command, folder: Path) -> None:
    write(str(folder / "hyp.txt"), "1 2\n")
    ran = textassay("score", "-i", "hyp.txt", "-m", "order-tau")
    assert (ran.code, "orders need reference orders" in ran.err) == (2, True)
