"""Dependency F: how many dependencies a text shares with its reference.

Both are parsed, by whatever parser the user trusts, and turned into triples deprel(head, word) whose words are tied to
their position in the reference (see `textassay.content.dependencies`). Precision, recall and F are made for each type
of dependency from counts, of a segment or summed over a corpus, then averaged:

- `micro`: over all triples alike, whatever their type;
- `unweighted`: the mean of the types' values, so that a rare type counts as much as a frequent one;
- `weighted`: the mean weighted by how often the type occurs in the reference.

The last two are those of Cahill (2009). A type that only one side has counts 0; with `weighted` one that the reference
lacks has no weight. Where neither side has a triple, as with one word each, the value is 1; where only one has, 0.

Cahill, A. (2009). Correlating human and automatic evaluation of a German surface realiser. ACL-IJCNLP, 97-100.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from textassay.content.conllu import ParsedText
from textassay.content.dependencies import TripleOptions, aligned_triples, count_types, reference_triples
from textassay.metrics.contract import Floats, Settings, setting
from textassay.metrics.parse_segments import ParseSegments
from textassay.metrics.references import PooledMetric

Survey = tuple[frozenset[str], frozenset[str]]
"""The types of dependencies, and the parsers."""


@dataclass(frozen=True)
class DependencySettings(Settings):
    """What can be chosen for dependency F."""

    average: str = setting("micro", sign="average", choices=("micro", "unweighted", "weighted"))
    """Over all triples alike, the mean over types, or that weighted by the types' frequency in the reference."""
    labels: bool = setting(default=True, sign="labels")
    """Whether types must agree."""
    subtypes: bool = setting(default=True, sign="subtypes")
    """Whether `nsubj:pass` differs from `nsubj`."""
    root: bool = setting(default=False, sign="root")
    """Whether being the root counts as a dependency."""
    punctuation: bool = setting(default=True, sign="punct")
    """Whether dependencies of punctuation count."""
    lowercase: bool = setting(default=True, sign="case", words={True: "lc", False: "mixed"})
    """Whether words match without regard to case."""
    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best, or the mean."""


class DependencyF(PooledMetric):
    r"""F of dependencies, with precision, recall and the F of each type.

    >>> from textassay.metrics import score
    >>> gold = "1 the _ _ _ _ 2 det _ _\n2 dog _ _ _ _ 3 nsubj _ _\n3 barks _ _ _ _ 0 root _ _\n".replace(" ", "\t")
    >>> text = "1 the _ _ _ _ 2 det _ _\n2 dog _ _ _ _ 3 obj _ _\n3 barks _ _ _ _ 0 root _ _\n".replace(" ", "\t")
    >>> found = score("dependency-f", [text], [[gold]])
    >>> found.corpus, found.corpus_parts["F det"], found.corpus_parts["F obj"]
    (0.5, 1.0, 0.0)
    """

    name = "dependency-f"
    takes = ParseSegments
    Settings = DependencySettings
    settings: DependencySettings
    two_passes = True
    one_survey = True

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._types: tuple[str, ...] = ()
        self._parsers: tuple[str, ...] = ()

    def survey(self, segments: ParseSegments) -> Survey:
        """The types and the parsers of one chunk."""
        options = self._options
        texts = [*segments.hypotheses, *(text for texts in segments.references for text in texts)]
        types = {name for text in texts for name, _, _ in reference_triples(text, options)}
        return frozenset(types), frozenset(text.parser for text in texts)

    def with_survey(self, surveys: Sequence[Survey]) -> Self:
        """A metric that knows all types."""
        knowing = copy.copy(self)
        types, parsers = (
            frozenset[str]().union(*parts) for parts in (zip(*surveys, strict=True) if surveys else ((), ()))
        )
        knowing._types, knowing._parsers = tuple(sorted(types)), tuple(sorted(parsers))  # noqa: SLF001 -- its own kind
        return knowing

    def count_names(self) -> tuple[str, ...]:
        """For each type: shared triples, those of the hypothesis, those of the reference."""
        return tuple(f"{what} {name}" for name in self._types for what in ("matched", "hypothesis", "reference"))

    def score_names(self) -> tuple[str, ...]:
        """F, precision, recall, and the F of each type where counts are left to make it from."""
        of_types = () if self.multi == "mean" else self._types
        return ("f", "precision", "recall", *(f"F {name}" for name in of_types))

    def pair_counts(self, segments: ParseSegments) -> npt.NDArray[np.int32]:
        """Counts of each text with each of its references."""
        place = {name: 3 * number for number, name in enumerate(self._types)}
        options = self._options
        counts = np.zeros((int(segments.first_reference[-1]), 3 * len(place)), dtype=np.int32)
        row = 0
        for text, references in zip(segments.hypotheses, segments.references, strict=True):
            for reference in references:
                found = count_types(aligned_triples(text, reference, options), reference_triples(reference, options))
                for name, each in found.items():
                    at = place[name]
                    counts[row, at : at + 3] = each.matched, each.hypothesis, each.reference
                row += 1
        return counts

    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """F, precision and recall as averaged, then the F of each type, undefined for a type that is not there."""
        del corpus
        by_type = np.asarray(counts, dtype=np.float64).reshape(len(counts), counts.shape[1] // 3, 3)
        of_types = _ratios(by_type)
        averaged = self._averaged(by_type, of_types)
        nothing = by_type.sum(axis=(1, 2)) == 0
        averaged[nothing] = 1.0  # both say the same: nothing
        if self.multi == "mean":
            return averaged
        absent = by_type.sum(axis=2) == 0
        return np.concatenate([averaged, np.where(absent, np.nan, of_types[:, :, 0])], axis=1)

    def remarks(self, segments: ParseSegments) -> Mapping[str, int]:
        """How many texts have no dependencies that count."""
        options = self._options
        references = [text for texts in segments.references for text in texts]
        return {
            "hypotheses have no dependencies": sum(
                not reference_triples(text, options) for text in segments.hypotheses
            ),
            "references have no dependencies": sum(not reference_triples(text, options) for text in references),
        }

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """With the parsers, as far as they are known."""
        return {**super().signature_fields(nrefs), "parser": "+".join(name or "unknown" for name in self._parsers)}

    @property
    def _options(self) -> TripleOptions:
        chosen = self.settings
        return TripleOptions(chosen.labels, chosen.subtypes, chosen.root, chosen.punctuation, chosen.lowercase)

    def _lacks(self, text: ParsedText) -> bool:
        return not reference_triples(text, self._options)

    def _averaged(self, by_type: Floats, of_types: Floats) -> Floats:
        """F, precision and recall of each row."""
        if self.settings.average == "micro":
            return _ratios(by_type.sum(axis=1, keepdims=True))[:, 0]
        present = by_type.sum(axis=2) > 0
        weights = np.where(present, 1.0, 0.0) if self.settings.average == "unweighted" else by_type[:, :, 2]
        total = weights.sum(axis=1, keepdims=True)
        summed = np.einsum("st,stv->sv", weights, of_types)
        # Divided last, so that texts with all dependencies of their reference have exactly 1 and tie with each other.
        return np.asarray(np.divide(summed, total, out=np.zeros_like(summed), where=total > 0))


def _ratios(counts: Floats) -> Floats:
    """F, precision and recall from (…, 3) counts; 0 where there is nothing to divide by."""
    matched, hypothesis, reference = counts[..., 0], counts[..., 1], counts[..., 2]
    pairs = ((2 * matched, hypothesis + reference), (matched, hypothesis), (matched, reference))
    return np.stack([np.divide(a, b, out=np.zeros_like(a), where=b > 0) for a, b in pairs], axis=-1)
