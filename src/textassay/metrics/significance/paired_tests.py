"""Paired tests of corpus scores: the bootstrap, and approximate randomisation, exact where few segments differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from textassay.metrics.significance.comparison import (
    Comparison,
    PairedOptions,
    PairedTest,
    SystemPair,
    by_size,
    comparison_warnings,
    drawn_p,
    holm_adjusted,
    system_pairs,
)
from textassay.metrics.significance.resampling import (
    FEW,
    Floats,
    Progress,
    all_swaps,
    resampled_rows,
    swapped_rows,
    weighted_sums,
)
from textassay.metrics.table import ScoreTable
from textassay.stats.resampling.bootstrap import percentile_interval

_PUBLISHED_BOOTSTRAP = (
    "p is that of sacreBLEU's paired bootstrap, which is not valid: it looks at one tail of |differences| less their "
    "mean, and so calls systems different about twice as often as it says, and always where they are the same; "
    "prefer the form 'valid'"
)
ENUMERATED = 12
"""The most segments that differ whose 2ⁿ swaps are all gone through."""
_PUBLISHED_RANDOMISATION = (
    "p is that of sacreBLEU's paired approximate randomisation, which counts swaps that give a larger difference, not "
    "those that give an equal one: too small where there are few segments or ties, and where both systems are the same "
    "the smallest possible; prefer the form 'valid'"
)


def paired_bootstrap(
    table: ScoreTable, options: PairedOptions | None = None, *, progress: Progress | None = None
) -> PairedTest:
    """Whether the corpus scores of systems differ, by resampling their common segments together.

    With d the difference of the corpus scores and d* that in a resample (Koehn 2004), what d* does around its mean is
    what chance does around 0: p = (b+1)/(draws+1), b the resamples with |d* - mean d*| ≥ |d|; two-sided. The interval
    of the difference is the percentile interval of d*, and `won` is Koehn's share of resamples that the system wins.

    sacreBLEU counts |d*| - mean |d*| > |d| instead (after Riezler & Maxwell 2005). Away from 0 that is one tail only:
    its p is about half of this one; where both systems are the same it is 1/(draws+1), the smallest possible. It is
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
    >>> round(found.difference, 4), round(found.p, 3), found.won
    (0.3333, 0.001, 1.0)
    """
    chosen = options or PairedOptions()

    def compare(n: int, some: list[SystemPair]) -> list[Comparison]:
        samples = list({id(sample): sample for pair in some for sample in (pair.one, pair.other)}.values())
        rows = resampled_rows(chosen.seed, n, chosen.draws)
        sums = weighted_sums(rows, chosen.draws, [each.columns for each in samples], progress)
        scores = {id(each): each.scores(drawn) for each, drawn in zip(samples, sums, strict=True)}
        return [_compared(pair, scores[id(pair.one)], scores[id(pair.other)], chosen) for pair in some]

    found = holm_adjusted(by_size(system_pairs(table, chosen), compare))
    return PairedTest(
        method="paired bootstrap test",
        settings={
            "form": "two-sided, centred" if chosen.form == "valid" else "sacreBLEU",
            "draws": chosen.draws,
            "seed": chosen.seed,
            "correction": "holm by metric",
        },
        warnings=(*comparison_warnings(found), *_warnings(found, chosen)),
        comparisons=found,
    )


def _warnings(found: Sequence[Comparison], options: PairedOptions) -> Iterator[str]:
    fewest = min((each.n for each in found if each.n), default=FEW)
    if fewest < FEW:
        yield f"with {fewest} segments the paired bootstrap finds differences too easily; prefer randomisation"
    if options.form != "valid":
        yield _PUBLISHED_BOOTSTRAP


def _compared(pair: SystemPair, one: Floats, other: Floats, options: PairedOptions) -> Comparison:
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
    won = metric.oriented(other[known]) > metric.oriented(one[known])
    return pair.compared(
        p,
        ci=percentile_interval(defined, options.confidence),
        won=float(won.mean()),
        undefined=drawn.size - defined.size,
    )


def paired_randomisation(
    table: ScoreTable, options: PairedOptions | None = None, *, progress: Progress | None = None
) -> PairedTest:
    """Whether the corpus scores of systems differ, by swapping their texts of each segment at random.

    If it did not matter which system a text comes from, the difference d of the corpus scores would be like those of
    two made-up systems that share out the two texts of each segment by tossing a coin (Noreen 1989; Riezler & Maxwell
    2005). p = (b+1)/(draws+1), b the swaps that give a difference of at least |d|; where no more than 12 segments
    differ, all swaps are counted and p is exact. Two-sided.

    Args:
        table: What `score_table` gave.
        options: Baseline or all pairs, number of draws (10,000 are usual), seed and so on.
        progress: Called with the number of swaps done and the number of all.

    Raises:
        UsageError: there are no two systems, or no such baseline.

    >>> from textassay.metrics import score_table
    >>> references = {item: ["a b"] for item in "1234"}
    >>> table = score_table(["rouge-l"], list("12341234"), list("AAAABBBB"), ["a"] * 4 + ["a b"] * 4, references)
    >>> found = paired_randomisation(table).comparisons[0]
    >>> found.p, found.exact  # of 16 ways to swap, the one seen and its mirror image
    (0.125, True)
    """
    chosen = options or PairedOptions(draws=10_000)

    def compare(n: int, some: list[SystemPair]) -> list[Comparison]:
        counted = [_few(pair) if chosen.form == "valid" else None for pair in some]
        drawn = [pair for pair, few in zip(some, counted, strict=True) if few is None]
        rows = swapped_rows(chosen.seed, n, chosen.draws)
        sums = iter(weighted_sums(rows, chosen.draws, [_gaps(pair) for pair in drawn], progress) if drawn else [])
        return [
            _randomised(pair, next(sums), strict=chosen.form != "valid") if few is None else _enumerated(pair, few)
            for pair, few in zip(some, counted, strict=True)
        ]

    found = holm_adjusted(by_size(system_pairs(table, chosen), compare))
    exact = sum(each.exact for each in found)
    return PairedTest(
        method="paired approximate randomisation test",
        settings={
            "form": "two-sided" if chosen.form == "valid" else "sacreBLEU",
            "p": "exact" if exact == len(found) else f"monte carlo, {exact} of {len(found)} exact",
            **({} if exact == len(found) else {"draws": chosen.draws, "seed": chosen.seed}),
            "correction": "holm by metric",
        },
        warnings=(*comparison_warnings(found), *((_PUBLISHED_RANDOMISATION,) if chosen.form != "valid" else ())),
        comparisons=found,
    )


def _gaps(pair: SystemPair) -> npt.NDArray[np.generic]:
    """Baseline less system in every segment, in numbers that hold it."""
    dtype = np.result_type(pair.one.columns, pair.other.columns, np.int64)
    return np.asarray(np.subtract(pair.one.columns, pair.other.columns, dtype=dtype))


def _few(pair: SystemPair) -> npt.NDArray[np.generic] | None:
    """The differences of the segments that differ, if there are few: what chance does to the others changes nothing."""
    gaps = _gaps(pair)
    differ = gaps[(gaps != 0).any(axis=1)]
    return differ if len(differ) <= ENUMERATED else None


def _made_up(pair: SystemPair, moved: Floats) -> Floats:
    """Differences between made-up systems, from the sums of the gaps of the segments that were swapped."""
    baseline, system = (sample.columns.sum(axis=0, dtype=np.float64) for sample in (pair.one, pair.other))
    return np.asarray(pair.one.scores(system + moved) - pair.one.scores(baseline - moved))


def _randomised(pair: SystemPair, moved: Floats, *, strict: bool) -> Comparison:
    drawn = _made_up(pair, moved)
    return pair.compared(drawn_p(np.abs(drawn), pair, strict=strict), undefined=int(np.isnan(drawn).sum()))


def _enumerated(pair: SystemPair, gaps: npt.NDArray[np.generic]) -> Comparison:
    moved = all_swaps(len(gaps)).astype(np.float64) @ gaps.astype(np.float64)
    sizes = np.abs(_made_up(pair, np.asarray(moved)))
    # An undefined difference counts as large, as in a drawn p.
    extreme = ~(sizes < abs(pair.difference) - pair.slack)
    return pair.compared(float(extreme.mean()), exact=True, undefined=int(np.isnan(sizes).sum()))
