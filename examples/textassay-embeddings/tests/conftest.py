"""Tests run with the package on the path, installed or not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's file is nothing that tests may write to."""
    monkeypatch.delenv("TEXTASSAY_EMBEDDINGS_CACHE", raising=False)
