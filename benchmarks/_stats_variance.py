"""Tukey's HSD against statsmodels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from _house import Row, best_of
from statsmodels.stats.multicomp import pairwise_tukeyhsd

from textassay.stats import tukey


def rows() -> Iterator[Row]:
    generator = np.random.Generator(np.random.PCG64(1))
    groups = np.repeat(np.arange(40), 20)
    values = generator.normal(size=groups.size) + groups / 40
    ours = best_of(3, lambda: tukey(values, groups))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = best_of(1, lambda: pairwise_tukeyhsd(values, groups).pvalues)
    yield Row("Tukey's HSD, 40 groups of 20", ours, "statsmodels", theirs, 15)
