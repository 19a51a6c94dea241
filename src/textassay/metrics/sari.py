"""SARI: which n-grams of its source a text rightly keeps, deletes and adds, as its references do.

Xu, W., Napoles, C., Pavlick, E., Chen, Q. & Callison-Burch, C. (2016). Optimizing statistical machine translation for
text simplification. TACL, 4, 401-415. With s, c and r the number of times that an n-gram is in the source, the text
and the references together, and m references,

- added are n-grams with c > 0 = s, rightly if r > 0; the references add those with r > 0 = s (each counts once),
- kept is min(ms, mc), rightly as far as min(ms, r), which the references keep,
- deleted is what ms exceeds mc by, rightly as far as ms exceeds r.

SARI = 100 · (addition + keeping + deletion) / 3 over orders 1 to 4. Programs make different numbers of this, and papers
seldom say which they used; `variant` is in the signature:

- `easse`: EASSE, the usual one today. Counts are summed over the corpus; the F of each operation and order, averaged.
- `easse-precision`: the same with the precision of deletion instead of F (`use_f1_for_deletion=False`).
- `paper`: the paper's equations: precision and recall averaged over the orders, then F; precision for deletion.
- `xu`: the authors' Python script. The mean over texts; keeping and deletion are means over different n-grams of the
  share that is right, and what is deleted is right as far as it exceeds r, not as far as ms exceeds r.
- `huggingface`: the package `evaluate`. As `xu`, but recall of keeping from summed counts, and 0/0 = 1.
- `tensor2tensor`: each text has an n-gram or not; r is the share of the references that have it; 0/0 = 1.

Values equal those of the programs for the same tokens, but that there an empty text has one word, which is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.kernels.arguments import Int64
from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.ngram_places import ngram_places
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser

ORDERS = 4
OPERATIONS = ("addition", "keeping", "deletion")
_POOLED = ("easse", "easse-precision", "paper")
"""Variants that sum counts over the corpus; the others average over texts."""


@dataclass(frozen=True)
class SariSettings(Settings):
    """What can be chosen for SARI."""

    variant: str = setting(
        "easse",
        sign="variant",
        choices=("easse", "easse-precision", "paper", "xu", "huggingface", "tensor2tensor"),
    )
    """Whose way of counting and averaging. `easse`: counts summed over the corpus, the F of each operation and order,
    averaged; `easse-precision`: with the precision of deletion; `paper`: precision and recall averaged over orders,
    then F, precision for deletion; `xu`: the authors' script, a mean over texts; `huggingface`: the package evaluate,
    as `xu` with another recall of keeping and 0/0 = 1; `tensor2tensor`: n-grams are there or not, and 0/0 = 1."""
    tokeniser: str = tokeniser_setting("13a", "intl", "none")
    """As in BLEU; `none` for texts whose tokens are already separated by spaces, as the authors' script has them."""
    lowercase: bool = setting(default=True, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""


class NgramUse(NamedTuple):
    """The different n-grams of one order in each segment, and how often they are where."""

    segment: Int64
    source: Int64
    text: Int64
    references: Int64
    """In all references together."""
    having: Int64
    """How many references have it."""
    long_enough: Int64
    """For each segment, how many references have any n-gram of this order."""


class Sari(Metric):
    """SARI of simplifications: F of what is added and kept, F or precision of what is deleted.

    It compares with the source of each text, and with its references (Xu et al. 2016).

    >>> from textassay.metrics import score
    >>> source = "About 95 species are currently accepted ."
    >>> references = ["About 95 species are currently known .", "About 95 species are now accepted ."]
    >>> result = score("sari", ["About 95 species are now agreed ."], [references], sources=[source])
    >>> result.segments.round(2).tolist()
    [66.88]
    """

    name = "sari"
    needs_sources = True
    scale = (0.0, 100.0)
    Settings = SariSettings
    settings: SariSettings

    def statistics(self, segments: TextSegments) -> Statistics:
        """For each order, counts of what is right, what the text does and what the references do; or scores."""
        encoded, n = self._encoded(segments), len(segments)
        references = np.diff(encoded.first_reference)
        orders = list(_uses(encoded))
        if self.settings.variant in _POOLED:
            counts = [_pooled_counts(use, references, n) for use in orders]
            return np.stack(counts, axis=3).reshape(n, 9 * ORDERS).astype(np.int32)
        score = _BY_TEXT[self.settings.variant]
        return np.stack([score(use, references, n) for use in orders], axis=2).reshape(n, 3 * ORDERS)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """SARI of each segment."""
        return np.asarray(self._operations(statistics).mean(axis=-1))

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The score of each operation."""
        return dict(zip(OPERATIONS, self._operations(statistics).T, strict=True))

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The counts, or the scores of each operation and order."""
        return statistics.astype(np.int64) if self.settings.variant in _POOLED else statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """SARI of summed counts, or of mean scores."""
        return np.asarray(self._corpus_operations(sums, n).mean(axis=-1))

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The score of each operation for the corpus."""
        return dict(zip(OPERATIONS, self._corpus_operations(sums, n).tolist(), strict=True))

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """Some variants sum counts, others average scores, and the signature says which."""
        corpus = "pooled" if self.settings.variant in _POOLED else "mean"
        return {**super().signature_fields(nrefs), "corpus": corpus}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        encoded = self._encoded(segments)
        without = encoded.texts.lengths == 0
        return {
            **encoded.empty("hypotheses contain no words", "references contain no words"),
            "sources contain no words": int(without[encoded.sources].sum()),
        }

    def _corpus_operations(self, sums: npt.NDArray[Any], n: int) -> Floats:
        return self._operations(sums if self.settings.variant in _POOLED else sums / n)

    def _operations(self, statistics: npt.NDArray[Any]) -> Floats:
        """(…, statistics) to (…, operations), in per cent."""
        shape = statistics.shape[:-1]
        if self.settings.variant not in _POOLED:
            return np.asarray(100 * statistics.reshape(*shape, 3, ORDERS).mean(axis=-1))
        right, done, wanted = np.moveaxis(statistics.reshape(*shape, 3, 3, ORDERS).astype(np.float64), -3, 0)
        precision, recall = _share(right, done, 0.0), _share(right, wanted, 0.0)
        if self.settings.variant == "paper":
            precision, recall = precision.mean(axis=-1), recall.mean(axis=-1)
            scores = _f(precision, recall)
            scores[..., 2] = precision[..., 2]
        else:
            by_order = _f(precision, recall)
            if self.settings.variant == "easse-precision":
                by_order[..., 2, :] = precision[..., 2, :]
            scores = by_order.mean(axis=-1)
        return np.asarray(100 * scores)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        return segments.tokens(tokeniser(self.settings.tokeniser, lower=self.settings.lowercase), sources=True)


def _uses(encoded: EncodedSegments) -> Iterator[NgramUse]:
    """Order by order, which n-grams source, text and references of each segment have."""
    n, pairs = len(encoded.hypotheses), len(encoded.references)
    owner = np.concatenate([np.arange(n), np.repeat(np.arange(n), np.diff(encoded.first_reference)), np.arange(n)])
    rows = np.concatenate([encoded.hypotheses, encoded.references, encoded.sources])
    lengths = encoded.texts.lengths[encoded.references]
    for number, order in enumerate(ngram_places(encoded.texts, rows, ORDERS)):
        found = order.counts()
        size = max(order.distinct, 1)
        keys, place = np.unique(owner[found.text] * size + found.gram, return_inverse=True)
        place = place.reshape(-1)
        text, source = found.text < n, found.text >= n + pairs
        reference = ~(text | source)
        yield NgramUse(
            keys // size,
            _sums(place[source], found.times[source], len(keys)),
            _sums(place[text], found.times[text], len(keys)),
            _sums(place[reference], found.times[reference], len(keys)),
            np.bincount(place[reference], minlength=len(keys)),
            np.bincount(owner[n : n + pairs][lengths > number], minlength=n),
        )


def _pooled_counts(use: NgramUse, references: Int64, n: int) -> Int64:
    """(segments × right, done, wanted × operations)."""
    source, text = (each * references[use.segment] for each in (use.source, use.text))
    new, added, wanted = use.source == 0, use.text > 0, use.references > 0
    kept, keeps = np.minimum(source, text), np.minimum(source, use.references)
    deleted, deletes = np.maximum(source - text, 0), np.maximum(source - use.references, 0)
    return np.stack(
        [
            np.stack([_sums(use.segment, each, n) for each in operations], axis=1)
            for operations in (
                (new & added & wanted, np.minimum(kept, keeps), np.minimum(deleted, deletes)),
                (new & added, kept, deleted),
                (new & wanted, keeps, deletes),
            )
        ],
        axis=1,
    )


def _xu(use: NgramUse, references: Int64, n: int) -> Floats:
    """As the authors' script: (segments × operations)."""
    return _by_types(use, references, n, huggingface=False)


def _huggingface(use: NgramUse, references: Int64, n: int) -> Floats:
    """As the package evaluate: (segments × operations)."""
    return _by_types(use, references, n, huggingface=True)


def _by_types(use: NgramUse, references: Int64, n: int, *, huggingface: bool) -> Floats:
    source, text = (each * references[use.segment] for each in (use.source, use.text))
    new, added, wanted = use.source == 0, use.text > 0, use.references > 0
    nothing = 1.0 if huggingface else 0.0

    def total(values: npt.NDArray[Any]) -> Floats:
        return np.bincount(use.segment, values, n).astype(np.float64)

    right = total(new & added & wanted)
    addition = _f(_share(right, total(new & added), nothing), _share(right, total(new & wanted), nothing))
    kept, keeps = np.minimum(source, text), np.minimum(source, use.references)
    good = np.minimum(kept, use.references)
    precision = _share(total(_share(good, kept, 0.0)), total(kept > 0), nothing)
    if huggingface:
        recall = _share(total(good), total(keeps), nothing)
    else:
        recall = _share(total(_share(good, keeps, 0.0)), total(keeps > 0), nothing)
    deleted = np.maximum(source - text, 0)
    rightly = np.maximum(deleted - use.references, 0)
    deletion = _share(total(_share(rightly, deleted, 0.0)), total(deleted > 0), nothing)
    return np.stack([addition, _f(precision, recall), deletion], axis=1)


def _tensor2tensor(use: NgramUse, references: Int64, n: int) -> Floats:
    """As the hook of tensor2tensor: (segments × operations)."""
    del references
    source, text = ((each > 0).astype(np.float64) for each in (use.source, use.text))
    weight = _share(use.having, use.long_enough[use.segment], 0.0)

    def total(values: npt.NDArray[Any]) -> Floats:
        return np.bincount(use.segment, values, n).astype(np.float64)

    def f(right: npt.NDArray[Any], done: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> Floats:
        return _f(_share(total(right), total(done), 1.0), _share(total(right), total(wanted), 1.0))

    added, wanted = np.maximum(text - source, 0), np.maximum((weight > 0) - source, 0)
    addition = f(np.minimum(added, weight > 0), added, wanted)
    kept, keeps = np.minimum(source, text), np.minimum(source, weight)
    deleted, deletes = np.maximum(source - text, 0), np.maximum(source - weight, 0)
    deletion = _share(total(np.minimum(deleted, deletes)), total(deleted), 1.0)
    return np.stack([addition, f(np.minimum(kept, keeps), kept, keeps), deletion], axis=1)


_BY_TEXT = {"xu": _xu, "huggingface": _huggingface, "tensor2tensor": _tensor2tensor}


def _sums(places: Int64, values: npt.NDArray[Any], n: int) -> Int64:
    return np.bincount(places, values, n).astype(np.int64)


def _share(part: npt.NDArray[Any], whole: npt.NDArray[Any], of_nothing: float) -> Floats:
    out = np.full(np.broadcast(part, whole).shape, of_nothing)
    return np.asarray(np.divide(part, whole, out=out, where=np.asarray(whole) > 0))


def _f(precision: Floats, recall: Floats) -> Floats:
    return _share(2 * precision * recall, precision + recall, 0.0)
