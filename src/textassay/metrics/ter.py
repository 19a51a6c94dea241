"""TER: the translation edit rate.

Snover, M., Dorr, B., Schwartz, R., Micciulla, L., Makhoul, J. (2006). A study of translation edit rate with targeted
human annotation. TER = 100 · edits / words of the reference, where an edit is an insertion, a deletion, a substitution
or the shift of a block of words. The fewest edits are sought greedily, as tercom 0.8.0 does; all values equal those of
the package sacreBLEU 2.6. That package tokenises references twice and hypotheses once. With `normalized` this makes a
difference in places such as "it's.", which becomes "it's ." in a hypothesis and "it 's ." in a reference, so that a
text may differ from itself; `references_once` cuts both sides alike, as tercom does. `variant=tercom` cuts words as the
program tercom 0.10 does in all things; with `no_punct` the values are then those of its option `-P`, where a text that
begins with a sign alone keeps an empty word in its place (see `tokenisers/tercom.py`). The search for shifts is
sacreBLEU's in both, and in nearly all texts finds what tercom finds: of 3,556 real ones, each with five settings, three
had one edit more, sentences of 20 words. In long texts of few words often repeated the two differ more often.

With several references the edits are those with the reference that needs the fewest, over the mean number of words of
all. Over a corpus edits and mean numbers of words are summed. Where no reference has a word, the value is 100 if the
hypothesis has one and 0 if not, as in sacreBLEU.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.kernels.ter import edits_of, ter_edits
from textassay.metrics.contract import Floats, Metric, Settings, Statistics, setting
from textassay.metrics.one_pair import WordReader, word_reader
from textassay.metrics.scripts_without_spaces import remark_on_scripts
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import Tokeniser, mteval
from textassay.metrics.tokenisers.registry import Splitter
from textassay.metrics.tokenisers.tercom import tercom_words
from textassay.metrics.tokens import EncodedTexts

_SPLITTERS = {
    (False, False, False): Splitter(str.split),
    (False, False, True): Splitter(str.split),
    (False, True, False): Splitter(mteval.no_punctuation),
    (False, True, True): Splitter(mteval.no_asian_punctuation),
    (True, False, False): Splitter(mteval.normalised_western, whole=True),
    (True, False, True): Splitter(mteval.normalised_asian, whole=True),
    (True, True, False): Splitter(mteval.normalised_no_punctuation, whole=True),
    (True, True, True): Splitter(mteval.normalised_no_asian_punctuation, whole=True),
}
"""By `normalized`, `no_punct` and `asian_support`."""
_TWICE = {
    key: Splitter(partial(mteval.twice, splitter.words), whole=True)
    for key, splitter in _SPLITTERS.items()
    if splitter.whole
}
"""For references; the other splitters find nothing new in their own words."""
_TERCOM = {
    key: Splitter(partial(tercom_words, normalized=key[0], no_punct=key[1], asian=key[2]), whole=True)
    for key in _SPLITTERS
}
_VARIANTS = {"sacrebleu": "tercom", "tercom": "tercom-0.10"}
"""Whose words are taken, and what the signature says: for its own words sacreBLEU says `tok:tercom`."""


@dataclass(frozen=True)
class TerSettings(Settings):
    """What can be chosen for TER; names and defaults are sacreBLEU's, but that of `variant`."""

    variant: str = setting("sacrebleu", sign="tok", choices=_VARIANTS)
    """Whose way of cutting words is taken: that of sacreBLEU, or that of the program tercom 0.10, which differs where
    punctuation is excluded (its option `-P`), in references, at no-break spaces and for Japanese."""
    case_sensitive: bool = setting(default=False, sign="case", words={True: "mixed", False: "lc"})
    """Whether case counts."""
    normalized: bool = setting(default=False, sign="norm")
    """Whether punctuation is parted from words and entities are resolved."""
    no_punct: bool = setting(default=False, sign="punct", words={True: "no", False: "yes"})
    """Whether punctuation is excluded."""
    asian_support: bool = setting(default=False, sign="asian")
    """Whether these two deal with Chinese and Japanese signs as well, and the first parts ideographs."""
    references_once: bool = setting(default=False, sign="refs", words={True: "once", False: "as-sacrebleu"})
    """Whether references are tokenised once, like hypotheses, instead of twice; it matters only with `normalized`.
    With `variant=tercom` they always are."""

    def signature_fields(self) -> dict[str, str]:
        """The words by their name, and that tercom cuts references once."""
        fields = {**super().signature_fields(), "tok": _VARIANTS[self.variant]}
        return {**fields, "refs": "once"} if self.variant == "tercom" else fields


class Ter(Metric):
    """Edits and shifts that make the reference of the hypothesis, per hundred words of the reference.

    >>> from textassay.metrics import score
    >>> result = score("ter", ["d e f g h a b c", "b c"], [["a b c d e f g h"], ["a b c", "c"]])
    >>> result.segments.tolist(), result.corpus
    ([12.5, 50.0], 20.0)
    """

    name = "ter"
    scale = (0.0, math.inf)
    higher_is_better = False
    Settings = TerSettings
    settings: TerSettings
    corpus_is = "pooled"

    def statistics(self, segments: TextSegments) -> Statistics:
        """Fewest edits over all references, words of all references, number of references."""
        encoded = self._encoded(segments)
        first = encoded.first_reference[:-1]
        if len(first) == 0:
            return np.zeros((0, 3), dtype=np.int32)
        texts = encoded.texts
        edits = ter_edits(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references)
        words = np.add.reduceat(texts.lengths[encoded.references], first)
        columns = (np.minimum.reduceat(edits, first), words, np.diff(encoded.first_reference))
        return np.stack(columns, axis=1).astype(np.int32)

    def one_value(self, hypothesis: str, references: Sequence[str]) -> float:
        """Edits per hundred words of the mean reference."""
        ours, read = self._words(hypothesis), self._reference_words
        theirs = [read(reference) for reference in references]
        edits = min(edits_of(ours, words) for words in theirs)
        words = sum(map(len, theirs)) / len(theirs)
        return 100 * (edits / words if words else min(edits, 1.0))

    @cached_property
    def _words(self) -> WordReader:
        return word_reader(self._tokeniser)

    @cached_property
    def _reference_words(self) -> WordReader:
        return self._words if self._twice is None else word_reader(self._twice)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """Edits per hundred words of the mean reference."""
        return _rate(self.summands(statistics))

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """Edits, and the mean number of words of the references."""
        return {"edits": statistics[:, 0], "reference_words": self.summands(statistics)[:, 1]}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """Edits, and the mean number of words of the references."""
        edits, words, references = statistics.T.astype(np.float64)
        return np.stack((edits, words / np.maximum(references, 1)), axis=1)

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """Summed edits per hundred words of the mean references."""
        del n
        return _rate(sums)

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """Both sums."""
        del n
        return {"edits": float(sums[0]), "reference_words": float(sums[1])}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no word, and how many references are tokenised differently from hypotheses."""
        encoded = self._encoded(segments)
        lengths = encoded.texts.lengths
        remarks = {
            "hypotheses contain no words": int((lengths[encoded.hypotheses] == 0).sum()),
            "references contain no words; where a segment has no other, it scores 100 if its hypothesis has words": int(
                (lengths[encoded.references] == 0).sum()
            ),
        }
        if self._twice is not None:
            once = segments.tokens(self._tokeniser)
            differ = once.texts.lengths[once.references] != lengths[encoded.references]
            remarks["references are tokenised differently from hypotheses (see the setting references_once)"] = int(
                differ.sum()
            )
        if not (self.settings.normalized and self.settings.asian_support):
            remedy = "for Chinese and Japanese set normalized and asian_support; else part words by spaces"
            remarks |= remark_on_scripts(segments.hypotheses, lengths[encoded.hypotheses], remedy)
        return remarks

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """What several references make is not a choice but part of the definition."""
        return {"nrefs": nrefs, "multi": "fewest-edits/mean-length", **super().signature_fields(nrefs)}

    @property
    def _tokeniser(self) -> Tokeniser:
        chosen = self.settings
        splitters = _TERCOM if chosen.variant == "tercom" else _SPLITTERS
        splitter = splitters[chosen.normalized, chosen.no_punct, chosen.asian_support]
        return Tokeniser(splitter, lower=not chosen.case_sensitive)

    @property
    def _twice(self) -> Tokeniser | None:
        """For references, if not the same as for hypotheses."""
        chosen = self.settings
        splitter = _TWICE.get((chosen.normalized, chosen.no_punct, chosen.asian_support))
        if splitter is None or chosen.references_once or chosen.variant == "tercom":
            return None
        return Tokeniser(splitter, lower=not chosen.case_sensitive)

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        encoded = segments.tokens(self._tokeniser)
        return encoded if self._twice is None else _joined(encoded, segments.tokens(self._twice))


def _joined(hypotheses: EncodedSegments, references: EncodedSegments) -> EncodedSegments:
    """Hypotheses of one encoding with references of another, in one set of numbers."""
    ours, theirs = hypotheses.texts, references.texts
    known = {word: number for number, word in enumerate(ours.words)}
    numbers = np.array([known.setdefault(word, len(known)) for word in theirs.words], dtype=np.int32)
    texts = EncodedTexts(
        tokens=np.concatenate((ours.tokens, numbers[theirs.tokens])),
        offsets=np.concatenate((ours.offsets, theirs.offsets[1:] + ours.offsets[-1])),
        rows=np.concatenate((ours.rows, theirs.rows + len(ours.lengths))),
        words=list(known),
    )
    return EncodedSegments(
        texts, hypotheses.hypotheses, references.references + len(ours.lengths), hypotheses.first_reference
    )


def _rate(sums: npt.NDArray[Any]) -> Floats:
    edits, words = sums[..., 0].astype(np.float64), sums[..., 1].astype(np.float64)
    without = np.where(edits > 0, 1.0, 0.0)
    return np.asarray(100 * np.divide(edits, words, out=without, where=words > 0))
