"""Scores per document: each is that of the corpus of its texts alone, by whatever way it came about."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textassay import catalogue
from textassay.errors import DataError, UsageError
from textassay.metrics import ScoringOptions, Workers, score, score_aligned, score_table
from textassay.metrics.documents import Documents, DocumentScores
from textassay.metrics.rouge_l import RougeL

WORDS = ["the", "a", "cat", "dog", "sat", "barks", "on", "under", "mat", "night"]
TEXT_METRICS = [name for name in catalogue.names("metric") if catalogue.find("metric", name).takes.kind == "text"]
WHOLE_CORPUS = ("cider", "cider-d", "nist")
"""They weigh n-grams by all references of a system before any document is scored."""


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Once: which kernels make the statistics does not matter here."""


def texts(n: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(n)]


HYPOTHESES, REFERENCES = texts(24, 1), [[one, two] for one, two in zip(texts(24, 2), texts(24, 3), strict=True)]
SOURCES = [f"name|||{text}\tplace|||on the mat" for text in texts(24, 4)]
DOCUMENTS = [f"document {number}" for number in random.Random(5).choices(range(5), k=24)]


def of_document(values: list[Any], name: str) -> list[Any]:
    return [value for value, its in zip(values, DOCUMENTS, strict=True) if its == name]


def values(found: DocumentScores | None) -> dict[str, float]:
    assert found is not None
    return {name: value for name, value, _ in found.each()}


@pytest.mark.parametrize("name", [name for name in TEXT_METRICS if name not in WHOLE_CORPUS])
def test_a_document_has_the_score_of_its_texts_alone(name: str) -> None:
    found = score(name, HYPOTHESES, REFERENCES, sources=SOURCES, documents=DOCUMENTS)
    alone = {
        document: score(
            name,
            tuple(of_document(HYPOTHESES, document)),
            of_document(REFERENCES, document),
            sources=of_document(SOURCES, document),
        ).corpus
        for document in dict.fromkeys(DOCUMENTS)
    }
    assert values(found.documents) == pytest.approx(alone, rel=1e-13, nan_ok=True)
    assert list(values(found.documents)) == list(alone)  # in the order in which they were first named
    plain = score(name, HYPOTHESES, REFERENCES, sources=SOURCES)
    assert found.corpus == plain.corpus or math.isnan(plain.corpus)
    assert plain.documents is None


@pytest.mark.parametrize("name", WHOLE_CORPUS)
def test_what_is_weighed_by_the_whole_corpus_is_so_in_documents(name: str) -> None:
    whole = score(name, HYPOTHESES, REFERENCES, documents=DOCUMENTS)
    rows = {name: np.array([its == name for its in DOCUMENTS]) for name in dict.fromkeys(DOCUMENTS)}
    expected = {name: whole.metric.corpus_score(whole.statistics[its]) for name, its in rows.items()}
    assert values(whole.documents) == pytest.approx(expected, rel=1e-13)
    as_one = score(name, HYPOTHESES, REFERENCES, documents=["all"] * 24)
    assert values(as_one.documents) == pytest.approx({"all": whole.corpus})


@given(st.lists(st.sampled_from("abcd"), min_size=24, max_size=24), st.integers(1, 7), st.booleans(), st.booleans())
def test_neither_chunks_nor_what_is_kept_matter(documents: list[str], size: int, keep: bool, scores_only: bool) -> None:
    options = ScoringOptions(keep=keep, scores_only=scores_only)
    systems = {"A": HYPOTHESES, "B": HYPOTHESES[::-1]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RougeL, "chunk", size)
        table = score_aligned(["rouge-l", "bleu"], systems, REFERENCES, documents=documents, options=options)
    for name, scores in table.scores.items():
        for system, found in scores.items():
            alone = score(name, systems[system], REFERENCES, documents=documents)
            assert values(found.documents) == pytest.approx(values(alone.documents), rel=1e-13)
            assert found.documents is not None
            assert dict(zip(found.documents.names, found.documents.n.tolist(), strict=True)) == {
                each: documents.count(each) for each in dict.fromkeys(documents)
            }


def test_other_processes_give_the_same() -> None:
    here, there = (
        score_aligned(["bleu", "nist"], {"A": HYPOTHESES}, REFERENCES, documents=DOCUMENTS, options=options)
        for options in (ScoringOptions(), ScoringOptions(workers=Workers(jobs=2)))
    )
    for name in ("bleu", "nist"):
        assert values(here.scores[name]["A"].documents) == values(there.scores[name]["A"].documents)


def test_systems_of_a_table_have_the_documents_that_they_have_texts_of() -> None:
    documents = {"1": "x", "2": "y", "3": "x"}
    references = {item: ["a b"] for item in documents}
    rows = [("3", "B", "a"), ("1", "A", "a b"), ("2", "A", "a c"), ("3", "A", "c"), ("1", "B", "a b")]
    items, systems, written = (list(column) for column in zip(*rows, strict=True))
    table = score_table(["rouge-l", "distinct-n"], items, systems, written, references, documents=documents)
    # F of "a" against "a b": P 1, R 1/2, so 2/3.
    found = {system: values(its.documents) for system, its in table.scores["rouge-l"].items()}
    assert found == {"A": {"x": 0.5, "y": 0.5}, "B": {"x": pytest.approx((1 + 2 / 3) / 2)}}
    assert list(values(table.scores["distinct-n"]["B"].documents)) == ["x"]
    named = {system: list(its.each_name()) for system, its in table.documents.items()}
    assert named == {system: [documents[item] for item in its] for system, its in table.items.items()}


def test_records_have_a_row_for_each_document() -> None:
    records = score("rouge-l", ["a", "b"], [["a"], ["c"]], documents=["x", "y"]).records()
    assert [(each["of"], each.get("document"), each["value"], each["n"]) for each in records] == [
        ("corpus", None, 0.5, 2),
        ("document", "x", 1.0, 1),
        ("document", "y", 0.0, 1),
    ]


def test_no_texts_have_no_documents() -> None:
    assert score("rouge-l", [], [], documents=[]).documents is None


def test_mistakes_are_explained() -> None:
    with pytest.raises(UsageError, match="1 documents for 2 texts; give a list with the name of each text's document"):
        score("bleu", ["a", "b"], [["a"], ["b"]], documents=["x"])
    with pytest.raises(UsageError, match="the text 'xy' for 2 texts"):
        score("bleu", ["a", "b"], [["a"], ["b"]], documents="xy")
    with pytest.raises(DataError, match="text 2 has the document ' '; name a document for each text"):
        score("bleu", ["a", "b"], [["a"], ["b"]], documents=["x", " "])
    with pytest.raises(DataError, match="item 2 has no document; name the document of each item"):
        score_table(["bleu"], ["1", "2"], ["A", "A"], ["a", "b"], {"1": ["a"], "2": ["b"]}, documents={"1": "x"})


def test_texts_of_each_document() -> None:
    found = Documents.of_texts(["b", "a", "b"], 3)
    assert [(found.names[place], rows.tolist()) for place, rows in found.rows()] == [("b", [0, 2]), ("a", [1])]
    assert list(Documents.of_texts([], 0).rows()) == []
