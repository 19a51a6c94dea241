"""Automatic metrics: one a file, each turning segments into statistics and statistics into scores."""

from textassay.metrics.contract import Metric
from textassay.metrics.references import PairMetric
from textassay.metrics.scoring import Score, metric, score
from textassay.metrics.segments import Segments, TextSegments
from textassay.metrics.settings import Settings, setting
from textassay.metrics.table import ScoreTable, score_table
from textassay.metrics.tokenisers import TOKENISERS, Splitter, Tokeniser, tokeniser

__all__ = [
    "TOKENISERS",
    "Metric",
    "PairMetric",
    "Score",
    "ScoreTable",
    "Segments",
    "Settings",
    "Splitter",
    "TextSegments",
    "Tokeniser",
    "metric",
    "score",
    "score_table",
    "setting",
    "tokeniser",
]
