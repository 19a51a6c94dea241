"""Compact letter displays: what they must say, whatever differs from what."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from textassay.stats.group_comparisons import compact_letters


def test_known_displays() -> None:
    assert compact_letters([1.0, 2.0, 3.0], []) == ("a", "a", "a")
    assert compact_letters([1.0, 2.0, 3.0], combinations(range(3), 2)) == ("c", "b", "a")
    # Piepho (2004) gives for a chain in which only neighbours are alike one letter a neighbouring pair.
    chain = [(0, 2), (0, 3), (1, 3)]
    assert compact_letters([4.0, 3.0, 2.0, 1.0], chain) == ("a", "ab", "bc", "c")


@st.composite
def displays(draw: st.DrawFn) -> tuple[list[float], set[tuple[int, int]]]:
    means = draw(st.lists(st.integers(0, 9).map(float), min_size=2, max_size=8))
    return means, draw(st.sets(st.sampled_from(list(combinations(range(len(means)), 2)))))


@given(displays())
def test_groups_share_a_letter_if_and_only_if_they_do_not_differ(
    case: tuple[list[float], set[tuple[int, int]]],
) -> None:
    means, different = case
    letters = compact_letters(means, different)
    for pair in combinations(range(len(means)), 2):
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in different)
    assert "a" in letters[max(range(len(means)), key=lambda group: means[group])]
    # No letter could be omitted: each one alone joins some pair, or is some group's only one.
    names = sorted(set("".join(letters)))
    for name in names:
        rest = [set(letter) - {name} for letter in letters]
        joined = [pair for pair in combinations(range(len(means)), 2) if rest[pair[0]] & rest[pair[1]]]
        alike = [pair for pair in combinations(range(len(means)), 2) if pair not in different]
        assert joined != alike or set() in rest or len(names) == 1


def test_more_letters_than_the_alphabet_has() -> None:
    means = [float(-index) for index in range(30)]
    letters = compact_letters(means, combinations(range(30), 2))
    assert letters[:2] == ("a", "b")
    assert letters[26:28] == ("a1", "b1")
