"""All pairs of groups compared: what the results of Tukey, Games–Howell, Nemenyi and Conover share, with letters."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from string import ascii_lowercase

from textassay.pairwise import PairwiseComparisons
from textassay.results import Record
from textassay.stats.statistic import Statistic


@dataclass(frozen=True, kw_only=True)
class GroupComparisons(Statistic):
    """All pairs of k groups compared by their means or mean ranks."""

    groups: tuple[str, ...]
    pairs: PairwiseComparisons
    """Each group with all later ones: first − second."""

    @property
    @abstractmethod
    def centres(self) -> tuple[float, ...]:
        """What the groups are compared by: their means, or mean ranks."""

    @property
    def n_significant(self) -> int:
        """Pairs that differ significantly, out of `len(pairs)`."""
        return self.pairs.n_significant

    @property
    def p(self) -> tuple[float, ...]:
        """The adjusted p of each pair."""
        return tuple(pair.p for pair in self.pairs)

    @property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display: groups that share a letter do not differ; the largest mean has an a."""
        place = {name: index for index, name in enumerate(self.groups)}
        different = [(place[pair.first], place[pair.second]) for pair in self.pairs if pair.significant]
        return compact_letters(self.centres, different)

    def records(self) -> list[Record]:
        """One record per pair."""
        return self.pairs.records(self)


def compact_letters(means: Sequence[float], different: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Letters for each group; the largest mean has an a (Piepho 2004).

    Insert and absorb: begin with one letter for all; a pair that differs splits every letter that both have in two, one
    without the first and one without the second; a letter whose groups all share another one goes. At the end a letter
    goes without which the others say the same.

    >>> compact_letters([3.0, 2.0, 1.0], [(0, 2)])  # only the largest and the smallest differ
    ('a', 'ab', 'b')

    Args:
        means: Of the groups; they decide only which letter comes first.
        different: Pairs of groups, by index, that differ significantly.
    """
    held = [frozenset(range(len(means)))]
    for first, second in different:
        split = [letter for letter in held if first in letter and second in letter]
        halves = [letter - {out} for letter in split for out in (first, second)]
        held = _absorbed([letter for letter in held if letter not in split] + halves)
    held = _swept(held)
    by_rank = sorted(range(len(means)), key=lambda group: (-means[group], group))
    held.sort(key=lambda letter: [group not in letter for group in by_rank])
    names = _names(len(held))
    return tuple(
        "".join(name for name, letter in zip(names, held, strict=True) if group in letter)
        for group in range(len(means))
    )


def _absorbed(letters: list[frozenset[int]]) -> list[frozenset[int]]:
    kept: list[frozenset[int]] = []
    for letter in sorted(set(letters), key=lambda each: (-len(each), sorted(each))):
        if not any(letter <= other for other in kept):
            kept.append(letter)
    return kept


def _swept(letters: list[frozenset[int]]) -> list[frozenset[int]]:
    said = Counter(pair for letter in letters for pair in combinations_with_replacement(sorted(letter), 2))
    kept = []
    for letter in sorted(letters, key=len):  # small ones first: what they say is the likeliest to be said elsewhere
        pairs = list(combinations_with_replacement(sorted(letter), 2))
        if all(said[pair] > 1 for pair in pairs):
            said.subtract(pairs)
        else:
            kept.append(letter)
    return kept


def _names(count: int) -> list[str]:
    """A to z, then a1 to z1 and so on."""
    return [ascii_lowercase[index % 26] + (str(index // 26) if index >= 26 else "") for index in range(count)]
