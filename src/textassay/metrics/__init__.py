"""Automatic metrics: one per file, each turning segments into statistics and statistics into scores.

A name is looked up when it is first asked for, so that importing this costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textassay.metrics.contract import Limits, Metric, Settings, setting
    from textassay.metrics.engine import ScoringOptions
    from textassay.metrics.references import PairMetric
    from textassay.metrics.scoring import Score, metric, score
    from textassay.metrics.segments import Segments, TextSegments
    from textassay.metrics.table import ScoreTable, score_aligned, score_table
    from textassay.metrics.tokenisers import TOKENISERS, Splitter, Tokeniser, tokeniser
    from textassay.workers import Workers

__all__ = [
    "TOKENISERS",
    "Limits",
    "Metric",
    "PairMetric",
    "Score",
    "ScoreTable",
    "ScoringOptions",
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
    "Limits": "contract",
    "Metric": "contract",
    "PairMetric": "references",
    "ScoringOptions": "engine",
    "Score": "scoring",
    "ScoreTable": "table",
    "Segments": "segments",
    "Settings": "contract",
    "Splitter": "tokenisers",
    "TOKENISERS": "tokenisers",
    "TextSegments": "segments",
    "Tokeniser": "tokenisers",
    "Workers": "engine",
    "metric": "scoring",
    "score": "scoring",
    "score_aligned": "table",
    "score_table": "table",
    "setting": "contract",
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
