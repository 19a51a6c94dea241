"""All metrics at once against each alone: together they cost their kernels, and one tokenising for each tokeniser."""

from __future__ import annotations

from _house import Row, best_of
from _metrics_texts import pairs

from textassay.metrics import Metric, TextSegments, Tokeniser, metric
from textassay.metrics.engine import measure

NAMES = ("bleu", "chrf", "ter", "rouge-1", "rouge-2", "rouge-l", "rouge-w", "rouge-su4", "gtm", "wer", "length-ratio")
SIZES = {"short": (23, 5_000), "long": (390, 300)}


class Watching(TextSegments):
    """Segments that note which tokenisers they are asked for."""

    def asked(self) -> set[Tokeniser]:
        return set(self._memory.encoders)


def tokenisers(metrics: list[Metric]) -> set[Tokeniser]:
    """Those that the metrics ask for."""
    watching = Watching(["a"], [["a"]])
    for one in metrics:
        one.statistics(watching)
    return watching.asked()


def rows() -> list[Row]:
    return [row for size, (words, n) in SIZES.items() for row in compared(size, TextSegments.checked(*pairs(words, n)))]


def compared(size: str, segments: TextSegments) -> list[Row]:
    metrics = [metric(name) for name in NAMES]

    def measured(some: list[Metric]) -> float:
        return best_of(3, lambda: measure(some, segments))

    def tokenised(some: list[Metric]) -> float:
        return sum(best_of(3, lambda each=each: segments.remembering({}).tokens(each)) for each in tokenisers(some))

    alone = [measured([one]) for one in metrics]
    kernels = sum(alone) - sum(tokenised([one]) for one in metrics)
    together = measured(metrics)
    what = f"{len(NAMES)} metrics together, {size}"
    return [
        Row(what, together, "kernels + one tokenising each", kernels + tokenised(metrics), 1.0),
        Row(what, together, "each alone", sum(alone), 1.0),
    ]
