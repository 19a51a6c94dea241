"""Metrics against people: align, correlate."""

from textassay.meta.align import AlignedScores, PeopleAndScores, read_tables
from textassay.meta.correlation import Correlations, MetricAgreement, correlate
from textassay.meta.given_covariate import GivenCovariate, given_covariate

__all__ = [
    "AlignedScores",
    "Correlations",
    "GivenCovariate",
    "MetricAgreement",
    "PeopleAndScores",
    "correlate",
    "given_covariate",
    "read_tables",
]
