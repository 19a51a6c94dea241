"""COMET by the package `unbabel-comet`, which is loaded if the user has installed it.

Rei, R., Stewart, C., Farinha, A. C., & Lavie, A. (2020). COMET: a neural framework for MT evaluation. `comet` looks at
source, translation and reference, `comet-kiwi` at source and translation. The numbers are those of
`comet.load_from_checkpoint(…).predict(…).scores`. COMET takes one reference; of several the best counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from textassay.errors import UsageError
from textassay.metrics import Limits, TextSegments, setting
from textassay_embeddings.model_metric import ModelMetric, ModelSettings, Pair, files_hash


@dataclass(frozen=True)
class CometSettings(ModelSettings):
    """What can be chosen for COMET."""

    model: str = setting("Unbabel/wmt22-comet-da", sign="model", holds="name or checkpoint")
    """A name that COMET can download, or a checkpoint of yours, `…/checkpoints/model.ckpt`."""
    gpus: int = setting(0, sign="gpus", limits=Limits(0))
    """Graphics cards that work; 0 for the processor."""
    batch: int = setting(16, sign="batch", limits=Limits(1))
    """Texts that are given to the model at a time."""


@dataclass(frozen=True)
class CometKiwiSettings(CometSettings):
    """The same for COMET without references."""

    model: str = setting("Unbabel/wmt22-cometkiwi-da", sign="model", holds="name or checkpoint")
    """A name that COMET can download, or a checkpoint of yours, `…/checkpoints/model.ckpt`."""


class Comet(ModelMetric):
    """COMET with sources and references; the best reference counts."""

    name = "comet"
    scale = (-float("inf"), float("inf"))
    needs_sources = True
    Settings = CometSettings
    settings: CometSettings
    library = "unbabel-comet"
    module = "comet"
    keys: tuple[str, ...] = ("mt", "ref", "src")
    """What COMET calls the texts of a pair."""

    @cached_property
    def checkpoint(self) -> Path:
        """The file of the model, downloaded by COMET if it is a name.

        Raises:
            UsageError: the package is not installed, or has no such model.
        """
        path = Path(self.settings.model)
        if path.is_file():
            return path
        try:
            return Path(self.import_library().download_model(self.settings.model))
        except KeyError as error:
            remedy = "name a model of COMET, or the file of a checkpoint"
            raise UsageError(f"{self.name}: {error.args[0]} {remedy}") from error

    def load(self) -> Any:
        """A COMET model.

        Raises:
            UsageError: the package is not installed, or the file is no model of it.
        """
        package = self.import_library()
        try:
            return package.load_from_checkpoint(str(self.checkpoint))
        except Exception as error:  # whatever goes wrong in there, the remedy is another file
            remedy = "give the file of a checkpoint, …/checkpoints/model.ckpt, beside whose folder is its hparams.yaml"
            raise UsageError(f"{self.name}: {self.checkpoint} cannot be loaded ({error}); {remedy}") from error

    def hashed_model(self) -> str:
        """The SHA-256 of the checkpoint."""
        return files_hash([self.checkpoint])

    def pairs(self, segments: TextSegments) -> tuple[list[Pair], list[int]]:
        """Translation, reference and source."""
        rows = zip(segments.hypotheses, segments.references, segments.sources or (), strict=True)
        flat: list[Pair] = [(hypothesis, one, source) for hypothesis, references, source in rows for one in references]
        return flat, segments.first_reference.tolist()

    def pair_scores(self, pairs: Sequence[Pair]) -> list[float]:
        """What the model predicts."""
        samples = [dict(zip(self.keys, pair, strict=True)) for pair in pairs]
        asked = self.settings
        found = self.loaded.predict(samples, batch_size=asked.batch, gpus=asked.gpus, progress_bar=False)
        return [float(value) for value in found.scores]


class CometKiwi(Comet):
    """COMET without references: how good a translation of its source a text is."""

    name = "comet-kiwi"
    needs_references = False
    Settings = CometKiwiSettings
    keys = ("mt", "src")

    def pairs(self, segments: TextSegments) -> tuple[list[Pair], list[int]]:
        """Translation and source."""
        return list(zip(segments.hypotheses, segments.sources or (), strict=True)), list(range(len(segments) + 1))
