"""`textassay order` lists its sub-commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from textassay.cli.order import SUBCOMMANDS

Command = Callable[..., Any]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_is_there_and_has_help(textassay: Command, name: str) -> None:
    assert name in textassay("order", "--help").out
    ran = textassay("order", name, "--help")
    assert ran.code == 0
    assert f"textassay order {name}" in ran.out


def test_unknown_subcommand(textassay: Command) -> None:
    ran = textassay("order", "sort")
    assert ran.code == 2
    assert "sort" in ran.err
