"""Two metrics from elsewhere: a small one, and one with a model, as a neural metric has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from textassay.metrics import Metric, Settings, TextSegments, setting, tokeniser


class Overlap(Metric):
    """Share of the hypothesis's distinct words that some reference has; pooled over the corpus."""

    name = "example-overlap"
    corpus_is = "pooled"

    def statistics(self, segments: TextSegments) -> np.ndarray:
        words = tokeniser("unicode-words").words
        rows = []
        for hypothesis, references in zip(segments.hypotheses, segments.references, strict=True):
            own = set(words(hypothesis))
            rows.append((len(own & {word for text in references for word in words(text)}), len(own)))
        return np.array(rows, dtype=np.int32).reshape(-1, 2)

    def segment_scores(self, statistics: np.ndarray) -> np.ndarray:
        return statistics[:, 0] / np.maximum(statistics[:, 1], 1)

    def summands(self, statistics: np.ndarray) -> np.ndarray:
        return statistics.astype(np.int64)

    def from_sums(self, sums: np.ndarray, n: int) -> np.ndarray:
        return sums[..., 0] / np.maximum(sums[..., 1], 1)


@dataclass(frozen=True)
class ModelSettings(Settings):
    """What a model needs to be told."""

    device: str = setting("cpu", sign="device", choices=("cpu", "cuda"))
    log: str = setting("", sign="log")
    """Where loading is written down."""


class Model(Metric):
    """Cosine of embeddings by a model that is slow to load; `chunk` is its batch."""

    name = "example-model"
    scale = (-1.0, 1.0)
    Settings = ModelSettings
    settings: ModelSettings
    chunk = 4

    @cached_property
    def model(self) -> np.ndarray:
        """A vector for each letter, loaded when first asked for and kept in the instance."""
        if self.settings.log:
            with Path(self.settings.log).open("a", encoding="utf-8") as log:
                log.write(f"loaded on {self.settings.device}\n")
        return np.random.default_rng(1).normal(size=(128, 8))

    def statistics(self, segments: TextSegments) -> np.ndarray:
        if not segments.hypotheses:
            return np.zeros((0, 1))
        best = [
            max(self.cosine(hypothesis, reference) for reference in references)
            for hypothesis, references in zip(segments.hypotheses, segments.references, strict=True)
        ]
        return np.array(best)[:, None]

    def cosine(self, one: str, other: str) -> float:
        a, b = (self.model[[ord(letter) % 128 for letter in text or " "]].mean(axis=0) for text in (one, other))
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    def segment_scores(self, statistics: np.ndarray) -> np.ndarray:
        return statistics[:, 0]
