"""BERTScore by the package `bert-score`, which is loaded if the user has installed it.

Zhang, T., Kishore, V., Wu, F., Weinberger, K. Q., & Artzi, Y. (2020). BERTScore: evaluating text generation with BERT.
The numbers are those of `bert_score.BERTScorer(model_type=…, num_layers=…).score(…)`; of several references the best
counts, as there. Texts without words have 0: the package itself fails on them with newer releases of transformers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textassay.errors import UsageError
from textassay.metrics import Limits, setting
from textassay_embeddings.model_metric import ModelMetric, ModelSettings, Pair

_PARTS = ("precision", "recall", "f1")
"""In the order in which the package gives them."""


@dataclass(frozen=True)
class BertScoreSettings(ModelSettings):
    """What can be chosen for BERTScore."""

    model: str = setting("roberta-large", sign="model", holds="name or folder")
    """A model of transformers, or the folder of one."""
    layers: int = setting(0, sign="layers", limits=Limits(0), unset="the layer that bert-score has for the model")
    """Which layer's vectors are compared, from 1; 0 for the one that `bert-score` has for the model. A model that it
    does not know needs a number."""
    part: str = setting("f1", sign="part", choices=_PARTS)
    """Precision, recall, or F1."""
    rescale: str = setting("", sign="rescale", holds="language code", unset="no")
    """The language whose baseline of `bert-score` the values are rescaled with, such as `en`; none by default."""
    device: str = setting("cpu", sign="device", holds="device of torch")
    """Where the model runs, for example `cuda:0`."""
    batch: int = setting(64, sign="batch", limits=Limits(1))
    """Pairs that are given to the model at a time."""


class BertScore(ModelMetric):
    """BERTScore with a model that the user has; the best reference counts."""

    name = "bertscore"
    scale = (-float("inf"), 1.0)  # rescaled values of poor texts are below 0
    Settings = BertScoreSettings
    settings: BertScoreSettings
    library = "bert-score"
    module = "bert_score"

    def load(self) -> Any:
        """A `BERTScorer`.

        Raises:
            UsageError: the package is not installed, or has no such model, layer or baseline.
        """
        package, asked = self.import_library(), self.settings
        try:
            return package.BERTScorer(
                model_type=asked.model,
                num_layers=asked.layers or None,
                device=asked.device,
                lang=asked.rescale or None,
                rescale_with_baseline=bool(asked.rescale),
            )
        except KeyError as error:
            remedy = f"name the layer, as in -m {self.name}:model={asked.model},layers=9"
            raise UsageError(f"{self.name}: bert-score has no layer for the model {error}; {remedy}") from error
        except Exception as error:  # whatever goes wrong in there, the remedy is another model
            remedy = "give the folder of a model, or a name that transformers can load"
            raise UsageError(f"{self.name}: the model {asked.model} cannot be loaded ({error}); {remedy}") from error

    def hashed_model(self) -> str:
        """The SHA-256 of all weights in the order of their names, wherever they came from."""
        found = hashlib.sha256()
        for name, weights in sorted(self.loaded._model.state_dict().items()):  # noqa: SLF001 -- it has no other name
            found.update(name.encode())
            found.update(weights.cpu().contiguous().numpy().tobytes())
        return found.hexdigest()

    def pair_scores(self, pairs: Sequence[Pair]) -> list[float]:
        """One part of BERTScore for each pair."""
        hypotheses, references = ([pair[place] for pair in pairs] for place in (0, 1))
        parts = self.loaded.score(hypotheses, references, batch_size=self.settings.batch)
        return [float(value) for value in parts[_PARTS.index(self.settings.part)]]
