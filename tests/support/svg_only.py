"""Reports without PDF and PNG, for tests of what the page shows: embedding fonts takes most of a report's time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def svg_only() -> Iterator[None]:
    """Figures are drawn as SVG alone; also `@svg_only()` before a test. All formats: tests/report/figures/."""
    from textassay.report.figures import render

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_FORMATS", {"svg": render._FORMATS["svg"]})
        yield
