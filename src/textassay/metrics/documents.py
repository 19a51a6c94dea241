"""Documents: texts that belong together, with scores between those of single texts and that of the whole corpus.

The score of a document is that of the corpus of its texts alone. Sums over its texts tell it, so nothing more is kept
of a text than for the corpus score. What a metric learns from a whole corpus before it scores (NIST and CIDEr weigh
n-grams so) it learns from all documents of a system, as mteval-v13a does. The diversity of an output follows from no
sums; a document is then measured alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError, UsageError
from textassay.metrics.contract import Floats, Metric
from textassay.metrics.engine import Ints
from textassay.metrics.segments import Segments


@dataclass(frozen=True, eq=False)
class Documents:
    """Which document each text belongs to."""

    names: Sequence[str]
    """Those of all documents."""
    codes: Ints
    """For each text the place of its document among the names."""

    @classmethod
    def of_texts(cls, names: Sequence[str], n: int) -> Documents:
        """Documents of n texts from the name of each text's; the texts of a document need not be side by side.

        Raises:
            UsageError: there is not one for each text.
            DataError: a name is missing; the message has the number of the text.

        >>> Documents.of_texts(["b", "a", "b"], 3).codes.tolist()
        [0, 1, 0]
        """
        if isinstance(names, str) or len(names) != n:
            found = f"the text {names!r}" if isinstance(names, str) else f"{len(names)} documents"
            raise UsageError(f"{found} for {n} texts; give a list with the name of each text's document")
        places: dict[str, int] = {}
        codes = np.fromiter((places.setdefault(name, len(places)) for name in names), np.int64, n)
        for name, place in places.items():
            if not isinstance(name, str) or not name.strip():
                first = int(np.flatnonzero(codes == place)[0]) + 1
                raise DataError(f"text {first} has the document {name!r}; name a document for each text")
        return cls(list(places), codes)

    def take(self, rows: Sequence[int] | Ints) -> Documents:
        """The documents of some of the texts."""
        return Documents(self.names, self.codes[np.asarray(rows, np.int64)])

    def each_name(self) -> Iterator[str]:
        """The document of each text, one after the other, for there may be millions of texts."""
        return (self.names[code] for code in self.codes)

    def rows(self) -> Iterator[tuple[int, Ints]]:
        """Each document that has texts, by its place among the names, with its texts."""
        order = np.argsort(self.codes, kind="stable")
        first = np.flatnonzero(np.diff(self.codes[order], prepend=-1))
        for its in np.split(order, first[1:]) if len(first) else ():
            yield int(self.codes[its[0]]), its


@dataclass(frozen=True, eq=False)
class DocumentScores:
    """What a metric says of the documents of a system."""

    names: Sequence[str]
    """The documents that the system has texts of, in the order in which they were first named."""
    values: Floats
    """One number per document."""
    n: Ints
    """How many texts each has."""

    def __len__(self) -> int:
        return len(self.names)

    def each(self) -> Iterable[tuple[str, float, int]]:
        """Name, value and number of texts of each document."""
        return zip(self.names, self.values.tolist(), self.n.tolist(), strict=True)


def scores_from_totals(metric: Metric, totals: npt.NDArray[Any], documents: Documents) -> DocumentScores:
    """Scores of documents from the sums over their texts.

    Args:
        metric: It knows the corpus, if it takes two passes.
        totals: (documents × columns): the metric's `summands` summed over each.
        documents: Those of the texts that were summed.
    """
    counts = np.bincount(documents.codes, minlength=len(documents.names))
    values = np.full(len(counts), np.nan)
    for size in np.unique(counts[counts > 0]).tolist():  # a metric takes one number of texts at a time
        of_size = np.flatnonzero(counts == size)
        values[of_size] = metric.from_sums(totals[of_size], size)
    return _with_texts(values, counts, documents)


def scores_of_each_alone(metric: Metric, segments: Segments[Any], documents: Documents) -> DocumentScores:
    """Scores of documents each of which is scored as if there were no other; documents are small, so all at once."""
    values = np.full(len(documents.names), np.nan)
    for place, rows in documents.rows():
        its = segments.take(rows.tolist())
        knowing = metric.with_survey([metric.survey(its)]) if metric.two_passes else metric
        values[place] = knowing.corpus_score(knowing.statistics(its))
    return _with_texts(values, np.bincount(documents.codes, minlength=len(documents.names)), documents)


def _with_texts(values: Floats, counts: Ints, documents: Documents) -> DocumentScores:
    places = np.flatnonzero(counts)
    return DocumentScores([documents.names[place] for place in places.tolist()], values[places], counts[places])
