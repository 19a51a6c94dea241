"""What the sub-commands read."""

from __future__ import annotations

from pathlib import Path

import pytest

from textassay.cli.order.tables import read_order_table, read_text_units
from textassay.errors import DataError, TableError


def test_orders_by_role(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("item,by,role,order,practice\n1,r,reference,a  b,\n1,P,participant,b a,true\n", encoding="utf-8")
    found = read_order_table(path)
    assert [each.order for each in found.of_role["reference"]] == [("a", "b")]
    assert found.of_role["participant"] == []
    assert found.notes == ("1 order(s) of practice trials are excluded",)


def test_sentences_of_another_language(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("item,text\nt,Er kam z. B. gestern. Sie blieb.\n", encoding="utf-8")
    assert read_text_units(path, "de", None) == {"t": {"1": "Er kam z. B. gestern.", "2": "Sie blieb."}}


def test_units_with_spaces_would_make_orders_that_nobody_can_read(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("item,unit,text\nt,a b,One.\nt,c,Two.\n", encoding="utf-8")
    with pytest.raises(TableError, match="'a b': a unit's id must have no space"):
        read_text_units(path, "en", None)


def test_one_order_an_item_but_several_references(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    head = "item,by,role,order\n1,r,reference,a b\n1,r,reference,b a\n1,A,system,a b\n"
    path.write_text(head, encoding="utf-8")
    assert len(read_order_table(path).of_role["reference"]) == 2
    path.write_text(head + "1,A,system,b a\n", encoding="utf-8")
    with pytest.raises(DataError, match="system A has 2 orders of item 1; keep one"):
        read_order_table(path)
