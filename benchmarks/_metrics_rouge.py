"""ROUGE against rouge-score and rouge-rust, GTM against plain Python: from raw text, one thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain
from math import ceil, nan

import fast_rouge  # the package rouge-rust
import numpy as np
import numpy.typing as npt
from _house import Row, best_of
from _metrics_texts import pairs
from rouge_score.rouge_scorer import RougeScorer

from textassay.kernels.choice import VARIABLE
from textassay.metrics import TextSegments, metric, score
from textassay.metrics.engine import measure

NAMES = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL"}
SIZES = {"short": (23, 20_000), "short, 100,000 pairs": (23, 100_000), "long": (390, 2_000)}
"""Words a text, and pairs: a tokeniser that remembers words gains with the number of texts."""
SLOW = {23: 2_000, 390: 50}
"""Pairs that a slow peer is timed on, by words a text; its time is scaled to all pairs."""
COMPARED = {23: 20_000, 390: 100}
"""Pairs on which values are compared."""
REPEATS = 3
"""Both sides run as often, and the quickest run counts."""
Texts = tuple[list[str], list[list[str]]]
Floats = npt.NDArray[np.float64]


def rows() -> list[Row]:
    os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read when rouge-rust first works
    found: list[Row] = []
    for seed, (size, (words, n)) in enumerate(SIZES.items()):
        texts = pairs(words, n, seed)
        for stem in (False, True):
            found += _against_rouge_score(size, texts, words, stem=stem)
        found += [_against_rouge_rust(size, texts), _gtm(size, texts, SLOW[words])]
    return found


def _ours(texts: Texts, *, stem: bool = False) -> list[Floats]:
    """ROUGE-1, 2 and L of all pairs; the text is tokenised once."""
    chosen = [metric(name, tokeniser="rouge-score", stem=stem) for name in NAMES]
    measured = measure(chosen, TextSegments.checked(*texts))
    return [one.metric.segment_scores(one.statistics) for one in measured]


def _with_fallbacks(call: Callable[[], object]) -> float:
    os.environ[VARIABLE] = "python"
    try:
        return best_of(REPEATS, call)
    finally:
        del os.environ[VARIABLE]


def _against_rouge_score(size: str, texts: Texts, words: int, *, stem: bool) -> list[Row]:
    what = f"ROUGE-1/2/L, {size}{', stemmed' if stem else ''}"
    scorer = RougeScorer(list(NAMES.values()), use_stemmer=stem)

    def peer(n: int) -> Floats:
        scores = [scorer.score(refs[0], hyp) for hyp, refs in zip(texts[0][:n], texts[1][:n], strict=True)]
        return np.array([[each[name].fmeasure for name in NAMES.values()] for each in scores])

    slow, compared = SLOW[words], min(COMPARED[words], len(texts[0]))
    seconds = best_of(REPEATS, lambda: peer(slow)) * len(texts[0]) / slow
    compiled = best_of(REPEATS, lambda: _ours(texts, stem=stem))
    fallback = _with_fallbacks(lambda: _ours(texts, stem=stem))
    difference = np.abs(np.stack(_ours(texts, stem=stem), axis=1)[:compared] - peer(compared)).max()
    note = f"largest difference {difference:.0e} on {compared:,} pairs"
    bar = 200.0 if size == "long" and not stem else 40.0
    return [
        Row(what, compiled, "rouge-score", seconds, bar, note),
        Row(f"{what}, plain Python", fallback, "rouge-score", seconds, 1.0),
    ]


def _against_rouge_rust(size: str, texts: Texts) -> Row:
    hypotheses, flat = texts[0], list(chain.from_iterable(texts[1]))
    theirs = best_of(REPEATS, lambda: fast_rouge.score_batch_flat(flat, hypotheses))
    return Row(f"ROUGE-1/2/L, {size}", best_of(REPEATS, lambda: _ours(texts)), "rouge-rust", theirs, 1.2)


def _gtm(size: str, texts: Texts, for_slow: int) -> Row:
    hypotheses, references = texts
    slow = hypotheses[:for_slow], references[:for_slow]

    def peer() -> list[float]:
        return [_plain_gtm(hyp, refs) for hyp, refs in zip(*slow, strict=True)]

    seconds = best_of(REPEATS, peer) * len(hypotheses) / for_slow
    compiled = best_of(REPEATS, lambda: score("gtm", hypotheses, references, exponent=2.0))
    difference = np.abs(score("gtm", *slow, exponent=2.0).segments - peer()).max()
    note = f"largest difference {difference:.0e} on {for_slow:,} pairs"
    return Row(f"GTM with exponent 2, {size}", compiled, "plain Python", seconds, 10.0, note)


def _plain_gtm(hypothesis: str, references: list[str], exponent: float = 2.0) -> float:
    """F straight from the definition, with what Python offers against slowness: places by word, sets."""
    rows = hypothesis.split()
    columns = [word for text in references for word in (*text.split(), None)]
    mean = (len(columns) - len(references)) / len(references)
    places: dict[str | None, list[int]] = {}
    for column, word in enumerate(columns):
        places.setdefault(word, []).append(column)
    lengths: dict[tuple[int, int], int] = {}
    for row in range(len(rows) - 1, -1, -1):
        for column in places.get(rows[row], ()):
            lengths[row, column] = 1 + lengths.get((row + 1, column + 1), 0)
    runs = sorted(((k, *start) for start, longest in lengths.items() for k in range(1, longest + 1)), reverse=True)
    cap, total = min(len(rows), mean), 0.0
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    for run, row, column in runs:
        if cap <= 0:
            break
        length = min(run, cap)
        its_rows, its_columns = range(row, row + ceil(length)), range(column, column + ceil(length))
        if used_rows.isdisjoint(its_rows) and used_columns.isdisjoint(its_columns):
            used_rows.update(its_rows)
            used_columns.update(its_columns)
            cap -= length
            total += length**exponent
    return 2 * total ** (1 / exponent) / (len(rows) + mean) if rows or mean else nan
