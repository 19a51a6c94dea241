"""Correlations of values and of ranks, and the comparison of correlations."""
