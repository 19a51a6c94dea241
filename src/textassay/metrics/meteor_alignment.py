"""METEOR's alignment: which words and phrases of a hypothesis are taken for which of a reference.

Denkowski, M. & Lavie, A. (2011). Meteor 1.3, section 2.1: of all possible matches a subset in which no word is matched
twice, with as many words as possible, in as few chunks as possible, by a beam search. Many alignments are equally good,
and which of them is found decides the score, so the search here takes the steps of the program METEOR 1.5:

- **Candidates** of a word of the reference come module by module. A phrase pair that the paraphrase table has in both
  directions is two candidates.
- **Certain matches**, of whose words none has another match, are part of every alignment.
- **Worth**: a match of another module than `exact` counts half its words on each side, rounded down. So one inexact
  word counts nothing, and is dropped where it would begin a chunk of its own, unless it is certain.
- **Order** of partial alignments at each word of the reference: worth, then chunks that are closed, then distance, then
  the order of the step before. A chunk is closed by a gap or by the start of another.
- **Distance** is meant to be how far apart matched words are. In the program the distance of a match that is tried goes
  to what is tried after it (later candidates, and no match), never to the match itself; only certain matches
  count their own. Earlier candidates so win ties.
- Equal texts are aligned by `exact` alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

BEAM = 40
"""Partial alignments that are kept, as in METEOR."""


@dataclass(frozen=True)
class Match:
    """Words of the hypothesis that may stand for words of the reference."""

    module: int
    start: int
    """In the hypothesis."""
    words: int
    """In the hypothesis."""
    reference_start: int
    reference_words: int

    @cached_property
    def worth(self) -> int:
        """Words covered on both sides, as the search counts them."""
        if self.module == 0:
            return self.words + self.reference_words
        return self.words // 2 + self.reference_words // 2

    @cached_property
    def covered(self) -> int:
        """Words of the hypothesis as bits."""
        return ((1 << self.words) - 1) << self.start

    @cached_property
    def distance(self) -> int:
        """Between the places in both texts."""
        return abs(self.start - self.reference_start)


Matcher = Callable[[Sequence[str], Sequence[str]], Iterator[tuple[int, int, int, int]]]
"""Hypothesis and reference to matches: start and number of words in the one, start and number in the other.

Those with the same start in the reference come in the order in which the search tries them."""


def exact(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Equal words."""
    places = _places(hypothesis)
    for at, word in enumerate(reference):
        for place in places.get(word, ()):
            yield place, 1, at, 1


def keyed(key: Callable[[str], str]) -> Matcher:
    """A matcher of single words that are different but have the same key, such as their stem."""

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        places = _places([key(word) for word in hypothesis])
        for at, word in enumerate(reference):
            for place in places.get(key(word), ()):
                if hypothesis[place] != word:
                    yield place, 1, at, 1

    return found


def synonyms(synsets: Callable[[str], frozenset[str]]) -> Matcher:
    """A matcher of different words that share a set of synonyms."""

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        ours = [(place, word, sets) for place, word in enumerate(hypothesis) if (sets := synsets(word))]
        for at, word in enumerate(reference):
            theirs = synsets(word)
            for place, other, sets in ours if theirs else ():
                if other != word and not theirs.isdisjoint(sets):
                    yield place, 1, at, 1

    return found


def paraphrases(table: Mapping[str, Sequence[str]], longest: int) -> Matcher:
    """A matcher of phrases that the table has for each other.

    First entries whose first phrase is in the reference, then those whose first phrase is in the hypothesis; each time
    from the first word on, the shortest phrase first, then as in the table.
    """

    def entries(
        one: Sequence[tuple[int, int, str]], other: Mapping[str, list[int]]
    ) -> Iterator[tuple[int, int, int, int]]:
        for start, words, phrase in one:
            for paraphrase in table.get(phrase, ()):
                for place in other.get(paraphrase, ()):
                    yield start, words, place, paraphrase.count(" ") + 1

    def found(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
        ours, theirs = _phrases(hypothesis, longest), _phrases(reference, longest)
        for at, length, place, words in entries(theirs, _phrase_places(ours)):
            yield place, words, at, length
        yield from entries(ours, _phrase_places(theirs))

    return found


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places = defaultdict(list)
    for place, word in enumerate(words):
        places[word].append(place)
    return places


def _phrases(words: Sequence[str], longest: int) -> list[tuple[int, int, str]]:
    """All phrases with start and number of words."""
    return [
        (start, length, " ".join(words[start : start + length]))
        for start in range(len(words))
        for length in range(1, min(longest, len(words) - start) + 1)
    ]


def _phrase_places(phrases: Sequence[tuple[int, int, str]]) -> dict[str, list[int]]:
    places = defaultdict(list)
    for start, _, phrase in phrases:
        places[phrase].append(start)
    return places


class _Path(NamedTuple):
    """A partial alignment."""

    rank: tuple[int, int, int]
    """What is lost in worth, chunks that are closed, distance: the lowest is the best."""
    used: int
    """Words of the hypothesis as bits."""
    end: int
    """Where the open chunk ends in the hypothesis; -1 if none is open."""
    reference_end: int
    """Where the last match ends in the reference."""
    matches: tuple[Match, ...]

    def with_match(self, match: Match, further: int) -> _Path:
        """With a match, and so much more distance."""
        lost, chunks, distance = self.rank
        closes = self.end not in {-1, match.start}
        return _Path(
            (lost - match.worth, chunks + closes, distance + further),
            self.used | match.covered,
            match.start + match.words,
            match.reference_start + match.reference_words,
            (*self.matches, match),
        )

    def with_gap(self, further: int = 0) -> _Path:
        """Without a match here, and with so much more distance."""
        if self.end == -1 and not further:
            return self
        lost, chunks, distance = self.rank
        rank = (lost, chunks + (self.end != -1), distance + further)
        return _Path(rank, self.used, -1, self.reference_end, self.matches)


_RANK = attrgetter("rank")


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
    for module, matcher in enumerate(matchers[:1] if hypothesis == reference else matchers):
        for found in matcher(hypothesis, reference):
            possible[found[2]].append(Match(module, *found))
    certain = _certain(possible, len(hypothesis))
    paths = [_Path((0, 0, 0), 0, -1, 0, ())]
    for at, here in enumerate(possible):
        if at in certain:
            match = certain[at]
            paths = [path.with_match(match, match.distance) for path in paths]
        else:
            paths = [after for path in paths for after in _continued(path, at, here)]
        # Also where nothing is cut: of equal paths the better one of the step before comes first.
        paths = sorted(paths, key=_RANK)[:BEAM]
    best = min((path.with_gap() for path in paths), key=_RANK)
    return best.matches, best.rank[1]


def _continued(path: _Path, at: int, possible: Sequence[Match]) -> Iterator[_Path]:
    """The path with each match that begins here and is still free, and without any."""
    if path.reference_end > at:
        yield path
        return
    tried = 0
    for match in possible:
        if not match.covered & path.used:
            yield path.with_match(match, tried)
            tried += match.distance
    yield path.with_gap(tried)


def _certain(possible: Sequence[Sequence[Match]], length: int) -> dict[int, Match]:
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
