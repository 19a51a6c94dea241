"""The paired bootstrap test of corpus scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from textassay.metrics.significance.comparison import (
    Comparison,
    Pair,
    PairedTest,
    by_size,
    corrected,
    drawn_p,
    pairs,
    warnings_of,
)
from textassay.metrics.significance.draws import FEW, Floats, Progress, resampled_rows, weighted_sums
from textassay.metrics.significance.options import PairedOptions
from textassay.metrics.table import ScoreTable
from textassay.stats.resampling.bootstrap import percentile_interval

_PUBLISHED = (
    "p is that of sacreBLEU's paired bootstrap, which is not valid: it looks at one tail of |differences| less their "
    "mean, and so calls systems different about twice as often as it says, and always where they are the same; "
    "prefer the form 'valid'"
)


def paired_bootstrap(
    table: ScoreTable, options: PairedOptions | None = None, *, progress: Progress | None = None
) -> PairedTest:
    """Whether the corpus scores of systems differ, by resampling their common segments together.

    With d the difference of the corpus scores and d* that in a resample (Koehn 2004), what d* does around its mean is
    what chance does around 0: p = (b+1)/(draws+1), b the resamples with |d* - mean d*| ≥ |d|; two-sided. The interval
    of the difference is the percentile interval of d*, and `better` is Koehn's share of resamples that the system wins.

    sacreBLEU counts |d*| - mean |d*| > |d| instead (after Riezler & Maxwell 2005). Away from 0 that is one tail only:
    its p is about half of this one; where both systems are the same it is 1/(draws+1), the smallest there is. It is
    here as `form="sacrebleu"`.

    Args:
        table: What `score_table` gave.
        options: Baseline or all pairs, number of draws, seed and so on.
        progress: Called with the number of resamples done and the number of all.

    Raises:
        UsageError: there are no two systems, or no such baseline.

    >>> from textassay.metrics import score_table
    >>> items, references = [str(i) for i in range(30)] * 2, {str(i): ["a b"] for i in range(30)}
    >>> table = score_table(["rouge-l"], items, ["A"] * 30 + ["B"] * 30, ["a"] * 30 + ["a b"] * 30, references)
    >>> found = paired_bootstrap(table).comparisons[0]
    >>> round(found.difference, 4), round(found.p, 3), found.better
    (0.3333, 0.001, 1.0)
    """
    chosen = options or PairedOptions()

    def compare(n: int, some: list[Pair]) -> list[Comparison]:
        samples = list({id(sample): sample for pair in some for sample in (pair.one, pair.other)}.values())
        rows = resampled_rows(chosen.seed, n, chosen.draws)
        sums = weighted_sums(rows, chosen.draws, [each.columns for each in samples], progress)
        scores = {id(each): each.scores(drawn) for each, drawn in zip(samples, sums, strict=True)}
        return [_compared(pair, scores[id(pair.one)], scores[id(pair.other)], chosen) for pair in some]

    found = corrected(by_size(pairs(table, chosen), compare))
    return PairedTest(
        method="paired bootstrap test",
        settings={
            "form": "two-sided, centred" if chosen.form == "valid" else "sacreBLEU",
            "draws": chosen.draws,
            "seed": chosen.seed,
            "correction": "holm by metric",
        },
        warnings=(*warnings_of(found), *_warnings(found, chosen)),
        comparisons=found,
    )


def _warnings(found: Sequence[Comparison], options: PairedOptions) -> Iterator[str]:
    fewest = min((each.n for each in found if each.n), default=FEW)
    if fewest < FEW:
        yield f"with {fewest} segments the paired bootstrap finds differences too easily; prefer randomisation"
    if options.form != "valid":
        yield _PUBLISHED


def _compared(pair: Pair, one: Floats, other: Floats, options: PairedOptions) -> Comparison:
    """From the scores of baseline and system in each resample."""
    drawn, metric = np.asarray(other - one), pair.one.metric
    known = ~np.isnan(drawn)
    defined = np.sort(drawn[known])
    if not pair.defined or not defined.size:
        return pair.compared(math.nan, undefined=drawn.size - defined.size)
    if options.form == "sacrebleu":
        sizes = np.abs(drawn)
        p = drawn_p(sizes - np.nanmean(sizes), pair, strict=True)
    else:
        p = drawn_p(np.abs(drawn - np.nanmean(drawn)), pair, strict=False)
    won = metric.goodness(other[known]) > metric.goodness(one[known])
    return pair.compared(
        p,
        ci=percentile_interval(defined, options.confidence),
        better=float(won.mean()),
        undefined=drawn.size - defined.size,
    )
