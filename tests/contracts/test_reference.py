"""The reference pages are made from the code, and are up to date."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from textassay import ready_studies

ROOT = Path(__file__).resolve().parents[2]
MAKER = ROOT / "docs" / "make_reference.py"


@cache
def _maker() -> ModuleType:
    specification = importlib.util.spec_from_file_location("make_reference", MAKER)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@cache
def _pages() -> dict[str, str]:
    return _maker().pages()


WRITTEN = {path.name: path for path in sorted((ROOT / "docs" / "reference").iterdir())}
"""Not the pages that are made, which every worker would have to make to know which tests there are."""


def test_every_page_is_there_and_no_other() -> None:
    assert set(_pages()) == set(WRITTEN), "run: python docs/make_reference.py"


@pytest.mark.parametrize("name", WRITTEN)
def test_page_is_up_to_date(name: str) -> None:
    written = WRITTEN[name].read_text(encoding="utf-8")
    assert written == _pages()[name], "run: python docs/make_reference.py"


def test_kinds_of_trial_have_the_study_files_of_the_templates() -> None:
    text = _maker().KINDS.read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- study file: ([\w-]+) -->", text)) == set(ready_studies.TEMPLATES)
    assert text == _maker().with_study_files(text), "run: python docs/make_reference.py"
