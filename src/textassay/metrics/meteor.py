"""METEOR 1.5: words of hypothesis and reference aligned as they are, by stem, synonym and paraphrase.

Denkowski, M. & Lavie, A. (2014). Meteor Universal: Language specific translation evaluation for any target language.
WMT, 376-380. With matches of module i between content words (δ) and function words (1 - δ), weighed w_i,

    P = Σ w_i (δ·m_i(h_c) + (1 - δ)·m_i(h_f)) / (δ·|h_c| + (1 - δ)·|h_f|),   R likewise for the reference,
    F = P·R / (α·P + (1 - α)·R),   penalty = γ·(chunks / matched words)^β,   score = (1 - penalty)·F,

where matched words are the mean of both sides, and a pair that matches as a whole in one chunk has no penalty. Of
several references the best counts; over a corpus all counts are summed. For English, the language of this
implementation, parameters and weights of each `task` are the program's.

**Which setting equals the original.** `jar="…/meteor-1.5.jar"` reads the program's lists of function words and of
abbreviations and its extract of WordNet, `paraphrases="…/paraphrase-en.gz"` its table; with both the modules are
those of `java -jar meteor-1.5.jar … -l en -norm`. Nothing of these files is shipped here: without them function words
and abbreviations are lists of our own (`func:textassay-en` in the signature), the modules are `exact` and `stem`, and
values differ from published ones. Words and stems equal the program's (12,592 lines, 246,439 words).

**Checked against the program** with its own data, by exact words, with stems, with synonyms and with paraphrases: equal
to rounding on all of 3,001 pairs of real texts (about restaurants and hotels, and answers to instructions), 3,000 short
texts of few words often repeated and 2,000 sentences with words moved, changed and repeated, the last two with three
references each, and on each corpus; without `-norm` (`tokeniser="none"`), where capitals count, on 7,255 others. The
program compares words by a hash of 32 bits, so that it takes "ao" for "c1"; that is not followed.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from textassay.metrics.contract import Floats, Settings, setting
from textassay.metrics.meteor_alignment import Match, Matcher, aligned, exact, keyed, paraphrases, synonyms
from textassay.metrics.meteor_data import JarData, file_hash, read_jar, read_paraphrases, read_wordnet
from textassay.metrics.references import PooledMetric
from textassay.metrics.rouge import stop_list
from textassay.metrics.segments import TextSegments
from textassay.metrics.tokenisers.frozen_unicode import VERSION, lower_case
from textassay.metrics.tokenisers.meteor_norm import ABBREVIATIONS, BEFORE_NUMBERS, meteor_words
from textassay.metrics.tokenisers.porter2 import porter2

_SPACE = re.compile("[ \\t\\n\\r\\f]")
"""What parts words for the program where it does not normalise; a no-break space does not."""
MODULES = ("exact", "stem", "synonym", "paraphrase")


class Parameters(NamedTuple):
    """Of one task."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, float, float, float]
    """Of the modules."""


TASKS = {
    "rank": Parameters(0.85, 0.2, 0.6, 0.75, (1, 0.6, 0.8, 0.6)),
    "adq": Parameters(0.75, 1.4, 0.45, 0.7, (1, 1, 0.6, 0.8)),
    "hter": Parameters(0.4, 1.5, 0.35, 0.55, (1, 0.2, 0.6, 0.8)),
    "li": Parameters(0.75, 1.4, 0.7, 0.5, (1, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.5, 1, 0.5, 0.5, (1, 0.5, 0.5, 0.5)),
}
"""For English, as METEOR 1.5 has them: tuned to rankings, adequacy, HTER, no language, or for tuning systems."""


@dataclass(frozen=True)
class MeteorSettings(Settings):
    """What can be chosen for METEOR."""

    multi: str = setting("best", sign="multi", choices=("best", "mean"))
    """What several references make: the best value, as in the program, or the mean."""
    tokeniser: str = setting("norm", sign="tok", choices=("norm", "none"))
    """`norm` cuts, normalises and lowers as the program's `-norm`; `none` takes what white space separates, as the
    program does without it."""
    task: str = setting("rank", sign="task", choices=tuple(TASKS))
    """Which parameters and weights: those tuned to rankings (`rank`), adequacy (`adq`), HTER, or no language (`li`)."""
    stem: bool = setting(default=True, sign="stem")
    """Whether words match by their stem (Porter2)."""
    jar: str = setting("", sign="jar", holds="path of a file", unset="lists of our own, no WordNet")
    """Path of your meteor-1.5.jar, for its function words, abbreviations and WordNet; the signature has its hash."""
    wordnet: str = setting("", sign="wordnet", holds="path of a folder", unset="the jar's, if there is one")
    """Path of the folder with WordNet's files, for synonyms where there is no jar; the signature has their hash."""
    paraphrases: str = setting("", sign="para", holds="path of a file", unset="no paraphrases")
    """Path of a paraphrase table, such as METEOR's paraphrase-en.gz; the signature has its hash."""
    function_words: str = setting("textassay-en", sign="func", holds="textassay-en, or path of a file")
    """`textassay-en`, English words of our own with signs, or a file with one word per line; the jar's if there is one
    and no file is given."""

    def signature_fields(self) -> dict[str, str]:
        """Files by their hash."""
        named = super().signature_fields()
        for name, path in (("jar", self.jar), ("wordnet", self.wordnet), ("para", self.paraphrases)):
            named[name] = file_hash(path) if path else "none"
        if self.jar and not self.wordnet:
            named["wordnet"] = "jar"
        own = self.function_words == "textassay-en"
        named["func"] = "jar" if own and self.jar else stop_list(self.function_words).sign
        return named


class Meteor(PooledMetric):
    """METEOR 1.5 for English: aligned words by form, stem, synonym and paraphrase, and how many chunks they make.

    >>> from textassay.metrics import score
    >>> result = score("meteor", ["the cats sat on the mat"], [["a cat was sitting on the mat"]])
    >>> result.segments.round(4).tolist()
    [0.2528]
    """

    name = "meteor"
    Settings = MeteorSettings
    settings: MeteorSettings

    def count_names(self) -> tuple[str, ...]:
        """Words and function words of both sides, the same for the matches of each module, and chunks."""
        sides = ("hypothesis", "reference")
        modules = (
            f"{module}_{kind}_{side}" for module in MODULES for kind in ("content", "function") for side in sides
        )
        return (*(f"{side}_words" for side in sides), *(f"{side}_function_words" for side in sides), *modules, "chunks")

    def score_names(self) -> tuple[str, ...]:
        """The score and what it is made of."""
        return "meteor", "precision", "recall", "f", "penalty"

    def pair_counts(self, segments: TextSegments) -> npt.NDArray[np.int32]:
        """The counts of each pair."""
        known: dict[str, list[str]] = {}

        def words(text: str) -> list[str]:
            if text not in known:
                known[text] = self._words(text)
            return known[text]

        rows = [
            self._counts(words(hypothesis), words(reference))
            for hypothesis, references in zip(segments.hypotheses, segments.references, strict=True)
            for reference in references
        ]
        return np.array(rows, dtype=np.int32).reshape(len(rows), len(self.count_names()))

    def count_scores(self, counts: npt.NDArray[Any], *, corpus: bool) -> Floats:
        """The formula above; 0 where nothing matches."""
        del corpus
        chosen = TASKS[self.settings.task]
        columns = counts.T.astype(np.float64)
        lengths, function, chunks = columns[:2], columns[2:4], columns[-1]
        matched = columns[4:-1].reshape(len(MODULES), 2, 2, -1)  # module, content or function words, side
        kinds = np.array([chosen.delta, 1 - chosen.delta])
        weighed = np.einsum("m,k,mksn->sn", np.array(chosen.weights), kinds, matched)
        whole = kinds[0] * (lengths - function) + kinds[1] * function
        precision, recall = np.divide(weighed, whole, out=np.zeros_like(weighed), where=whole > 0)
        some = (precision > 0) & (recall > 0)
        # In the program's order of operations: where references tie, the last digit says whose counts the corpus has.
        below = (1 - chosen.alpha) / np.where(some, precision, 1) + chosen.alpha / np.where(some, recall, 1)
        f = np.where(some, 1 / below, 0)
        words = matched.sum(axis=(0, 1, 2)) / 2
        share = np.divide(chunks, words, out=np.zeros_like(chunks), where=words > 0)
        penalty = np.where(share > 0, chosen.gamma * share**chosen.beta, 0)
        return np.stack([f * (1 - penalty), precision, recall, f, penalty], axis=1)

    def remarks(self, segments: TextSegments) -> Mapping[str, int]:
        """How many texts have no words, and what the values cannot be compared with."""
        return {
            "hypotheses contain no words and score 0": sum(not text.strip() for text in segments.hypotheses),
            "segments scored without METEOR's own function words; give jar to compare with published figures": (
                0 if self.settings.jar else len(segments)
            ),
        }

    def signature_fields(self, nrefs: str) -> dict[str, str]:
        """With the modules in use, and the version of Unicode by which case is given up."""
        modules = ".".join(name for name, matcher in zip(MODULES, self._matchers, strict=True) if matcher)
        return {**super().signature_fields(nrefs), "lang": "en", "modules": modules, "unicode": VERSION}

    def _counts(self, hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
        used = [(number, matcher) for number, matcher in enumerate(self._matchers) if matcher is not None]
        matches, chunks = aligned(hypothesis, reference, [matcher for _, matcher in used])
        counted: Counter[tuple[int, bool, int]] = Counter()
        for match in matches:
            module = used[match.module][0]
            for side, words in enumerate(_matched_words(match, hypothesis, reference)):
                counted.update((module, self._is_function_word(word), side) for word in words)
        columns = [counted[module, kind, side] for module in range(4) for kind in (False, True) for side in (0, 1)]
        sides = (hypothesis, reference)
        complete = chunks == 1 and sum(columns) == len(hypothesis) + len(reference)
        function = [sum(map(self._is_function_word, words)) for words in sides]
        return [*map(len, sides), *function, *columns, 0 if complete else chunks]

    def _words(self, text: str) -> list[str]:
        if self.settings.tokeniser == "none":
            return [word for word in _SPACE.split(text) if word]
        if not self._jar:
            return meteor_words(text, ABBREVIATIONS, BEFORE_NUMBERS)
        return meteor_words(text, self._jar.abbreviations, self._jar.before_numbers)

    def _is_function_word(self, word: str) -> bool:
        # The program gives up case here even where it keeps it for matches.
        return word in self._function_words or (
            self.settings.tokeniser == "none" and lower_case(word) in self._function_words
        )

    @cached_property
    def _jar(self) -> JarData | None:
        return read_jar(self.settings.jar) if self.settings.jar else None

    @cached_property
    def _function_words(self) -> frozenset[str]:
        if self.settings.function_words != "textassay-en":
            return stop_list(self.settings.function_words).words
        if self._jar:
            return self._jar.function_words
        remnants = {f"'{word}" for word in ("s", "t", "d", "m", "ll", "ve", "re")}
        return stop_list("textassay-en").words | remnants | set(string.punctuation)

    @cached_property
    def _matchers(self) -> tuple[Matcher | None, ...]:
        chosen = self.settings
        wordnet = read_wordnet(chosen.wordnet) if chosen.wordnet else None
        if wordnet is None and self._jar:
            wordnet = self._jar.wordnet
        return (
            exact,
            keyed(porter2) if chosen.stem else None,
            synonyms(wordnet.synsets) if wordnet else None,
            paraphrases(*read_paraphrases(chosen.paraphrases)) if chosen.paraphrases else None,
        )

    def __getstate__(self) -> dict[str, Any]:
        # Matchers are functions within functions, which stay in their process; the jar's data are many megabytes.
        return {name: value for name, value in self.__dict__.items() if name not in {"_matchers", "_jar"}}


def _matched_words(match: Match, hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[Sequence[str], ...]:
    end = match.reference_start + match.reference_words
    return hypothesis[match.start : match.start + match.words], reference[match.reference_start : end]
