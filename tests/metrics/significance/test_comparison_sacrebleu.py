"""Paired tests against those of sacreBLEU 2.6.0, on the same texts.

The draws differ, so p agree within Monte Carlo error: with R draws each, the standard error of the difference between
two p is √(2 p (1 - p) / R).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest as Peer
from score_tables import score_of, table_of

from textassay.metrics import Metric, ScoreTable, score_table
from textassay.metrics.significance import PairedOptions, corpus_intervals, paired_bootstrap, paired_randomisation

N, DRAWS = 60, 2000
WORDS = "the a cat dog sat ran on under mat tree quickly and then it slept all day long"


class Theirs(Metric):
    """A metric whose statistics and scores are sacreBLEU's own, so that nothing but the test is compared."""

    name = "theirs"
    scale = (0.0, 100.0)

    def __init__(self, peer: Any) -> None:
        super().__init__()
        self.peer = peer

    def statistics(self, segments: Any) -> npt.NDArray[Any]:
        raise NotImplementedError("made in the test")

    def segment_scores(self, statistics: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        return self.from_sums(statistics, 1)

    def summands(self, statistics: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> npt.NDArray[np.float64]:
        rows = np.reshape(sums, (-1, sums.shape[-1])).tolist()
        return np.reshape([self.peer._compute_score_from_stats(row).score for row in rows], sums.shape[:-1])


def texts(seed: int, keep: float) -> tuple[list[str], list[str], list[str]]:
    """References and two systems: the first keeps 70 % of the words, the second `keep`."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS.split(), rng.integers(6, 16))) for _ in range(N)]

    def worse(share: float) -> list[str]:
        return [
            " ".join(word if rng.random() < share else rng.choice(WORDS.split()) for word in line.split())
            for line in references
        ]

    return references, worse(0.7), worse(keep)


def table(peer: Any, references: list[str], one: list[str], other: list[str]) -> ScoreTable:
    metric = Theirs(peer)
    statistics = {
        name: np.array(peer._extract_corpus_statistics(lines, [references]))
        for name, lines in (("A", one), ("B", other))
    }
    return table_of({"theirs": {name: score_of(metric, rows) for name, rows in statistics.items()}})


def their_result(kind: str, peer: Any, references: list[str], one: list[str], other: list[str]) -> Any:
    _, found = Peer([("A", one), ("B", other)], {"m": peer}, [references], test_type=kind, n_samples=DRAWS)()
    return next(scores[1] for name, scores in found.items() if name != "System")


def agree(ours: float, theirs: float) -> bool:
    p = (ours + theirs) / 2
    return abs(ours - theirs) <= 4 * math.sqrt(2 * p * (1 - p) / DRAWS) + 2 / DRAWS


CASES = pytest.mark.parametrize(
    ("peer", "seed", "keep"), [(BLEU, 1, 0.72), (BLEU, 2, 0.78), (CHRF, 3, 0.74), (CHRF, 4, 0.70)]
)


@CASES
def test_approximate_randomisation(peer: Any, seed: int, keep: float) -> None:
    lines = texts(seed, keep)
    theirs = their_result("ar", peer(), *lines)
    ours = paired_randomisation(table(peer(), *lines), PairedOptions(draws=DRAWS)).comparisons[0]
    assert ours.scores[1] == pytest.approx(theirs.score)
    assert agree(ours.p_raw, theirs.p_value)


@CASES
def test_paired_bootstrap_in_their_form(peer: Any, seed: int, keep: float) -> None:
    lines = texts(seed, keep)
    theirs = their_result("bs", peer(), *lines)
    made = table(peer(), *lines)
    ours = paired_bootstrap(made, PairedOptions(draws=DRAWS, form="sacrebleu")).comparisons[0]
    assert agree(ours.p_raw, theirs.p_value)
    valid = paired_bootstrap(made, PairedOptions(draws=DRAWS)).comparisons[0]
    assert valid.p_raw >= ours.p_raw  # theirs looks at one tail
    interval = corpus_intervals(made, draws=DRAWS).intervals[1].ci
    assert (interval[1] - interval[0]) / 2 == pytest.approx(theirs.ci, rel=0.1)


def test_with_our_own_bleu() -> None:
    references, one, other = texts(1, 0.72)
    items = [str(number) for number in range(N)]
    by_item = {item: [text] for item, text in zip(items, references, strict=True)}
    ours = score_table(["bleu"], items * 2, ["A"] * N + ["B"] * N, one + other, by_item)
    peers = table(BLEU(), references, one, other)
    options = PairedOptions(draws=500)
    for test in (paired_bootstrap, paired_randomisation):
        mine, its = test(ours, options).comparisons[0], test(peers, options).comparisons[0]
        assert mine.scores == pytest.approx(its.scores, abs=1e-9)
        assert mine.p_raw == its.p_raw  # the same draws, so the same p
