"""METEOR's alignment: which words and phrases of a hypothesis are taken for which of a reference.

Denkowski, M. & Lavie, A. (2011). Meteor 1.3, section 2.1: of all possible matches a subset in which no word is matched
twice, with as many words as possible, in as few chunks as possible, by a beam search. The program METEOR 1.5 counts
words in this search in its own way, found by running it and followed here: a match of another module than `exact`
counts half its words on each side, rounded down, so that one inexact word counts nothing and is dropped where it would
begin a chunk of its own, unless neither word has any other match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

BEAM = 40
"""Partial alignments that are kept, as in METEOR."""
Phrase = tuple[str, ...]


class Match(NamedTuple):
    """Words of the hypothesis that may stand for words of the reference."""

    module: int
    start: int
    """In the hypothesis."""
    words: int
    """In the hypothesis."""
    reference_start: int
    reference_words: int

    @property
    def worth(self) -> int:
        """Words covered on both sides, as the search counts them."""
        if self.module == 0:
            return self.words + self.reference_words
        return self.words // 2 + self.reference_words // 2

    @property
    def covered(self) -> int:
        """Words of the hypothesis as bits."""
        return ((1 << self.words) - 1) << self.start


Matcher = Callable[[Sequence[str], Sequence[str]], Iterator[tuple[int, int, int, int]]]
"""Hypothesis and reference to matches: start and number of words in the one, start and number in the other."""


def keyed(key: Callable[[str], str]) -> Matcher:
    """A matcher of single words that are different but have the same key, such as their stem."""

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        places = defaultdict(list)
        for place, word in enumerate(hypothesis):
            places[key(word)].append(place)
        for at, word in enumerate(reference):
            for place in places.get(key(word), ()):
                if hypothesis[place] != word:
                    yield place, 1, at, 1

    return found


def exact(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Equal words."""
    places = defaultdict(list)
    for place, word in enumerate(hypothesis):
        places[word].append(place)
    for at, word in enumerate(reference):
        for place in places.get(word, ()):
            yield place, 1, at, 1


def synonyms(synsets: Callable[[str], frozenset[str]]) -> Matcher:
    """A matcher of different words that share a set of synonyms."""

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        ours = [synsets(word) for word in hypothesis]
        for at, word in enumerate(reference):
            theirs = synsets(word)
            for place, each in enumerate(ours):
                if theirs and hypothesis[place] != word and not theirs.isdisjoint(each):
                    yield place, 1, at, 1

    return found


def paraphrases(table: Mapping[Phrase, frozenset[Phrase]], longest: int) -> Matcher:
    """A matcher of phrases of the reference with those of the hypothesis that the table has for them."""

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        for at in range(len(reference)):
            for length in range(1, min(longest, len(reference) - at) + 1):
                others = table.get(tuple(reference[at : at + length]))
                for place in range(len(hypothesis)) if others else ():
                    for words in range(1, min(longest, len(hypothesis) - place) + 1):
                        if others and tuple(hypothesis[place : place + words]) in others:
                            yield place, words, at, length

    return found


class _Path(NamedTuple):
    """A partial alignment."""

    worth: int
    chunks: int
    words: int
    """Covered on both sides, whatever the module."""
    starts: int
    """Sum of the places in the hypothesis."""
    used: int
    """Words of the hypothesis as bits."""
    ends: tuple[int, int]
    """Where the last match ends in both texts."""
    matches: tuple[Match, ...]

    def with_match(self, match: Match) -> _Path:
        continues = self.ends == (match.start, match.reference_start)
        return _Path(
            self.worth + match.worth,
            self.chunks + (not continues),
            self.words + match.words + match.reference_words,
            self.starts + match.start,
            self.used | match.covered,
            (match.start + match.words, match.reference_start + match.reference_words),
            (*self.matches, match),
        )


def _rank(path: _Path) -> tuple[int, ...]:
    return -path.worth, path.chunks, -path.words, path.starts


def aligned(
    hypothesis: Sequence[str], reference: Sequence[str], matchers: Sequence[Matcher]
) -> tuple[tuple[Match, ...], int]:
    """The matches of the best alignment found, and in how many chunks they are.

    Args:
        hypothesis: Its words.
        reference: Its words.
        matchers: Of each module; the first is `exact`.

    >>> matches, chunks = aligned("on the mat sat the cat".split(), "the cat sat on the mat".split(), [exact])
    >>> [(match.start, match.reference_start) for match in matches], chunks
    ([(4, 0), (5, 1), (3, 2), (0, 3), (1, 4), (2, 5)], 3)
    """
    possible: list[list[Match]] = [[] for _ in reference]
    for module, matcher in enumerate(matchers):
        for match in matcher(hypothesis, reference):
            possible[match[2]].append(Match(module, *match))
    only = _unambiguous(possible, len(hypothesis))
    taken = sum(match.covered for match in only.values())
    paths = [_Path(0, 0, 0, 0, taken, (-1, -1), ())]
    for at, here in enumerate(possible):
        if at in only:
            paths = [path.with_match(only[at]) for path in paths]
        elif here:
            paths = sorted(_continued(paths, at, here), key=_rank)[:BEAM]
    best = min(paths, key=_rank)
    return best.matches, best.chunks


def _continued(paths: Sequence[_Path], at: int, possible: Sequence[Match]) -> Iterator[_Path]:
    """Each path with each match that begins here and is still free, and without any."""
    for path in paths:
        if path.ends[1] <= at:
            yield from (path.with_match(match) for match in possible if not match.covered & path.used)
        yield path


def _unambiguous(possible: Sequence[Sequence[Match]], length: int) -> dict[int, Match]:
    """By their place in the reference, the matches of whose words none has another match."""
    ours, theirs = [0] * length, [0] * len(possible)
    for match in (match for here in possible for match in here):
        for place in range(match.start, match.start + match.words):
            ours[place] += 1
        for place in range(match.reference_start, match.reference_start + match.reference_words):
            theirs[place] += 1
    return {
        at: match
        for at, here in enumerate(possible)
        for match in here
        if max(ours[match.start : match.start + match.words]) == 1 and max(theirs[at : at + match.reference_words]) == 1
    }
