"""PARENT: by hand, figures of the authors' script, and a slow implementation with counters."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from textassay.errors import DataError, UsageError
from textassay.metrics import metric, score

TABLE = "name|||michael dahlquist\tbirth date|||december 22 1965\tgenres|||rock"
TEXTS = [
    "michael dahlquist was born in december 1965",
    "michael dahlquist ( december 22 , 1965 ) was a drummer",
    "someone else played rock",
    "nothing",
]
REFERENCES = [
    "michael dahlquist ( december 22 , 1965 – july 14 , 2005 ) was a drummer in the seattle band silkworm .",
    "michael dahlquist was a rock drummer .",
]


def test_figures_of_the_script() -> None:
    # F by the function `parent` of the authors' table_text_eval.py; λ from the reference, and 0.5.
    arguments = (TEXTS, [REFERENCES] * 4)
    assert score("parent", *arguments, sources=[TABLE] * 4).segments.tolist() == pytest.approx(
        [0.14793654456325014, 0.8332551267526881, 0.0036191132068067425, 0.0]
    )
    found = score("parent", *arguments, sources=[TABLE] * 4, table_weight=0.5)
    assert found.segments.tolist() == pytest.approx(
        [0.21733210483700308, 0.8147361487282929, 0.012995116621907029, 0.0]
    )


def test_by_hand() -> None:
    # Table values {a, b}; text "a c", reference "a b". Words: w(a) = w(b) = 1, w(c) = 0. Precision: a is in the
    # reference, c in neither, 1/2; recall 1/2. Bigrams: "a c" is not in the reference, w = 1/2: precision 1/2; "a b"
    # has w = 1 but no match: recall 0, smoothed. Orders 3 and 4: no n-grams, precision 0, smoothed, and recall 1.
    # Of the table's entries "a" and "b" the text has one, 1/2; the reference has both, so λ = 1 - 1 = 0.
    result = score("parent", ["a c"], [["a b"]], sources=["x|||a\ty|||b"])
    s = 0.00001
    precision, recall = (1 / 2 * 1 / 2 * s * s) ** (1 / 4), (1 / 2 * s * 1 * 1) ** (1 / 4)
    assert result.parts["precision"].tolist() == pytest.approx([precision])
    assert result.parts["reference_recall"].tolist() == pytest.approx([recall])
    assert result.parts["table_recall"].tolist() == pytest.approx([1 / 2])
    assert result.segments.tolist() == pytest.approx([2 * precision * recall / (precision + recall + 1e-8)])
    half = score("parent", ["a c"], [["a b"]], sources=["x|||a\ty|||b"], table_weight=0.5)
    assert half.parts["recall"].tolist() == pytest.approx([math.sqrt(recall / 2)])


def slow_parent(text: list[str], reference: list[str], table: list[list[str]]) -> float:
    """By the definition in the docstring of parent.py."""
    values, s = {word for entry in table for word in entry}, 0.00001

    def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    def common(one: list[str], other: list[str]) -> int:
        best = [0] * (len(other) + 1)
        for word in one:
            row = [0]
            for place, each in enumerate(other):
                row.append(best[place] + 1 if word == each else max(row[place], best[place + 1]))
            best = row
        return best[-1]

    def mentioned(words: list[str]) -> float:
        return sum(common(entry, words) / len(entry) for entry in table) / len(table)

    precisions, recalls = [], []
    for n in range(1, 5):
        ours, theirs = grams(text, n), grams(reference, n)
        w = {gram: sum(word in values for word in gram) / n for gram in ours | theirs}
        m = ours & theirs
        precision = sum(m[g] + (k - m[g]) * w[g] for g, k in ours.items()) / (ours.total() or 1)
        wanted = sum(k * w[g] for g, k in theirs.items())
        recall = sum(k * w[g] for g, k in m.items()) / wanted if wanted else 1.0
        precisions.append(precision or (s if n > 1 else 0.0))
        recalls.append(recall or (s if n > 1 else 0.0))
    precision, recall = math.prod(precisions) ** 0.25, math.prod(recalls) ** 0.25 or s
    weight = 1 - mentioned(reference)
    recall = recall ** (1 - weight) * (mentioned(text) or s) ** weight
    return 2 * precision * recall / (precision + recall + 1e-8)


def test_equals_slow_implementation() -> None:
    draw = random.Random(4)

    def words(fewest: int, most: int) -> list[str]:
        return draw.choices(["a", "b", "c", "d", "e", "f", "g", "h", "the", "of"], k=draw.randint(fewest, most))

    texts = [words(0, 12) for _ in range(300)]
    references = [[words(0, 12) for _ in range(draw.randint(1, 3))] for _ in texts]
    tables = [[words(1, 3) for _ in range(draw.randint(1, 5))] for _ in texts]
    result = score(
        "parent",
        [" ".join(text) for text in texts],
        [[" ".join(each) for each in its] for its in references],
        sources=["\t".join(f"x|||{' '.join(entry)}" for entry in table) for table in tables],
    )
    expected = [
        max(slow_parent(text, reference, table) for reference in its)
        for text, its, table in zip(texts, references, tables, strict=True)
    ]
    assert result.segments.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_of_a_triple_head_and_tail_count() -> None:
    text, references = ["ada met byron"], [["ada met byron"]]
    triple = score("parent", text, references, sources=["Ada|||met|||Byron"])
    pair = score("parent", text, references, sources=["x|||Ada Byron"])
    assert triple.segments.tolist() == pair.segments.tolist()


@pytest.mark.parametrize("table", ["", "ada", "a|||b|||c|||d", "name|||", "a|||b\t"])
def test_what_is_no_table_is_refused(table: str) -> None:
    with pytest.raises(DataError, match="is no table; write attribute"):
        score("parent", ["a"], [["a"]], sources=[table])


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="table_weight is 2"):
        metric("parent", table_weight=2.0)
    with pytest.raises(UsageError, match="smoothing is 0"):
        metric("parent", smoothing=0.0)


def test_signature_names_the_weight() -> None:
    assert metric("parent").settings.signature_fields()["lambda"] == "reference"
    assert metric("parent", table_weight=0.5).settings.signature_fields()["lambda"] == "0.5"
