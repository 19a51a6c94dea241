"""Metrics against people: align, correlate."""

from textassay.meta.align import AlignedScores, PeopleAndScores, read_tables
from textassay.meta.correlation import Correlations, MetricAgreement, correlate

__all__ = ["AlignedScores", "Correlations", "MetricAgreement", "PeopleAndScores", "correlate", "read_tables"]
