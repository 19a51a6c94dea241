"""The reference pages are made from the code, and are up to date."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAKER = ROOT / "docs" / "make_reference.py"


@cache
def _pages() -> dict[str, str]:
    specification = importlib.util.spec_from_file_location("make_reference", MAKER)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.pages()


@pytest.mark.parametrize("name", sorted(_pages()))
def test_page_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == _pages()[name], "run: python docs/make_reference.py"
