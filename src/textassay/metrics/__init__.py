"""Automatic metrics: one a file, each turning segments into statistics and statistics into scores."""

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
