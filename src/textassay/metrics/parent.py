"""PARENT: a text about a table, held to its references and to the table itself.

Dhingra, B., Faruqui, M., Parikh, A., Chang, M.-W., Das, D. & Cohen, W. (2019). Handling divergent reference texts when
evaluating table-to-text generation. ACL, 4884-4895. The word-overlap model: w(g), the chance that an n-gram g is
entailed by the table, is the share of its words that are among the table's values. With m the clipped matches of g,

- precision of an order = sum of (m + (count - m) w) over the text's n-grams / their number,
- recall of an order against the reference = sum of m w / sum of count w, over the reference's n-grams,
- recall against the table = mean over entries of the longest common subsequence of entry and text / words of the entry.

Precision and recall against the reference are geometric means over orders 1 to 4. The two recalls are joined as
R_reference^(1-λ) · R_table^λ; λ (`table_weight`) is one minus how much of the table the reference has, unless it is
given (the paper also reports λ = 0.5). A recall or, from order 2 on, a precision of 0 becomes `smoothing`. PARENT is F;
of several references that with the best F counts. Values equal those of the authors' script for the same tokens.

The source of a text is its table in one line, as the script's files have it: entries separated by tabs, each
`attribute|||value` or `head|||relation|||tail`. Of a triple, head and tail are the value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.kernels.arguments import Int64
from textassay.kernels.lcs import lcs_lengths
from textassay.metrics.contract import Floats, Limits, Settings, Statistics, setting, tokeniser_setting
from textassay.metrics.ngram_places import NgramPlaces, ngram_places
from textassay.metrics.references import PairMetric
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers import tokeniser
from textassay.metrics.tokens import EncodedTexts, Encoder

ORDERS = 4
_DIVIDED_BY = 1e-8
"""Added to precision + recall, as in the script."""


@dataclass(frozen=True)
class ParentSettings(Settings):
    """What can be chosen for PARENT."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best by F, as in the script, or the mean."""
    tokeniser: str = tokeniser_setting("none", "13a", "unicode-words")
    """What words are, in texts and tables; by white space as in the script."""
    lowercase: bool = setting(default=True, sign="case", words={True: "lc", False: "mixed"})
    """Whether case is given up."""
    table_weight: float = setting(
        math.nan, sign="lambda", limits=Limits(0, 1), unset="1 minus what the reference has of the table"
    )
    """λ, the weight of recall against the table."""
    smoothing: float = setting(0.00001, sign="smooth", limits=Limits(0, 1, without=True))
    """What takes the place of a precision or recall of 0."""

    def signature_fields(self) -> dict[str, str]:
        """As always; the weight may come from the reference."""
        shown = super().signature_fields()
        return {**shown, "lambda": "reference" if math.isnan(self.table_weight) else shown["lambda"]}


class _Encoded(NamedTuple):
    """Texts, references and values of tables as integers."""

    texts: EncodedTexts
    rows: Int64
    """The numbers of all hypotheses, then of all references."""
    owner: Int64
    """The segment of each of these."""
    entries: Int64
    """The numbers of all values of tables."""
    entry_owner: Int64
    """The segment of each of these."""


class Parent(PairMetric):
    r"""PARENT: F of a text about a table, against reference and table.

    The source of a text is its table in one line: entries separated by tabs, each `attribute|||value` or
    `head|||relation|||tail` (Dhingra et al. 2019, the word-overlap model).

    >>> from textassay.metrics import score
    >>> table = "name|||ada lovelace\tborn|||1815"
    >>> result = score("parent", ["ada lovelace was born in 1815"], [["ada lovelace (1815-1852)"]], sources=[table])
    >>> result.segments.round(4).tolist()
    [0.2846]
    """

    name = "parent"
    needs_sources = True
    Settings = ParentSettings
    settings: ParentSettings
    counts = (
        *(f"{what}_{order}" for what in ("precision", "recall") for order in range(1, ORDERS + 1)),
        "table_share",
        "reference_table_share",
    )
    scores = ("f", "precision", "recall", "reference_recall", "table_recall")

    def pair_statistics(self, segments: TextSegments) -> Floats:
        """Precision and recall of each order, recall against the table, and what the reference has of it."""
        encoded = self._encode(segments)
        n, lengths = len(segments), encoded.texts.lengths[encoded.rows]
        shares = _entry_means(encoded, n)
        entailed = _entailed(encoded)
        precisions, recalls = [], []
        for order, grams in enumerate(ngram_places(encoded.texts, encoded.rows, ORDERS), start=1):
            precision, recall = _order_scores(grams, _weights(entailed, lengths, order), encoded.owner[n:], n)
            precisions.append(precision)
            recalls.append(recall)
        return np.column_stack([*precisions, *recalls, shares[:n][encoded.owner[n:]], shares[n:]])

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision, recall, and the two recalls that it is made of."""
        smoothing = self.settings.smoothing
        by_order = statistics[:, : 2 * ORDERS].copy()
        for place in range(2 * ORDERS):
            if place % ORDERS:  # not that of single words
                by_order[by_order[:, place] == 0, place] = smoothing
        precision, reference = _geometric_mean(by_order[:, :ORDERS]), _geometric_mean(by_order[:, ORDERS:])
        reference = np.where(reference == 0, smoothing, reference)
        table = np.where(statistics[:, -2] == 0, smoothing, statistics[:, -2])
        given = self.settings.table_weight
        weight = 1 - statistics[:, -1] if math.isnan(given) else np.full(len(statistics), given)
        recall = np.exp((1 - weight) * np.log(reference) + weight * np.log(table))
        f = 2 * precision * recall / (precision + recall + _DIVIDED_BY)
        return np.column_stack([f, precision, recall, reference, table])

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words."""
        chosen = tokeniser(self.settings.tokeniser, lower=self.settings.lowercase)
        return segments.tokens(chosen).empty("hypotheses contain no words and score 0", "references contain no words")

    def _encode(self, segments: TextSegments) -> _Encoded:
        n, chosen = len(segments), tokeniser(self.settings.tokeniser, lower=self.settings.lowercase)
        tables = [table_values(source) for source in segments.sources or ()]
        references = [reference for each in segments.references for reference in each]
        texts = Encoder(chosen).encode([*segments.hypotheses, *references, *(each for its in tables for each in its)])
        rows, entries = np.split(texts.rows, [n + len(references)])
        entry_owner = np.repeat(np.arange(n), np.fromiter(map(len, tables), np.int64, n))
        owner = np.concatenate([np.arange(n), np.repeat(np.arange(n), np.diff(segments.first_reference))])
        kept = texts.lengths[entries] > 0  # a value without words cannot be mentioned
        without = np.flatnonzero(np.bincount(entry_owner[kept], minlength=n) == 0)
        if len(without):
            _refuse((segments.sources or ())[int(without[0])])
        return _Encoded(texts, rows, owner, entries[kept], entry_owner[kept])


@lru_cache(maxsize=1 << 12)
def table_values(line: str) -> Sequence[str]:
    r"""The values of a table in one line: of a pair its second part, of a triple its first and third.

    >>> table_values("name|||Ada\tada|||was born in|||London")
    ('Ada', 'ada London')
    """
    values = []
    for entry in line.rstrip("\r\n").split("\t"):
        members = entry.split("|||")
        if len(members) not in (2, 3):
            _refuse(line)
        values.append(members[1] if len(members) == 2 else f"{members[0]} {members[2]}")
    return tuple(values)


def _refuse(line: str) -> NoReturn:
    shown = line if len(line) <= 60 else line[:57] + "…"
    form = "write attribute|||value or head|||relation|||tail, entries separated by tabs, at least one with a value"
    raise DataError(f"parent: the source {shown!r} is no table; {form}")


def _entry_means(encoded: _Encoded, n: int) -> Floats:
    """For each hypothesis and each reference, the mean share of its table's entries that it has, in order."""
    pairs = encoded.owner[n:]
    numbers = np.bincount(encoded.entry_owner, minlength=n)
    first = np.concatenate([[0], np.cumsum(numbers)])
    text = np.repeat(np.arange(len(encoded.owner)), numbers[encoded.owner])
    ends = np.cumsum(numbers[encoded.owner])
    within = np.arange(len(text)) - np.repeat(ends - numbers[encoded.owner], numbers[encoded.owner])
    entry = encoded.entries[first[encoded.owner[text]] + within]
    texts = encoded.texts
    common = lcs_lengths(texts.tokens, texts.offsets, entry, encoded.rows[text])
    shares = np.bincount(text, common / texts.lengths[entry], n + len(pairs))
    return np.asarray(shares / np.maximum(numbers[encoded.owner], 1))


def _entailed(encoded: _Encoded) -> Int64:
    """For each word of all texts, one text after the other, whether it is among the values of the text's table."""
    texts = encoded.texts
    size = int(texts.tokens.max(initial=0)) + 1
    known = np.unique(_words(texts, encoded.entries) + size * _repeated(texts, encoded.entries, encoded.entry_owner))
    words = _words(texts, encoded.rows) + size * _repeated(texts, encoded.rows, encoded.owner)
    return np.isin(words, known).astype(np.int64)


def _words(texts: EncodedTexts, rows: Int64) -> Int64:
    lengths = texts.lengths[rows]
    ends = np.cumsum(lengths)
    source = np.arange(int(lengths.sum())) + np.repeat(texts.offsets[rows] - (ends - lengths), lengths)
    return np.asarray(texts.tokens[source], dtype=np.int64)


def _repeated(texts: EncodedTexts, rows: Int64, owner: Int64) -> Int64:
    return np.asarray(np.repeat(owner, texts.lengths[rows]), dtype=np.int64)


def _weights(entailed: Int64, lengths: Int64, order: int) -> Floats:
    """For each n-gram, position by position, the share of its words that are in the table."""
    total = np.concatenate([[0], np.cumsum(entailed)])
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(int(lengths.sum()))
    at = np.flatnonzero(left >= order)
    return np.asarray((total[at + order] - total[at]) / order)


def _order_scores(grams: NgramPlaces, weights: Floats, owners: Int64, n: int) -> tuple[Floats, Floats]:
    """Precision and recall of one order for each reference, whose hypothesis is given."""
    pairs, size = len(owners), max(grams.distinct, 1)
    keys, first, counts = np.unique(grams.text * size + grams.gram, return_index=True, return_counts=True)
    text = keys // size
    number = np.bincount(grams.text, minlength=n + pairs).astype(np.float64)
    weight = np.bincount(grams.text, weights, n + pairs)
    mine = int(np.searchsorted(text, n))
    wanted = owners[text[mine:] - n] * size + keys[mine:] % size
    place = np.minimum(np.searchsorted(keys[:mine], wanted), max(mine - 1, 0))
    both = keys[place] == wanted if mine else np.zeros(len(wanted), dtype=np.bool_)
    matches = np.minimum(counts[place[both]], counts[mine:][both])
    pair, entailed = text[mine:][both] - n, weights[first[mine:][both]]
    right = np.bincount(pair, matches * (1 - entailed), pairs) + weight[owners]
    recalled = np.bincount(pair, matches * entailed, pairs)
    return _share(right, number[owners], 0.0), _share(recalled, weight[n:], 1.0)


def _share(part: npt.NDArray[Any], whole: npt.NDArray[Any], of_nothing: float) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), of_nothing), where=whole > 0))


def _geometric_mean(values: npt.NDArray[np.float64]) -> Floats:
    logarithms = np.log(values, out=np.full_like(values, -np.inf), where=values > 0)
    return np.asarray(np.exp(logarithms.mean(axis=1)))
