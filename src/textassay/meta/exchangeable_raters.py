"""Answers drawn for raters who are all alike: any of them could stand in for any other.

What a study's own raters tell is kept: how often each answer is given, and how far two raters of an item agree.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from textassay.seeds import Stream
from textassay.stats.correlations.correlation import product_moment
from textassay.stats.samples import FloatArray

_PAIRS = 20_000
"""Pairs of answers by which the correlation of numbers is found that gives the agreement wanted."""
_HALVINGS = 15
_MOST = 0.9999
"""The highest correlation of two raters' numbers; beyond, they are the same."""


def exchangeable_categories(answers: FloatArray, stream: Stream, *, raters: int, copies: int) -> FloatArray:
    """Categories by as many raters as wanted, of the shape (copies, raters, items).

    Each item has its own shares of the categories, from a Dirichlet distribution around those of the study; drawn as
    Pólya's urn, in which a rater answers afresh or like one of the raters before. The concentration is such that two
    raters agree as often as they do in the study: kappa is 1 / (1 + concentration).

    Args:
        answers: Shape (persons, items), nan where missing.
        stream: Where the draws come from.
        raters: How many to draw.
        copies: How many studies to draw.
    """
    categories, shares, kappa = category_agreement(answers)
    items = answers.shape[1]
    size = copies * items
    bounds = np.cumsum(shares)[:-1]
    concentration = (1 - kappa) / kappa if kappa > 0 else math.inf
    drawn = np.empty((raters, size), dtype=np.intp)
    for rater in range(raters):
        drawn[rater] = np.searchsorted(bounds, stream.uniforms(size), side="right")
        if rater and kappa > 0:
            copied = np.flatnonzero(stream.uniforms(size) * (concentration + rater) >= concentration)
            before = (stream.uniforms(copied.size) * rater).astype(np.intp)
            drawn[rater, copied] = drawn[before, copied]
    return categories[drawn].reshape(raters, copies, items).transpose(1, 0, 2)


def category_agreement(answers: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """The categories, their shares, and how far two raters of an item agree beyond chance (kappa; 1 with one category).

    >>> categories, shares, kappa = category_agreement(np.array([[1, 1, 2, 2], [1, 1, 2, 1.0]]))
    >>> shares.tolist(), round(kappa, 4)  # 3 of 4 pairs agree, by chance 34 of 64
    ([0.625, 0.375], 0.4667)
    """
    there = ~np.isnan(answers)
    categories, codes = np.unique(answers[there], return_inverse=True)
    counts = np.zeros((answers.shape[1], categories.size))
    np.add.at(counts, (np.nonzero(there)[1], codes), 1)
    of_item = counts.sum(axis=1)
    shares = counts.sum(axis=0) / of_item.sum()
    pairs = np.sum(of_item * (of_item - 1))
    agreeing = np.sum(counts * (counts - 1)) / pairs if pairs else math.nan
    chance = float(np.sum(shares**2))
    return categories, shares, 1.0 if chance == 1 else float((agreeing - chance) / (1 - chance))


def exchangeable_numbers(answers: FloatArray, stream: Stream, *, raters: int, copies: int) -> FloatArray:
    """Numbers by as many raters as wanted, of the shape (copies, raters, items).

    Normal scores that are correlated among the raters of an item become the study's own values by their quantiles, so
    that ties are as frequent; the correlation is such that the numbers agree as they do in the study (the intraclass
    correlation of one rating).
    """
    values = np.sort(answers[~np.isnan(answers)])
    latent = _latent_correlation(values, intraclass(answers))
    items = answers.shape[1]
    common = stream.normals(copies * items).reshape(copies, 1, items)
    own = stream.normals(copies * raters * items).reshape(copies, raters, items)
    return _as_values(math.sqrt(latent) * common + math.sqrt(1 - latent) * own, values)


def intraclass(answers: FloatArray) -> float:
    """ICC(1): the correlation of two ratings of one item by raters who may differ from item to item; gaps are allowed.

    >>> round(intraclass(np.array([[1.0, 2, 3, 4], [2, 2, 3, 5]])), 4)
    0.8667
    """
    there = ~np.isnan(answers)
    of_item = there.sum(axis=0)
    answers, of_item = answers[:, of_item > 0], of_item[of_item > 0]
    means = np.nansum(answers, axis=0) / of_item
    n, items = of_item.sum(), of_item.size
    within = np.nansum((answers - means) ** 2) / max(n - items, 1)
    between = np.sum(of_item * (means - np.sum(of_item * means) / n) ** 2) / max(items - 1, 1)
    usual = (n - np.sum(of_item**2) / n) / max(items - 1, 1)
    whole = between + (usual - 1) * within
    return float((between - within) / whole) if whole > 0 else 1.0


def _latent_correlation(values: FloatArray, wanted: float) -> float:
    """The correlation of two normal scores whose values then correlate as wanted; ties make it differ a little."""
    if wanted <= 0 or values[0] == values[-1]:
        return 0.0
    stream = Stream(1, "exchangeable raters", "pairs")
    common, one, other = (stream.normals(_PAIRS) for _ in range(3))
    low, high = 0.0, _MOST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        scores = math.sqrt(middle) * common + math.sqrt(1 - middle) * np.stack([one, other])
        reached = product_moment(*_as_values(scores, values))
        low, high = (middle, high) if reached < wanted else (low, middle)
    return (low + high) / 2


def _as_values(scores: FloatArray, values: FloatArray) -> FloatArray:
    """The values at the same quantiles as normal scores."""
    from scipy.special import ndtr  # noqa: PLC0415 -- scipy is loaded by those who draw

    places: npt.NDArray[np.intp] = np.minimum((ndtr(scores) * values.size).astype(np.intp), values.size - 1)
    return values[places]
