"""Automatic metrics: one a file, each turning segments into statistics and statistics into scores.

A name is looked up when it is first asked for, so that importing this costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textassay.metrics.aligned import score_aligned
    from textassay.metrics.contract import Metric
    from textassay.metrics.engine import Plan
    from textassay.metrics.references import PairMetric
    from textassay.metrics.scoring import Score, metric, score
    from textassay.metrics.segments import Segments, TextSegments
    from textassay.metrics.settings import Settings, setting
    from textassay.metrics.table import ScoreTable, score_table
    from textassay.metrics.tokenisers import TOKENISERS, Splitter, Tokeniser, tokeniser
    from textassay.metrics.workers import Workers

__all__ = [
    "TOKENISERS",
    "Metric",
    "PairMetric",
    "Plan",
    "Score",
    "ScoreTable",
    "Segments",
    "Settings",
    "Splitter",
    "TextSegments",
    "Tokeniser",
    "Workers",
    "metric",
    "score",
    "score_aligned",
    "score_table",
    "setting",
    "tokeniser",
]

_HOMES = {
    "Metric": "contract",
    "PairMetric": "references",
    "Plan": "engine",
    "Score": "scoring",
    "ScoreTable": "table",
    "Segments": "segments",
    "Settings": "settings",
    "Splitter": "tokenisers",
    "TOKENISERS": "tokenisers",
    "TextSegments": "segments",
    "Tokeniser": "tokenisers",
    "Workers": "workers",
    "metric": "scoring",
    "score": "scoring",
    "score_aligned": "aligned",
    "score_table": "table",
    "setting": "settings",
    "tokeniser": "tokenisers",
}
"""The module that each name comes from."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
