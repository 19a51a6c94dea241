"""BLEU and chrF against sacreBLEU, from raw text, one thread, tokenising on both sides.

sacreBLEU runs its fastest documented way: one object for all sentences, one call for a corpus. Each run gets a new
object, since its tokenisers remember texts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from _house import Row, best_of
from _metrics_texts import pairs
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from textassay.kernels.choice import VARIABLE
from textassay.metrics import score

PEER = "sacreBLEU"
TEXTS = {"short": (23, 20_000, 4_000), "long": (390, 2_000, 200)}
"""Words a text, pairs, and how many of them the peer gets: its time grows with them, and is shown for all."""
TIMES = 2
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Comparison:
    """One metric of ours with what sacreBLEU calls for the same."""

    metric: str
    sentence: Callable[[], BLEU | CHRF]
    corpus: Callable[[], BLEU | CHRF]
    bar: float


COMPARISONS = (
    Comparison("bleu", lambda: BLEU(effective_order=True, force=True), lambda: BLEU(force=True), 20),
    Comparison("chrf", CHRF, CHRF, 30),
    Comparison("chrf++", lambda: CHRF(word_order=2), lambda: CHRF(word_order=2), 30),
)


def compared(comparison: Comparison, name: str) -> list[Row]:
    """Segments and corpus, compiled and with the fallback forced."""
    words, n, part = TEXTS[name]
    hypotheses, references = pairs(words, n)
    stream = [[its[0] for its in references[:part]]]
    found: dict[str, list[float]] = {}

    def by_sentence() -> None:
        peer = comparison.sentence()
        both = zip(hypotheses[:part], references[:part], strict=True)
        found["sentence"] = [peer.sentence_score(hyp, refs).score for hyp, refs in both]

    def by_corpus() -> None:
        found["corpus"] = [comparison.corpus().corpus_score(hypotheses[:part], stream).score]

    seconds = {"sentence": best_of(TIMES, by_sentence), "corpus": best_of(TIMES, by_corpus)}
    theirs = {what: spent * n / part for what, spent in seconds.items()}
    result = score(comparison.metric, hypotheses[:part], references[:part])
    for what, ours in (("sentence", result.segments), ("corpus", [result.corpus])):
        difference = float(np.abs(np.asarray(ours) - found[what]).max())
        if difference > TOLERANCE:
            raise ValueError(f"{what} {comparison.metric}: differs from {PEER} by {difference}")
    rows = []
    for kernel, bar, note in (("auto", comparison.bar, ""), ("python", 1.0, "fallback")):
        os.environ[VARIABLE] = kernel
        # One run gives both scores; each is compared with what the peer needs for it alone.
        spent = best_of(TIMES, lambda: score(comparison.metric, hypotheses, references))
        rows += [
            Row(f"{what} {comparison.metric}, {name}, {n:,} pairs", spent, PEER, needed, bar, note)
            for what, needed in theirs.items()
        ]
    os.environ.pop(VARIABLE)
    return rows


def rows() -> list[Row]:
    """Every comparison on short and on long texts."""
    return [row for comparison in COMPARISONS for name in TEXTS for row in compared(comparison, name)]
