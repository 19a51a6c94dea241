"""ROUGE against rouge-score and rouge-rust, GTM against plain Python: from raw text, one thread."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import chain
from math import ceil, nan

import fast_rouge  # the package rouge-rust
import numpy as np
from _house import Row, best_of
from _metrics_texts import pairs
from rouge_score.rouge_scorer import RougeScorer

from textassay.kernels.choice import VARIABLE
from textassay.metrics import ScoreTable, metric, score, score_table

NAMES = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-l": "rougeL"}
SIZES = {"short": (23, 20_000, 20_000), "long": (390, 2_000, 200)}
"""Words a text, pairs, and pairs for a peer that is slow on them."""
Texts = tuple[list[str], list[list[str]]]


def rows() -> list[Row]:
    os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read when rouge-rust first works
    found: list[Row] = []
    for seed, (size, (words, n, for_slow)) in enumerate(SIZES.items()):
        texts = pairs(words, n, seed)
        for stem in (False, True):
            found += _against_rouge_score(size, texts, for_slow, stem=stem)
        found += [_against_rouge_rust(size, texts), _gtm(size, texts, for_slow // 10)]
    return found


def _ours(texts: Texts, *, stem: bool = False) -> ScoreTable:
    """ROUGE-1, 2 and L of all pairs; the text is tokenised once."""
    hypotheses, references = texts
    items = [str(number) for number in range(len(hypotheses))]
    chosen = [metric(name, tokeniser="rouge-score", stem=stem) for name in NAMES]
    by_item = dict(zip(items, references, strict=True))
    return score_table(chosen, items, ["A"] * len(items), hypotheses, by_item)


def _with_twins(call: Callable[[], object]) -> float:
    os.environ[VARIABLE] = "python"
    try:
        return best_of(2, call)
    finally:
        del os.environ[VARIABLE]


def _against_rouge_score(size: str, texts: Texts, for_slow: int, *, stem: bool) -> list[Row]:
    what = f"ROUGE-1/2/L, {size}{', stemmed' if stem else ''}"
    hypotheses, references = texts
    scorer = RougeScorer(list(NAMES.values()), use_stemmer=stem)
    theirs: list[list[float]] = []

    def peer() -> None:
        for hypothesis, reference in zip(hypotheses[:for_slow], references, strict=False):
            scores = scorer.score(reference[0], hypothesis)
            theirs.append([scores[name].fmeasure for name in NAMES.values()])

    seconds = best_of(1, peer) * len(hypotheses) / for_slow
    table = _ours(texts, stem=stem)
    ours = np.stack([table.scores[name]["A"].segments[:for_slow] for name in NAMES], axis=1)
    note = f"largest difference {np.abs(ours - theirs).max():.0e} on {for_slow:,} pairs"
    bar = 200.0 if size == "long" and not stem else 40.0
    compiled, twin = best_of(3, lambda: _ours(texts, stem=stem)), _with_twins(lambda: _ours(texts, stem=stem))
    return [
        Row(what, compiled, "rouge-score", seconds, bar, note),
        Row(f"{what}, plain Python", twin, "rouge-score", seconds, 1.0),
    ]


def _against_rouge_rust(size: str, texts: Texts) -> Row:
    hypotheses, flat = texts[0], list(chain.from_iterable(texts[1]))
    theirs = best_of(3, lambda: fast_rouge.score_batch_flat(flat, hypotheses))
    return Row(f"ROUGE-1/2/L, {size}", best_of(3, lambda: _ours(texts)), "rouge-rust", theirs, 1.2)


def _gtm(size: str, texts: Texts, for_slow: int) -> Row:
    hypotheses, references = texts
    slow = hypotheses[:for_slow], references[:for_slow]
    seconds = best_of(1, lambda: [_plain_gtm(*pair) for pair in zip(*slow, strict=True)]) * len(hypotheses) / for_slow
    ours = score("gtm", *slow, exponent=2.0).segments
    difference = np.abs(ours - [_plain_gtm(*pair) for pair in zip(*slow, strict=True)]).max()
    compiled = best_of(3, lambda: score("gtm", hypotheses, references, exponent=2.0))
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
