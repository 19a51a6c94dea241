"""CIDEr: how like the consensus of its references a text is, by n-grams that few other texts have.

Vedantam, R., Zitnick, C. L. & Parikh, D. (2015). CIDEr: Consensus-based image description evaluation. CVPR. A text is a
vector for each order n: how often it has each n-gram, times idf = ln(N) - ln(number of documents with the n-gram, at
least 1), where the references of one segment are one document and N is their number. CIDEr is the mean, over orders
and references, of the cosine of hypothesis and reference, times 10. CIDEr-D, which the COCO server reports as "CIDEr",
counts an n-gram of the hypothesis at most as often as the reference has it and multiplies by exp(-(difference of
lengths)² / 2σ²), so that repeating rare words does not pay.

Values equal those of pycocoevalcap 1.2 (its `Cider` is CIDEr-D) and of the authors' scripts for the same tokens. As
there, the length of a text in CIDEr-D is its number of bigrams. The COCO pipeline splits texts by the Stanford PTB
tokeniser first and drops punctuation; for its figures give texts so prepared and `tokeniser="none"`. The paper also
stems (`stem`), the scripts do not. A score depends on the whole corpus of references: that of a few segments says
little, and with one segment every idf and every score is 0.

The idf of another corpus, such as COCO's validation set, can be given as a text file: in its first line `documents`, a
tab and N, in every other line an n-gram (its words separated by one space), a tab and in how many documents it is.
"""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from textassay.errors import UsageError
from textassay.kernels.arguments import Int64
from textassay.metrics.contract import Floats, Limits, Metric, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.ngram_places import NgramPlaces, NgramsOfTexts, ngram_places
from textassay.metrics.nist import NgramCounts, NgramOrder
from textassay.metrics.references import group_means
from textassay.metrics.segments import EncodedSegments, TextSegments
from textassay.metrics.tokenisers import tokeniser


@dataclass(frozen=True)
class CiderSettings(Settings):
    """What can be chosen for CIDEr."""

    tokeniser: str = tokeniser_setting("unicode-words", "13a", "char", "none")
    """`none` for texts whose tokens are already separated by spaces, as COCO's tools do; `unicode-words` drops
    punctuation and case; the others are those of BLEU."""
    lowercase: bool = setting(default=False, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up, where the tokeniser keeps it."""
    stem: bool = setting(default=False, sign="stem")
    """Whether Porter's stemmer is applied, for English: as in the paper, but not in the authors' scripts."""
    max_order: int = setting(4, sign="order", limits=Limits(1))
    """The longest n-grams."""
    document_frequencies: str = setting("", sign="df", holds="path of a file", unset="counted in the references")
    """Path of a file with document frequencies; by default they are counted in the references given. The signature
    has the first digits of the file's SHA-256."""

    def signature_fields(self) -> dict[str, str]:
        """As always, with the origin of the document frequencies."""
        path = self.document_frequencies
        origin = f"sha256-{hashlib.sha256(_bytes(Path(path))).hexdigest()[:12]}" if path else "references"
        return {**super().signature_fields(), "df": origin}


@dataclass(frozen=True)
class CiderDSettings(CiderSettings):
    """What can be chosen for CIDEr-D."""

    sigma: float = setting(6.0, sign="sigma", limits=Limits(0, without=True))
    """Of the penalty for a difference in length."""


class DocumentFrequencies(NamedTuple):
    """In how many documents each n-gram is."""

    documents: int
    grams: NgramCounts
    """Its counts are numbers of documents."""

    def idf(self, orders: Iterable[NgramPlaces], words: Sequence[str]) -> Iterator[tuple[NgramPlaces, Floats]]:
        """The n-grams of each order with their idf; `words` are those that the n-grams are made of."""
        places, numbers = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
        for order, grams in enumerate(orders):
            if order == 0:
                numbers = np.full(int(grams.last.max(initial=-1)) + 1, -1, dtype=np.int64)
                numbers[grams.last] = [self.grams.words.get(words[word], -1) for word in grams.last.tolist()]
            known = self.grams.orders[order] if order < len(self.grams.orders) else _NONE
            places = self._places(known, places[grams.prefix], numbers[grams.last])
            counts = known.counts[places] if len(known.counts) else np.ones(len(places))
            yield grams, math.log(self.documents) - np.log(np.where(places >= 0, np.maximum(counts, 1), 1))

    def _places(self, known: NgramOrder, prefix: Int64, last: Int64) -> Int64:
        """Where n-grams are among those known, given where their parts are; -1 for one that is not there."""
        keys = np.where((prefix >= 0) & (last >= 0), prefix * len(self.grams.words) + last, -1)
        return known.places(keys)


_NONE = NgramOrder(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


class Cider(Metric):
    """CIDEr: mean cosine of hypothesis and references as vectors of n-grams weighed by idf, times 10.

    >>> from textassay.metrics import score
    >>> texts, references = ["a cat on a mat", "two dogs"], [["a cat on a mat", "a black cat"], ["a dog", "two dogs"]]
    >>> score("cider", texts, references).segments.round(4).tolist()
    [5.5103, 2.5]
    """

    name: ClassVar[str] = "cider"
    scale = (0.0, 10.0)
    Settings = CiderSettings
    settings: CiderSettings
    two_passes = True

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        path = self.settings.document_frequencies
        self._frequencies = read_document_frequencies(Path(path)) if path else None

    def survey(self, segments: TextSegments) -> tuple[int, NgramCounts] | None:
        """How many segments a chunk has, and in how many of them the references have each n-gram."""
        if self._frequencies is not None:
            return None
        encoded = self._encoded(segments)
        documents = np.repeat(np.arange(len(segments)), np.diff(encoded.first_reference))
        found = list(ngram_places(encoded.texts, encoded.references, self.settings.max_order))
        words = {encoded.texts.words[word]: number for number, word in enumerate(found[0].last.tolist())}
        numbers = np.zeros(int(found[0].last.max(initial=0)) + 1, dtype=np.int64)
        numbers[found[0].last] = np.arange(len(words))
        orders = []
        for order in found:
            each = np.unique(documents[order.text] * max(order.distinct, 1) + order.gram) % max(order.distinct, 1)
            keys = order.prefix * len(words) + numbers[order.last]
            orders.append(NgramOrder(keys, np.bincount(each, minlength=order.distinct)))
        return len(segments), NgramCounts(words, tuple(orders))

    def with_survey(self, surveys: Sequence[tuple[int, NgramCounts] | None]) -> Self:
        """A metric that knows the document frequencies."""
        if self._frequencies is not None:
            return self
        seen = [survey for survey in surveys if survey is not None]
        counts = NgramCounts.merged([grams for _, grams in seen], self.settings.max_order)
        knowing = copy.copy(self)
        knowing._frequencies = DocumentFrequencies(  # noqa: SLF001 -- its own kind
            max(sum(n for n, _ in seen), 1), counts
        )
        return knowing

    def statistics(self, segments: TextSegments) -> Statistics:
        """The similarity of each order, averaged over references."""
        if self._frequencies is None:
            raise UsageError(
                f"{self.name} needs to see the corpus first; call survey for each chunk and with_survey, or use score()"
            )
        encoded = self._encoded(segments)
        n = len(segments)
        owners = np.repeat(np.arange(n), np.diff(encoded.first_reference))
        rows = np.concatenate([encoded.hypotheses, encoded.references])
        penalty = self.length_factor(encoded)
        orders = ngram_places(encoded.texts, rows, self.settings.max_order)
        similarities = [
            self._cosines(grams.counts(), idf, owners, n) * penalty
            for grams, idf in self._frequencies.idf(orders, encoded.texts.words)
        ]
        return group_means(np.column_stack(similarities), encoded.first_reference)

    def segment_scores(self, statistics: Statistics) -> Floats:
        """Ten times the mean over orders."""
        return np.asarray(10 * statistics.mean(axis=1), dtype=np.float64)

    def segment_parts(self, statistics: Statistics) -> dict[str, npt.NDArray[Any]]:
        """The similarity of each order."""
        return {f"similarity_{order + 1}": column for order, column in enumerate(statistics.T)}

    def summands(self, statistics: Statistics) -> npt.NDArray[Any]:
        """The similarities."""
        return statistics

    def from_sums(self, sums: npt.NDArray[Any], n: int) -> Floats:
        """The mean over segments."""
        return np.asarray(10 * sums.mean(axis=-1) / n, dtype=np.float64)

    def corpus_parts(self, sums: npt.NDArray[Any], n: int) -> dict[str, float]:
        """The mean similarity of each order."""
        return {f"similarity_{order + 1}": value / n for order, value in enumerate(sums.tolist())}

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words, and whether there is anything to tell n-grams apart."""
        alone = self._frequencies is not None and self._frequencies.documents == 1
        return {
            **self._encoded(segments).empty("hypotheses contain no words and score 0", "references contain no words"),
            "segment is the whole corpus: every n-gram has idf 0, and the score is 0": len(segments) if alone else 0,
        }

    def matched(self, hypothesis: Floats, reference: Floats) -> Floats:
        """What one n-gram that both texts have adds to their product."""
        return hypothesis * reference

    def length_factor(self, encoded: EncodedSegments) -> Floats:
        """What the lengths of each pair make of its similarity."""
        return np.ones(len(encoded.references))

    def _cosines(self, counts: NgramsOfTexts, idf: Floats, owners: Int64, n: int) -> Floats:
        """For each reference the cosine with its hypothesis; 0 where either has no n-gram that tells anything."""
        pairs, size = len(owners), max(len(idf), 1)
        weights = counts.times * idf[counts.gram]
        norms = np.sqrt(np.bincount(counts.text, weights**2, n + pairs))
        mine = int(np.searchsorted(counts.text, n))
        keys = counts.text[:mine] * size + counts.gram[:mine]
        wanted = owners[counts.text[mine:] - n] * size + counts.gram[mine:]
        if not len(keys):
            return np.zeros(pairs)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        both = keys[place] == wanted
        products = self.matched(weights[:mine][place[both]], weights[mine:][both])
        sums = np.bincount(counts.text[mine:][both] - n, products, pairs)
        lengths = norms[:n][owners] * norms[n:]
        return np.asarray(np.divide(sums, lengths, out=np.zeros(pairs), where=lengths > 0))

    def _encoded(self, segments: TextSegments) -> EncodedSegments:
        chosen = self.settings
        return segments.tokens(tokeniser(chosen.tokeniser, lower=chosen.lowercase, stem=chosen.stem))


class CiderD(Cider):
    """CIDEr-D: CIDEr with clipped counts and a penalty for a difference in length; COCO's "CIDEr".

    >>> from textassay.metrics import score
    >>> texts, references = ["a cat on a mat", "two dogs"], [["a cat on a mat", "a black cat"], ["a dog", "two dogs"]]
    >>> score("cider-d", texts, references).segments.round(4).tolist()
    [5.4827, 2.5]
    """

    name = "cider-d"
    Settings = CiderDSettings
    settings: CiderDSettings

    def matched(self, hypothesis: Floats, reference: Floats) -> Floats:
        """The same with the smaller weight of the hypothesis."""
        return np.minimum(hypothesis, reference) * reference

    def length_factor(self, encoded: EncodedSegments) -> Floats:
        """A Gaussian of the difference in bigrams."""
        bigrams = np.maximum(encoded.texts.lengths - 1, 0)
        difference = bigrams[encoded.paired_hypotheses] - bigrams[encoded.references]
        return np.asarray(np.exp(-(difference**2) / (2 * self.settings.sigma**2)))


def read_document_frequencies(path: Path) -> DocumentFrequencies:
    """Document frequencies from a file of the form described above.

    Raises:
        UsageError: the file cannot be read or has another form; the message names the line.
    """
    try:
        lines = _bytes(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text ({error}); save it as UTF-8") from None
    rows = [_row(path, number, line) for number, line in enumerate(lines, start=1)]
    if not rows or rows[0][0] != ("documents",):
        raise UsageError(f"{path}, line 1: write 'documents', a tab and how many documents there are")
    documents = rows[0][1]
    for number, (gram, count) in enumerate(rows[1:], start=2):
        if count > documents:
            raise UsageError(f"{path}, line {number}: {' '.join(gram)!r} is in {count} of {documents} documents")
    return DocumentFrequencies(documents, _ngram_counts(rows[1:]))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"document frequencies: {path} cannot be read ({error.strerror}); name a text file") from None


def _row(path: Path, number: int, line: str) -> tuple[tuple[str, ...], int]:
    gram, _, count = line.rpartition("\t")
    words = tuple(gram.split(" "))
    if not all(words) or not count.isdecimal() or int(count) < 1:
        raise UsageError(f"{path}, line {number}: {line!r} is not an n-gram, a tab and a whole number of at least 1")
    return words, int(count)


def _ngram_counts(rows: Iterable[tuple[tuple[str, ...], int]]) -> NgramCounts:
    """The n-grams order by order; those that are only the beginning of others count 0."""
    counts: dict[tuple[str, ...], int] = {}
    for gram, count in rows:
        for end in range(1, len(gram)):
            counts.setdefault(gram[:end], 0)
        counts[gram] = count
    words = {word: number for number, word in enumerate(dict.fromkeys(word for gram in counts for word in gram))}
    places: dict[tuple[str, ...], int] = {(): 0}
    orders = []
    for order in range(1, max(map(len, counts), default=0) + 1):
        keyed = sorted(
            (places[gram[:-1]] * len(words) + words[gram[-1]], gram) for gram in counts if len(gram) == order
        )
        places = {gram: place for place, (_, gram) in enumerate(keyed)}
        keys = np.array([key for key, _ in keyed], dtype=np.int64)
        orders.append(NgramOrder(keys, np.array([counts[gram] for _, gram in keyed], dtype=np.int64)))
    return NgramCounts(words, tuple(orders))
