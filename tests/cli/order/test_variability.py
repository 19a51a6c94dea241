"""`textassay order variability`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from people_orders import people_orders

Command = Callable[..., Any]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "orders.csv"
    given = people_orders(1, people=6, texts=3, n=5, pull=0.7)
    rows = [
        (g.item, g.by, "participant", " ".join(g.order), g.condition, " ".join(g.start or ()), "main") for g in given
    ]
    rows += [(f"S{k}", "gold", "reference", "0 1 2 3 4", "", "", "") for k in (1, 2, 3)]
    rows.append(("S1", "p1", "participant", "4 3 2 1 0", "O", "", "repeat"))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("item", "by", "role", "order", "condition", "start", "kind"), *rows])
    return path


def test_text_has_the_important_and_details_when_asked(textassay: Command, table: Path) -> None:
    ran = textassay("order", "variability", table, "--draws", "99")
    assert ran.code == 0, ran.err
    for title in (
        "How far people agree on each text",
        "Closeness to given orders",
        "How many people's orders are enough",
    ):
        assert title in ran.out
    assert "Mean tau of each pair of people" not in ran.out
    assert "Note: 1 order(s) of repeat trials are excluded" in ran.out
    details = textassay("order", "variability", table, "--details", "--numbering", "R", "--draws", "99").out
    assert "Mean tau of each pair of people" in details
    assert "Published: closeness to given orders in the numbers of R" in details


def test_records(textassay: Command, table: Path) -> None:
    ran = textassay("order", "variability", table, "--format", "json")
    records = json.loads(ran.out)
    found = {(row["statistic"], row["of"], row["by"]): row for row in records}
    pull = found["shown less not shown", "tau with start", "all starts"]
    # six people: all 720 ways to hand the lists out are counted
    assert pull["value"] > 0.2
    assert pull["p"] < 0.1
    assert found["mean tau", "all texts", "gold"]["value"] == pytest.approx(
        sum(found["mean tau", f"S{k}", "gold"]["value"] for k in (1, 2, 3)) / 3
    )
    assert {row["statistic"] for row in records} >= {"W", "F", "HSD", "kappa with gold", "difference"}
    rows = list(csv.DictReader(io.StringIO(textassay("order", "variability", table, "--format", "csv").out)))
    assert len(rows) == len(records)
    assert r"\begin{tabular}" in textassay("order", "variability", table, "--format", "latex").out


def test_mistakes_are_named(textassay: Command, tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("item,by,role,order\n1,A,system,a b\n", encoding="utf-8")
    ran = textassay("order", "variability", path)
    assert ran.code == 1
    assert "no orders by people; give rows of role participant (there are: system)" in " ".join(ran.err.split())
    path.write_text("item,by,role,order\n1,p,participant,a b\n1,q,participant,b a\n1,A,system,a b\n", encoding="utf-8")
    ran = textassay("order", "variability", path, "--numbering", "B")
    assert ran.code == 2
    assert "numbering must be a target with an order of every text, got 'B'; there are A" in " ".join(ran.err.split())
    path.write_text("item,by,role,order\n1,p,participant,a b\n1,q,participant,a c\n", encoding="utf-8")
    ran = textassay("order", "variability", path)
    assert ran.code == 1
    assert "o.csv: text 1, q: only this order or only that of p has 'b', 'c'" in " ".join(ran.err.split())
    path.write_text("item,by,role,order\n1,p,participant,a b\n1,p,participant,b a\n", encoding="utf-8")
    assert "p has more than one order of text 1" in " ".join(textassay("order", "variability", path).err.split())
