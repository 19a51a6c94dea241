"""What metrics with a model share: pairs in batches, each computed once, and references of which the best counts."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics import Metric, Settings, TextSegments
from textassay_embeddings.stored import Store, store_named_by_user

Pair = tuple[str, ...]
"""What the model looks at for one score: the hypothesis, then the reference, the source, or both."""


@dataclass(frozen=True)
class ModelSettings(Settings):
    """Settings with a `model`, which is a name or the path of files."""

    def signature_fields(self) -> dict[str, str]:
        """All settings; of a path the last part only, since the hash says the rest."""
        model = getattr(self, "model", "")
        path = Path(model)
        return {**super().signature_fields(), "model": path.name if model and path.exists() else model}


class ModelMetric(Metric):
    """A metric that asks a model for the score of each pair; its corpus score is the mean."""

    library: str
    """The installed package that does the work, for signature and messages."""
    module: str
    """What it is called in Python."""
    chunk = 1024

    @cached_property
    def loaded(self) -> Any:
        """The model, loaded when it is first asked for and kept."""
        return self.load()

    @cached_property
    def store(self) -> Store:
        """What is known already, by hashes of model, settings and text."""
        asked = f"{self.name}|{self.model_hash}|{self.library_version}|{self.asked()}"
        return store_named_by_user(hashlib.sha256(asked.encode()).digest())

    @property
    def library_version(self) -> str:
        """The package that does the work, with its release."""
        return f"{self.library}-{version(self.library)}"

    @abstractmethod
    def load(self) -> Any:
        """Load the model."""

    @cached_property
    def model_hash(self) -> str:
        """The first 12 digits of the SHA-256 of the model's weights."""
        return self.hashed_model()[:12]

    @abstractmethod
    def hashed_model(self) -> str:
        """The SHA-256 of the model's weights."""

    @abstractmethod
    def pair_scores(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """The scores of distinct pairs, in which no text is empty."""

    def asked(self) -> str:
        """All settings that a stored score depends on."""
        return "|".join(f"{key}:{value}" for key, value in self.settings.signature_fields().items())

    def import_library(self) -> Any:
        """The package that does the work.

        Raises:
            UsageError: it is not installed; the message has the remedy.
        """
        try:
            return import_module(self.module)
        except ImportError as error:
            remedy = f"install it with: pip install {self.library}"
            raise UsageError(f"{self.name} needs the package {self.library} ({error}); {remedy}") from error

    def pairs(self, segments: TextSegments) -> tuple[list[Pair], list[int]]:
        """All pairs of a chunk, and where those of each segment begin, with the end of the last."""
        flat: list[Pair] = [
            (hypothesis, reference)
            for hypothesis, references in zip(segments.hypotheses, segments.references, strict=True)
            for reference in references
        ]
        return flat, segments.first_reference.tolist()

    def statistics(self, segments: TextSegments) -> npt.NDArray[np.float64]:
        """The score of each segment."""
        pairs, first = self.pairs(segments)
        values = self.known_scores(pairs)
        best = [max(values[start:end]) for start, end in pairwise(first)]
        return np.array(best, dtype=np.float64).reshape(-1, 1)

    def known_scores(self, pairs: Sequence[Pair]) -> list[float]:
        """The score of each pair: 0 where a text is empty, else what is stored or what the model says."""
        asked = dict.fromkeys(pair for pair in pairs if all(text.strip() for text in pair))
        known = self.store.get(asked)
        new = [pair for pair in asked if pair not in known]
        if new:
            low, high = self.scale
            found = np.clip(np.asarray(self.pair_scores(new), np.float64), low, high)
            known |= self.store.put(dict(zip(new, found[:, None], strict=True)))
        return [float(known[pair][0]) if pair in known else 0.0 for pair in pairs]

    def segment_scores(self, statistics: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The scores as they are."""
        return np.asarray(statistics[:, 0], np.float64)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many segments have an empty text, of which a model knows nothing."""
        pairs, first = self.pairs(segments)
        empty = [any(not text.strip() for text in pair) for pair in pairs]
        return {"texts are empty or have an empty reference": sum(any(empty[a:b]) for a, b in pairwise(first))}

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """What the score depends on: with the model's hash and the release of the package that runs it."""
        usual = super().signature_fields(nrefs)
        return {**usual, "multi": "best", "sha256": self.model_hash, "by": self.library_version}

    def __getstate__(self) -> dict[str, Any]:
        # Another process loads the model itself.
        return {"settings": self.settings}


def files_hash(paths: Sequence[Path]) -> str:
    """The SHA-256 of the files' own SHA-256 digests, one after the other."""
    found = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()
