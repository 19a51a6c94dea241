"""Metrics against people: align, correlate."""

from textassay.meta.agreement import Agreement, Correlations
from textassay.meta.align import Aligned, Tables, read_tables
from textassay.meta.correlation import correlate
from textassay.meta.figures import scatter
from textassay.meta.recipe import analysis

__all__ = ["Agreement", "Aligned", "Correlations", "Tables", "analysis", "correlate", "read_tables", "scatter"]
