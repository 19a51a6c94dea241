"""What the sub-commands read."""

from __future__ import annotations

from pathlib import Path

from textassay.cli.order.tables import read_orders, read_units


def test_orders_by_role(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("item,by,role,order,practice\n1,r,reference,a  b,\n1,P,participant,b a,true\n", encoding="utf-8")
    found = read_orders(path)
    assert [each.order for each in found.of_role["reference"]] == [("a", "b")]
    assert found.of_role["participant"] == []
    assert found.notes == ("1 order(s) of practice trials are left out",)


def test_sentences_of_another_language(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("item,text\nt,Er kam z. B. gestern. Sie blieb.\n", encoding="utf-8")
    assert read_units(path, "de", None) == {"t": {"1": "Er kam z. B. gestern.", "2": "Sie blieb."}}
