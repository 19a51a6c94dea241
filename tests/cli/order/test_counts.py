"""`textassay order counts`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Command = Callable[..., Any]


def test_counts_of_eight(textassay: Command) -> None:
    rows = json.loads(textassay("order", "counts", 8, "--format", "json").out)
    assert [row["Orders"] for row in rows][:5] == [1, 7, 27, 76, 174]
    assert len(rows) == 29
    assert sum(row["Orders"] for row in rows) == 40320
    assert (rows[0]["tau"], rows[-1]["tau"]) == (1, -1)


def test_bins(textassay: Command) -> None:
    rows = json.loads(textassay("order", "counts", 8, "--bins", 8, "--format", "json").out)
    assert [row["Orders"] for row in rows] == [111, 2080, 5848, 14039, 10203, 6809, 1119, 111]
    assert "[0.75, 1]" in textassay("order", "counts", 8, "--bins", 8).out


def test_large_numbers_stay_whole(textassay: Command) -> None:
    rows = json.loads(textassay("order", "counts", 60, "--format", "json").out)
    assert max(row["Orders"] for row in rows) > 10**75


def test_many_units_have_shares_and_say_so(textassay: Command) -> None:
    ran = textassay("order", "counts", 300, "--bins", 4)
    assert ran.code == 0, ran.err
    assert "Orders of 300 units" in ran.out
    said = " ".join(ran.out.split())
    assert "about 3.061e+614 orders" in said  # 300!
    assert "Beyond 200 units they are not counted: shares are floating-point numbers" in said
    rows = json.loads(textassay("order", "counts", 300, "--bins", 4, "--format", "json").out)
    assert "Orders" not in rows[0]
    assert sum(row["Share"] for row in rows) == pytest.approx(1)
    assert f"{rows[0]['Share']:.4g}" in ran.out  # small as it is


def test_too_many_rows_to_read(textassay: Command) -> None:
    ran = textassay("order", "counts", 1000)
    assert ran.code == 2
    assert "499501 values of tau; group them with --bins 8, or list all with --format csv" in " ".join(ran.err.split())


def test_mistakes(textassay: Command) -> None:
    assert textassay("order", "counts", "-1").code == 2
    ran = textassay("order", "counts", "eight")
    assert ran.code == 2
    assert "eight" in ran.err
    assert "bins must be" in textassay("order", "counts", 8, "--bins", 0).err
