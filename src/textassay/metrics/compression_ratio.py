"""Compression ratio: how many times smaller all texts of a system become when compressed. The lower, the more diverse.

Shaib, C., Barrow, J., Sun, J., Siu, A. F., Wallace, B. C. & Nenkova, A. (2024). Standardizing the measurement of text
diversity: A tool and a comparative analysis of scores. arXiv 2403.00553. Bytes of all texts, joined by one space, in
UTF-8, over the bytes that gzip (level 9) or xz make of them. What repeats, within a text or from one to the next, takes
less room. The order of the texts matters a little, and so does the release of the compressing library, which is in the
signature. With xz the values equal those of the authors' package `diversity`; with gzip that package compresses twice
and stores a file's name, so that its values differ in the third digit. Short outputs compress badly: compare outputs
of about equal length only.
"""

from __future__ import annotations

import gzip
import lzma
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from textassay.metrics.contract import Settings, setting
from textassay.metrics.segments import TextSegments
from textassay.metrics.whole_output import WholeOutputMetric, WholeValue


@dataclass(frozen=True)
class CompressionSettings(Settings):
    """What can be chosen for the compression ratio."""

    algorithm: str = setting("gzip", sign="algorithm", choices=("gzip", "xz"))
    """What compresses."""

    def signature_fields(self) -> dict[str, str]:
        """With the release of zlib, on which the size depends; that of liblzma is not known to Python."""
        release = f"-zlib{zlib.ZLIB_RUNTIME_VERSION}" if self.algorithm == "gzip" else ""
        return {"algorithm": self.algorithm + release}


class CompressionRatio(WholeOutputMetric):
    """Compression ratio: bytes of all texts over their bytes when compressed; the lower, the more diverse.

    >>> from textassay.metrics import score
    >>> varied = [f"{number} is {number * number} when squared" for number in range(50)]
    >>> score("compression-ratio", ["the same"] * 50).corpus > score("compression-ratio", varied).corpus
    True
    """

    name = "compression-ratio"
    scale = (0.0, float("inf"))
    higher_is_better = False
    Settings = CompressionSettings
    settings: CompressionSettings

    def survey(self, segments: TextSegments) -> list[str]:
        """The texts."""
        return list(segments.hypotheses)

    def whole_value(self, surveys: Sequence[list[str]]) -> WholeValue:
        """Size before over size after; nan where no text has anything in it."""
        data = " ".join(text for survey in surveys for text in survey).encode("utf-8", "surrogatepass")
        packed = gzip.compress(data, 9, mtime=0) if self.settings.algorithm == "gzip" else lzma.compress(data)
        ratio = len(data) / len(packed) if data.strip() else math.nan
        return WholeValue(ratio, {"bytes": len(data), "compressed_bytes": len(packed)})
