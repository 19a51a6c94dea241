"""Tokenisers are plain Python."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: there is no loop to force."""
