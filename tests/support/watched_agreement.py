"""An agreement that writes down which process resamples it, slowly; on a path that workers of a cluster import from."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from textassay.meta import Agreement
from textassay.meta.two_way_bootstrap import Resamples
from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class WatchedAgreement(Agreement):
    """As it is, with a line for each metric that is begun."""

    log: str = ""
    seconds: float = 0.0

    def samples(self, people: FloatArray, scores: FloatArray, resamples: Resamples) -> FloatArray:
        with Path(self.log).open("a", encoding="utf-8") as log:
            log.write(f"{scores[0, 0]} {os.getpid()}\n")
        time.sleep(self.seconds)
        return super().samples(people, scores, resamples)
