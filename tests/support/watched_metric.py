"""A metric that writes down who measures which chunk, slowly; on a path that workers of a cluster can import from."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from textassay.metrics import Metric, Settings, TextSegments, setting


@dataclass(frozen=True)
class WatchedSettings(Settings):
    """Where it writes, and how long it takes."""

    log: str = setting("", sign="log")
    seconds: float = setting(0.0, sign="seconds")


class Watched(Metric):
    """The length of the hypothesis."""

    name = "watched"
    scale = (0.0, float("inf"))
    Settings = WatchedSettings
    settings: WatchedSettings
    chunk = 5

    def statistics(self, segments: TextSegments) -> np.ndarray:
        if segments.hypotheses:
            with Path(self.settings.log).open("a", encoding="utf-8") as log:
                log.write(f"{segments.hypotheses[0]} {os.getpid()}\n")
            time.sleep(self.settings.seconds)
        return np.array([[len(text)] for text in segments.hypotheses], dtype=np.int32).reshape(-1, 1)

    def segment_scores(self, statistics: np.ndarray) -> np.ndarray:
        return statistics[:, 0].astype(float)
