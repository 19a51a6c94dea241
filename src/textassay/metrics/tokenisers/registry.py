"""Every tokeniser by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from textassay.errors import UsageError
from textassay.known_names import unknown
from textassay.metrics.tokenisers.chinese import zh
from textassay.metrics.tokenisers.english import STOP_WORDS, porter
from textassay.metrics.tokenisers.frozen_unicode import VERSION, lower_case
from textassay.metrics.tokenisers.mteval import (
    GLUE,
    intl,
    intl_lines,
    mteval_13a,
    mteval_13a_lines,
    mteval_13a_lower,
    mteval_13a_lower_lines,
    mteval_13a_lower_utf8,
    mteval_13a_utf8,
)
from textassay.metrics.tokenisers.trained import TRAINED, is_trained, trained
from textassay.metrics.tokenisers.words import (
    characters,
    chrf_words,
    rouge_score,
    rouge_score_lines,
    rouge_score_utf8,
    squad,
    unicode_words,
    unicode_words_lines,
    unicode_words_utf8,
    white_space,
    white_space_lines,
)


@dataclass(frozen=True)
class Splitter:
    """A function from text to words, and what may be taken for granted of it.

    Usually white space parts words and nothing else crosses it, so that the words of a text are those of its pieces,
    and a piece that was met before need not be looked at again.
    """

    words: Callable[[str], Sequence[str]]
    lines: Callable[[str], str] | None = None
    """The same for many pieces at once, where that is faster: each line, one piece, becomes its words with spaces."""
    quick: Callable[[bytes], bytes | None] | None = None
    """The words of whole texts, one in each line of UTF-8, with spaces between, in hardly more time than it takes to
    look at them; None for texts that take longer, which are better cut into pieces first."""
    pieces: bool = False
    """Whether the words are the pieces themselves."""
    characters: bool = False
    """Whether the words are single characters, given as one string."""
    whole: bool = False
    """Whether the text must be seen as a whole, because white space does not simply part words."""
    edges: bool = False
    """Whether a piece at the very beginning or end of a text is treated differently from one next to a space."""
    unicode: bool = False
    """Whether the words depend on which version of Unicode classes of characters are taken from."""
    glue: tuple[str, ...] = ()
    """What is taken out of a text, one after the other, before it is cut: it joins what is around it."""


TOKENISERS: dict[str, Splitter] = {
    "13a": Splitter(mteval_13a, mteval_13a_lines, mteval_13a_utf8, glue=GLUE),
    "13a-lower": Splitter(mteval_13a_lower, mteval_13a_lower_lines, mteval_13a_lower_utf8, glue=GLUE),
    "char": Splitter(characters),
    "characters-and-spaces": Splitter(str.strip, characters=True),
    "chrf-words": Splitter(chrf_words),
    "intl": Splitter(intl, intl_lines, edges=True, unicode=True),
    "none": Splitter(white_space, white_space_lines, pieces=True),
    "rouge-score": Splitter(rouge_score, rouge_score_lines, rouge_score_utf8),
    "squad": Splitter(squad, unicode=True),
    "unicode-words": Splitter(unicode_words, unicode_words_lines, unicode_words_utf8, unicode=True),
    "zh": Splitter(zh, whole=True),
}
"""Every tokeniser that needs nothing else by the name that signatures show."""
FOR_LANGUAGES = ("zh", *TRAINED)
"""What every metric with a tokeniser can have: those for languages that its own tokenisers are not made for."""


def signed_tokeniser(name: str) -> dict[str, str]:
    """For the signature: all that the words of the tokeniser of that name depend on, beyond the name."""
    return {"tok": trained(name).sign} if is_trained(name) else signed_unicode(name)


def signed_unicode(name: str) -> dict[str, str]:
    """For the signature: the version of Unicode that the tokeniser of that name goes by, if it does.

    >>> signed_unicode("intl"), signed_unicode("13a")
    ({'unicode': '15.1'}, {})
    """
    return {"unicode": VERSION} if name in TOKENISERS and TOKENISERS[name].unicode else {}


@dataclass(frozen=True)
class Tokeniser:
    """How a text becomes words. Metrics with equal tokenisers share one encoding of the text."""

    splitter: Splitter
    lower: bool = False
    """Whether case is given up before anything else."""
    stop_words: frozenset[str] = frozenset()
    """Words that are excluded, before stemming."""
    stem: bool = False
    """Porter's stemmer, for English."""

    def words(self, text: str) -> list[str]:
        """The words of one text, as they are compared."""
        meant = (self.meant(word) for word in self.cut(self.prepared(text)))
        return [word for word in meant if word]

    def prepared(self, text: str) -> str:
        """The text ready to be cut: without white space at its end, and with joined what belongs together."""
        text = text.rstrip()
        if self.lower and self.splitter.glue:  # what is taken out is written in lower case
            text = lower_case(text)
        for joint in self.splitter.glue:
            text = text.replace(joint, "")
        return text

    def has_glue(self, text: str) -> bool:
        """Whether anything has to be joined."""
        glue = self.splitter.glue
        return bool(glue) and any(joint in (lower_case(text) if self.lower else text) for joint in glue)

    def cut(self, text: str) -> Sequence[str]:
        """The words of a part of a prepared text, with the white space around it where that matters."""
        return self.splitter.words(lower_case(text) if self.lower else text)

    def strings(self, texts: Iterable[str]) -> list[str]:
        """The characters of each whole text as one string, where the words are characters."""
        # Without a call of Python code for each; a string is already what `str` makes of it.
        return list(map(str, map(self.splitter.words, map(lower_case, texts) if self.lower else texts)))

    def cut_lines(self, lines: str) -> str | None:
        """The words of many parts of prepared texts, one per line, with spaces between; None if not possible."""
        if self.splitter.lines is None:
            return None
        return self.splitter.lines(lower_case(lines) if self.lower else lines)

    def meant(self, word: str) -> str:
        """What a word counts as: its stem, or nothing for a stop word."""
        if word in self.stop_words:
            return ""
        return porter(word) if self.stem else word


def tokeniser(
    name: str, *, lower: bool = False, stop_words: bool | frozenset[str] = False, stem: bool = False
) -> Tokeniser:
    """The tokeniser of that name; on request without case, without stop words, with Porter's stemmer.

    Stop words are those given, or with True English function words.

    >>> tokeniser("unicode-words", stem=True).words("Running horses")
    ['run', 'hors']
    >>> tokeniser("13a", lower=True).words("It's 3.5, No?")
    ["it's", '3.5', ',', 'no', '?']
    """
    if name not in TOKENISERS and not is_trained(name):
        raise UsageError(unknown("tokeniser", name, sorted([*TOKENISERS, *TRAINED])))
    excluded = stop_words if isinstance(stop_words, frozenset) else STOP_WORDS if stop_words else frozenset()
    return Tokeniser(_splitter(name), lower=lower, stop_words=excluded, stem=stem)


@cache
def _splitter(name: str) -> Splitter:
    """The splitter of that name, always the same one, so that metrics share what it encodes."""
    return TOKENISERS[name] if name in TOKENISERS else Splitter(trained(name).words, whole=True)
