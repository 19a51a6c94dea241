"""Cosine of the mean word-piece vectors of hypothesis and reference: the simplest metric that knows word meanings.

A static model has one vector for each piece of a word, whatever its context, and needs neither torch nor a graphics
card. The default model is the one inside the package `wordllama` (256 numbers for each of 32,000 pieces); a folder
with `tokenizer.json` and `model.safetensors`, as model2vec writes it, will do as well. The files are read here, so that
a text's vector does not depend on what else is in its batch; those of `wordllama` itself differ in the seventh digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.metrics import setting
from textassay_embeddings.model_metric import ModelMetric, ModelSettings, Pair, files_hash

WORDLLAMA = "wordllama"
_IN_WHEEL = ("tokenizers/l2_supercat_tokenizer_config.json", "weights/l2_supercat_256.safetensors")
_AT_ONCE = 128
"""Texts whose pieces' vectors are in memory together; more take longer, for they leave the processor's cache."""
_IN_FOLDER = ("tokenizer.json", "model.safetensors")


@dataclass(frozen=True)
class EmbeddingSettings(ModelSettings):
    """What can be chosen for the similarity of embeddings."""

    model: str = setting(WORDLLAMA, sign="model", holds="wordllama, or a folder")
    """`wordllama` for the model inside that package, or a folder with `tokenizer.json` and `model.safetensors`."""


class StaticModel(NamedTuple):
    """A tokeniser and a vector for each of its pieces."""

    tokenizer: Any
    vectors: npt.NDArray[np.float32]


class EmbeddingSimilarity(ModelMetric):
    """Cosine of mean static embeddings, against the reference that is most similar."""

    name = "embedding-similarity"
    scale = (-1.0, 1.0)
    Settings = EmbeddingSettings
    settings: EmbeddingSettings
    library = "tokenizers"
    module = "tokenizers"

    @property
    def files(self) -> tuple[Path, Path]:
        """Those of the tokeniser and of the vectors.

        Raises:
            UsageError: they are not there; the message has the remedy.
        """
        if self.settings.model == WORDLLAMA:
            found = find_spec(WORDLLAMA)  # not imported, since that changes how everybody's messages are logged
            if found is None or not found.submodule_search_locations:
                remedy = "install it with: pip install wordllama, or give the folder of another model"
                raise UsageError(f"{self.name} needs the model inside the package wordllama; {remedy}")
            folder, names = Path(found.submodule_search_locations[0]), _IN_WHEEL
        else:
            folder, names = Path(self.settings.model), _IN_FOLDER
        for path in (folder / name for name in names):
            if not path.is_file():
                raise UsageError(f"{self.name}: the model {self.settings.model} has no file {path}; give its folder")
        return folder / names[0], folder / names[1]

    def load(self) -> StaticModel:
        """Read the files."""
        tokenizers = self.import_library()
        from safetensors.numpy import load_file  # noqa: PLC0415 -- nothing is loaded before a text is scored

        tokenizer_file, vectors_file = self.files
        tables = [table for table in load_file(vectors_file).values() if table.ndim == 2]
        if len(tables) != 1:
            raise UsageError(f"{self.name}: {vectors_file} has {len(tables)} tables of vectors; it must have one")
        tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return StaticModel(tokenizer, np.asarray(tables[0], np.float32))

    def hashed_model(self) -> str:
        """The SHA-256 of both files."""
        return files_hash(self.files)

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """The mean vector of each text's pieces, (texts × numbers); zeros for a text without pieces."""
        portions = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
        return np.concatenate([self._embed(portion) for portion in portions])

    def _embed(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        model: StaticModel = self.loaded
        pieces = [each.ids for each in model.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]
        counts = np.array([len(ids) for ids in pieces], np.int64)
        found = np.zeros((len(texts), model.vectors.shape[1]))
        filled = np.flatnonzero(counts)
        if len(filled):
            flat = np.concatenate([pieces[row] for row in filled]).astype(np.int64)
            first = np.concatenate([[0], np.cumsum(counts[filled])[:-1]])
            known = np.minimum(flat, len(model.vectors) - 1)  # as wordllama does with added pieces
            sums = np.add.reduceat(model.vectors[known], first, axis=0, dtype=np.float64)
            found[filled] = sums / counts[filled, None]
        return found

    def known_scores(self, pairs: Sequence[Pair]) -> list[float]:
        """The cosine of each pair; vectors, not pairs, are stored, since a text may be in many pairs."""
        texts = dict.fromkeys((text,) for pair in pairs for text in pair if text.strip())
        known = self.store.get(texts)
        new = [text for text in texts if text not in known]
        if new:
            known |= self.store.put(dict(zip(new, self.embed([text for (text,) in new]), strict=True)))
        return [self._cosine(*(known.get((text,)) for text in pair)) for pair in pairs]

    def _cosine(self, one: npt.NDArray[np.float64] | None, other: npt.NDArray[np.float64] | None) -> float:
        if one is None or other is None:
            return 0.0
        length = float(np.sqrt((one @ one) * (other @ other)))
        return float(np.clip(one @ other / length, -1.0, 1.0)) if length else 0.0

    def pair_scores(self, pairs: Sequence[Pair]) -> list[float]:
        """The cosines, without what is stored."""
        vectors = self.embed([text for pair in pairs for text in pair])
        return [self._cosine(vectors[row], vectors[row + 1]) for row in range(0, len(vectors), 2)]
