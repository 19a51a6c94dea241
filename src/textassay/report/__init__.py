"""Results and the study's summary become a page, figures, LaTeX, CSV and JSON.

This package sees results only (`textassay.results`): no study, no store, no data frame and no clock.
"""
