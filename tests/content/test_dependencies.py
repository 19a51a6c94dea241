"""Triples of dependencies: words tied to positions, counts by type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parses import parsed

from textassay.content.conllu import ParsedSentence, ParsedText
from textassay.content.dependencies import (
    TripleOptions,
    aligned_positions,
    aligned_triples,
    count_types,
    reference_triples,
)


def shuffled(sentence: ParsedSentence, order: list[int]) -> tuple[ParsedText, ParsedText]:
    """The tree with its words in another order, and as it was."""
    place = {old + 1: new + 1 for new, old in enumerate(order)} | {0: 0}
    turned = ParsedSentence(
        tuple(sentence.forms[old] for old in order),
        tuple(place[sentence.heads[old]] for old in order),
        tuple(sentence.deprels[old] for old in order),
    )
    return ParsedText((turned,)), ParsedText((sentence,))


GIVES = parsed("the>2:det doctor>3:nsubj gives>0:root the>5:det baby>3:iobj a>7:det drug>3:obj")


def test_worked_example() -> None:
    # Words as positions in "the(1) doctor(2) gives(3) a(4) baby(5) the(6) drug(7)".
    reference = [("subj", 3, 2), ("obj", 3, 7), ("iobj", 3, 5), ("det", 2, 1), ("det", 7, 6), ("det", 5, 4)]
    counts = count_types([("subj", 3, 2), ("obj", 3, 7), ("det", 2, 1), ("iobj", 3, 7)], reference)
    assert {name: each.f for name, each in counts.items()} == {"det": 0.5, "iobj": 0, "obj": 1, "subj": 1}
    assert (counts["det"].precision, counts["det"].recall) == (1, 1 / 3)


def test_types_of_one_side_only_are_shown() -> None:
    counts = count_types([("obj", 1, 2)], [("subj", 1, 2)])
    assert {name: (each.precision, each.recall, each.f) for name, each in counts.items()} == {
        "obj": (0, 0, 0),
        "subj": (0, 0, 0),
    }


def test_repeated_words_are_told_apart_in_another_order() -> None:
    # "a drug the doctor gives the baby": the first "the" is the first "the" of the reference.
    turned = parsed("A>2:det drug>5:obj the>4:det doctor>5:nsubj gives>0:root the>7:det baby>5:iobj")
    assert aligned_positions(turned, GIVES) == [6, 7, 1, 2, 3, 4, 5]
    assert set(aligned_triples(turned, GIVES)) == set(reference_triples(GIVES))
    assert aligned_positions(turned, GIVES, lowercase=False)[0] == -1


def test_a_repeated_word_is_the_one_that_depends_on_the_same_word() -> None:
    # "the baby the doctor gives a drug": the first "the" is the second of the reference, since it belongs to "baby".
    turned = parsed("the>2:det baby>5:iobj the>4:det doctor>5:nsubj gives>0:root a>7:det drug>5:obj")
    assert aligned_positions(turned, GIVES) == [4, 5, 1, 2, 3, 6, 7]
    assert set(aligned_triples(turned, GIVES)) == set(reference_triples(GIVES))
    # the type may differ where the head is the same; whatever is left over is taken in order
    other = parsed("the>2:dep baby>4:iobj the>4:dep gives>0:root the>4:dep")
    assert aligned_positions(other, GIVES) == [4, 5, 1, 3, -5]


@given(st.permutations(range(8)))
def test_order_does_not_matter_either_where_repeated_words_depend_on_different_ones(order: list[int]) -> None:
    sentence = parsed("in>3:case the>3:det hall>6:obl of>5:case the>6:x meet>0:root in>8:case May>6:obl").sentences[0]
    assert set(aligned_triples(*shuffled(sentence, order))) == set(reference_triples(ParsedText((sentence,))))


def test_words_that_the_reference_lacks_match_nothing() -> None:
    assert aligned_positions(parsed("the>2:det the>3:det the>0:root x>3:dep"), GIVES) == [1, 4, -3, -4]


def test_positions_run_over_sentences() -> None:
    two = parsed("it>2:nsubj rains>0:root | it>2:nsubj snows>0:root")
    assert reference_triples(two) == [("nsubj", 2, 1), ("nsubj", 4, 3)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (TripleOptions(), {("nsubj:pass", 2, 1), ("punct", 2, 3)}),
        (TripleOptions(labels=False), {("any", 2, 1), ("any", 2, 3)}),
        (TripleOptions(subtypes=False), {("nsubj", 2, 1), ("punct", 2, 3)}),
        (TripleOptions(punctuation=False), {("nsubj:pass", 2, 1)}),
        (TripleOptions(root=True), {("nsubj:pass", 2, 1), ("punct", 2, 3), ("root", 0, 2)}),
    ],
)
def test_options(options: TripleOptions, expected: set[tuple[str, int, int]]) -> None:
    assert set(reference_triples(parsed("dogs>2:nsubj:pass bitten>0:root .>2:punct"), options)) == expected


@given(st.permutations(range(7)))
def test_order_of_words_does_not_matter_where_all_words_differ(order: list[int]) -> None:
    sentence = parsed("a>2:x b>0:root c>2:y d>3:x e>3:z f>7:x g>2:y").sentences[0]
    assert set(aligned_triples(*shuffled(sentence, order))) == set(reference_triples(ParsedText((sentence,))))
