"""Reports without PDF, PNG and pictures of pages, for tests of what the report says.

Embedding fonts and starting a browser take most of a report's time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def svg_only(*, pictures: bool = False) -> Iterator[None]:
    """Figures are drawn as SVG alone, and participants' pages pictured only on request; also `@svg_only()`.

    All formats: tests/report/figures/. Pictures: tests/browser/test_page_pictures.py.
    """
    from textassay.rehearsal import page_pictures
    from textassay.report.figures import render
    from textassay.report.summary import ScreensSummary

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_FORMATS", {"svg": render._FORMATS["svg"]})
        if not pictures:
            patch.setattr(page_pictures, "page_pictures", lambda *_: ScreensSummary())
        yield
