"""TER against sacreBLEU, WER and CER against jiwer: from raw text, one thread, tokenising timed on both sides."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import jiwer
import numpy as np
from _house import Row, best_of
from _metrics_texts import pairs
from sacrebleu.metrics import TER

from textassay.kernels.choice import VARIABLE
from textassay.metrics import score

LENGTHS = (("short, 23 words", 23), ("long, 390 words", 390))
OURS = {23: 20_000, 390: 3_000}
"""Pairs for our side."""
PEERS = {
    ("ter", 23): 300,
    ("ter", 390): 4,
    ("wer", 23): 20_000,
    ("wer", 390): 1_000,
    ("cer", 23): 5_000,
    ("cer", 390): 100,
}
"""Pairs for the peer, which is slow; seconds are given for as many."""


def rows() -> list[Row]:
    measured = []
    for name, words in LENGTHS:
        measured += _compared(f"TER, {name}", "ter", words, "sacrebleu", _sacrebleu, 70)
        measured += _compared(f"WER, {name}", "wer", words, "jiwer", _jiwer(jiwer.process_words), 10)
        # On long texts both sides spend their time in the same bit-parallel loop, and no order of magnitude is left.
        bar = 10 if words == 23 else float("nan")
        measured += _compared(f"CER, {name}", "cer", words, "jiwer", _jiwer(jiwer.process_characters), bar)
    return measured


Peer = Callable[[list[str], list[str]], float]


def _compared(what: str, metric: str, words: int, peer: str, call: Peer, bar: float) -> list[Row]:
    """One row with the compiled loops and, for TER, one with their fallbacks."""
    few = PEERS[metric, words]
    many = max(few, OURS[words])
    hypotheses, references = pairs(words, many, seed=words)
    start = time.perf_counter()
    value = call(hypotheses[:few], [each for (each,) in references[:few]])
    theirs = time.perf_counter() - start
    ours = score(metric, hypotheses[:few], references[:few]).corpus
    note = f"difference {abs(ours - value):.0e}"
    spent = best_of(3, lambda: score(metric, hypotheses, references)) * few / many
    compiled = Row(what, spent, peer, theirs, bar, note)
    if metric != "ter":
        return [compiled]
    os.environ[VARIABLE] = "python"
    try:
        fallback = best_of(1, lambda: score(metric, hypotheses[:few], references[:few]))
    finally:
        os.environ.pop(VARIABLE)
    return [compiled, Row(f"{what}, fallback", fallback, peer, theirs, 1.0)]


def _sacrebleu(hypotheses: list[str], references: list[str]) -> float:
    return float(TER().corpus_score(hypotheses, [references]).score)


def _jiwer(process: Callable[..., jiwer.WordOutput | jiwer.CharacterOutput]) -> Peer:
    def rate(hypotheses: list[str], references: list[str]) -> float:
        found = process(references, hypotheses)
        return float(
            np.divide(
                found.substitutions + found.deletions + found.insertions,
                found.hits + found.substitutions + found.deletions,
            )
        )

    return rate
