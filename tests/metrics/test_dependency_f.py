"""Dependency F: averages over types, several references, the signature."""

from __future__ import annotations

import pytest
from parses import conllu, parsed

from textassay.errors import ProblemsError
from textassay.metrics import score, score_table
from textassay.metrics.engine import ScoringOptions
from textassay.metrics.parse_segments import ParseSegments
from textassay.metrics.table import ScoreTable


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    """No compiled loop is used."""


# The reference has the types det 3, iobj 1, nsubj 1, obj 1; the text has det(doctor, the), nsubj, obj and one more obj
# (of "baby"), and both other determiners hang on the verb under another type.
REFERENCE = parsed("the>2:det doctor>3:nsubj gives>0:root a>5:det baby>3:iobj the>7:det drug>3:obj")
TEXT = parsed("the>2:det doctor>3:nsubj gives>0:root a>3:dep baby>3:obj the>3:dep drug>3:obj")


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        # matched det 1, nsubj 1, obj 1 of 6 triples each
        ("micro", (0.5, 0.5, 0.5)),
        # dep 0, det 2/(1+3), iobj 0, nsubj 1, obj 2/(2+1); P 0, 1, 0, 1, 1/2; R 0, 1/3, 0, 1, 1
        ("unweighted", ((0.5 + 1 + 2 / 3) / 5, 2.5 / 5, (1 / 3 + 2) / 5)),
        # weights det 3, iobj 1, nsubj 1, obj 1
        ("weighted", ((1.5 + 1 + 2 / 3) / 6, (3 + 1 + 0.5) / 6, (1 + 1 + 1) / 6)),
    ],
)
def test_averages(average: str, expected: tuple[float, float, float]) -> None:
    found = score("dependency-f", [TEXT], [[REFERENCE]], average=average)
    parts = found.corpus_parts
    assert (found.corpus, parts["precision"], parts["recall"]) == pytest.approx(expected)
    assert {name: parts[f"F {name}"] for name in ("dep", "det", "iobj", "nsubj", "obj")} == pytest.approx(
        {"dep": 0, "det": 0.5, "iobj": 0, "nsubj": 1, "obj": 2 / 3}
    )


def test_corpus_pools_the_counts_of_each_type() -> None:
    # det: 1 of 1 and 3, then 1 of 1 and 1: F = 2*2/(2+4). obj: 1 of 2 and 1, then none on either side.
    other = parsed("a>2:det dog>0:root")
    found = score("dependency-f", [TEXT, other], [[REFERENCE], [other]], average="unweighted")
    assert found.corpus_parts["F det"] == pytest.approx(4 / 6)
    assert found.corpus_parts["matched det"] == 2
    assert found.segments[1] == 1


def test_unlabelled_counts_heads_only() -> None:
    # Heads agree for doctor, the(doctor), baby and drug: 4 of 6.
    assert score("dependency-f", [TEXT], [[REFERENCE]], labels=False).corpus == pytest.approx(4 / 6)


@pytest.mark.parametrize("average", ["micro", "unweighted", "weighted"])
def test_equal_texts_have_exactly_1_however_many_types_there_are(average: str) -> None:
    texts = [parsed("w>0:root " + " ".join(f"w{n}>1:t{n}" for n in range(types))) for types in range(1, 60)]
    assert set(score("dependency-f", texts, [[text] for text in texts], average=average).segments) == {1.0}


def test_several_references() -> None:
    found = [score("dependency-f", [TEXT], [[REFERENCE, TEXT]], multi=multi).corpus for multi in ("best", "mean")]
    assert found == pytest.approx([1, 0.75])


def test_strings_are_conllu_and_parsers_are_signed() -> None:
    text = conllu("a>2:det dog>0:root")
    assert score("dependency-f", [text], [[text]]).signature.split("|")[-2] == "parser:unknown"
    named = parsed("a>2:det dog>0:root", parser="model-2")
    assert score("dependency-f", [named], [[named]]).signature.split("|")[-2] == "parser:model-2"
    with pytest.raises(ProblemsError, match=r"^references\[0\]\[0\]:1: 1 column instead of 10"):
        score("dependency-f", [text], [["a dog"]])


def test_texts_without_dependencies_are_defined_and_counted() -> None:
    word, other = parsed("yes>0:root"), parsed("a>2:det dog>0:root")
    found = score("dependency-f", [word, word, other], [[word], [other], [word]])
    assert found.segments.tolist() == [1, 0, 0]
    assert found.warnings == (
        "dependency-f: 2 hypotheses have no dependencies",
        "dependency-f: 2 references have no dependencies",
    )


def _two_systems(options: ScoringOptions) -> ScoreTable:
    other = parsed("the>2:det doctor>3:nsubj sleeps>0:root")
    texts = [TEXT, other]
    return score_table(
        ["dependency-f"], ["1", "1"], ["A", "B"], texts, {"1": [REFERENCE]}, kind=ParseSegments, options=options
    )


def test_systems_in_one_table() -> None:
    table = _two_systems(ScoringOptions())
    assert [(row["system"], round(row["value"], 4)) for row in table.rows() if row["item"]] == [
        ("A", 0.5),
        ("B", round(2 * 1 / 8, 4)),
    ]


def test_scores_of_single_texts_need_not_be_kept() -> None:
    table = _two_systems(ScoringOptions(keep=False))
    assert {system: found.corpus for system, found in table.scores["dependency-f"].items()} == {"A": 0.5, "B": 0.25}
