"""ROUGE-W: the longest common subsequence, with more weight for adjacent matches.

Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries, section 4. A run of k matches that are
consecutive in both texts weighs f(k) = k^w, by default with w = 1.2 as ROUGE-1.5.5 was called at DUC. With W the weight
of the weighted longest common subsequence: precision = f⁻¹(W / f(words of the hypothesis)), recall = f⁻¹(W / f(words of
the reference)). The text is one sequence. Pooled references sum W and f(words).

The program ROUGE-1.5.5 computes something else, which `mode="1.5.5"` gives. It goes sentence by sentence, like
ROUGE-Lsum: words of a reference's sentence that lie on a weighted longest common subsequence with any sentence of the
hypothesis are marked, and no word counts more often than the hypothesis has it. A run of marked words weighs f(k), and
need be consecutive in the reference only. Recall divides by f(sum of f(words) over the sentences of the reference), so
that weights are weighted again: a text of seven words against itself has precision 1 but recall .678. Most published
numbers come from the program. This mode is not compiled; a pair of texts of 100 words takes some milliseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from textassay.kernels.lcs import weighted_lcs
from textassay.metrics.contract import Floats, Limits, Statistics, setting
from textassay.metrics.rouge import Rouge, paired_lengths, scores_of
from textassay.metrics.rouge_l import RougeLsumSettings, several_in_a_line
from textassay.metrics.segments import TextSegments
from textassay.metrics.sentences import sentence_splitter


@dataclass(frozen=True)
class RougeWSettings(RougeLsumSettings):
    """What can be chosen for ROUGE-W; sentences are of no account for the paper's form."""

    weight: float = setting(1.2, sign="w", limits=Limits(1))
    """The exponent: 1 for the weight of ROUGE-L, more to reward adjacent matches."""
    mode: str = setting("paper", sign="mode", choices=("paper", "1.5.5"))
    """The paper's definition, over the text as one sequence, or what the program ROUGE-1.5.5 prints, by sentences."""


class RougeW(Rouge):
    """F-measure of the weighted longest common subsequence of words.

    >>> from textassay.metrics import score
    >>> hypotheses, reference = ["a b c d h i k", "a h b k c i d"], ["a b c d e f g"]
    >>> score("rouge-w", hypotheses, [reference] * 2, weight=2.0).segments.round(3).tolist()
    [0.571, 0.286]
    >>> parts = score("rouge-w", ["a b c d e f g"], [reference], mode="1.5.5").corpus_parts
    >>> {name: round(value, 3) for name, value in parts.items()}
    {'precision': 1.0, 'recall': 0.678}
    """

    name = "rouge-w"
    Settings = RougeWSettings
    settings: RougeWSettings
    counts = ("weighted_lcs", "hypothesis_weight", "reference_weight")

    def pair_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """Weight of the weighted longest common subsequence, and the weights of both texts as one run each."""
        if self.settings.mode == "1.5.5":
            return self._sentence_counts(segments)
        encoded = self.encoded(segments)
        texts, weight = encoded.texts, self.settings.weight
        common = weighted_lcs(texts.tokens, texts.offsets, encoded.paired_hypotheses, encoded.references, weight)
        hypotheses, references = (words.astype(np.float64) ** weight for words in paired_lengths(encoded))
        return common, hypotheses, references

    def _sentence_counts(self, segments: TextSegments) -> tuple[npt.NDArray[np.generic], ...]:
        """The same as ROUGE-1.5.5 has them."""
        chosen, weight = self.settings, self.settings.weight
        encoded = segments.sentences(self.tokeniser(), sentence_splitter(chosen.sentences, chosen.language))
        texts = list(encoded.sentence_lists())
        owners = np.repeat(np.arange(len(segments)), np.diff(segments.first_reference)).tolist()
        pairs = zip(owners, texts[len(segments) :], strict=True)
        hits = [_marked_weight(texts[owner], reference, weight) for owner, reference in pairs]
        base = [sum(len(sentence) ** weight for sentence in text) ** weight for text in texts[len(segments) :]]
        words = encoded.lengths[owners].astype(np.float64) if owners else np.zeros(0)
        return np.array(hits, np.float64), words**weight, np.array(base, np.float64)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words and, where sentences matter, how many have several in a line."""
        remarks = dict(super().remarks(segments))
        if self.settings.mode == "1.5.5" and self.settings.sentences == "newline":
            remarks.update(several_in_a_line(segments.hypotheses, "count as one"))
        return remarks

    def pair_statistics(self, segments: TextSegments) -> Statistics:
        """The weights as columns; they are no counts."""
        return np.stack(self.pair_counts(segments), axis=1).astype(np.float64, copy=False)

    def pair_scores(self, statistics: Statistics) -> Floats:
        """F, precision and recall."""
        shares = super().pair_scores(statistics)[:, 1:]
        # A text against itself: the runs' gains, added up, can exceed the weight of the whole in the last digit.
        precision, recall = np.minimum(shares, 1).T ** (1 / self.settings.weight)
        return scores_of(precision, recall)


def _marked_weight(hypothesis: list[list[int]], reference: list[list[int]], weight: float) -> float:
    """The weights of runs of marked words in the reference's sentences, summed as ROUGE-1.5.5 sums them."""
    left = Counter(chain.from_iterable(hypothesis))
    total = 0.0
    for sentence in reference:
        marked = set(chain.from_iterable(_on_weighted_lcs(sentence, other, weight) for other in hypothesis))
        run = 0
        for place, word in enumerate(sentence):
            # A word that the hypothesis has no more of neither counts nor ends a run; the program has it so.
            if place in marked and left[word] > 0:
                left[word] -= 1
                run += 1
                if place + 1 not in marked:
                    total += run**weight
                    run = 0
    return total


def _on_weighted_lcs(sentence: list[int], other: list[int], weight: float) -> Iterator[int]:
    """Places of the sentence on the weighted longest common subsequence that ROUGE-1.5.5 reads from its table."""
    gains = [(run + 1) ** weight - run**weight for run in range(len(sentence) + 1)]
    weights, runs = [[0.0] * (len(other) + 1)], [0] * (len(other) + 1)
    for word in sentence:
        above, new, run_before = weights[-1], [0.0], runs
        runs = [0]
        for j, match in enumerate(other):
            if word == match:
                new.append(above[j] + gains[run_before[j]])
                runs.append(run_before[j] + 1)
            else:
                new.append(max(above[j + 1], new[j]))
                runs.append(0)
        weights.append(new)
    i, j = len(sentence), len(other)
    while i and j:
        if sentence[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            yield i
        elif weights[i - 1][j] >= weights[i][j - 1]:
            i -= 1
        else:
            j -= 1
