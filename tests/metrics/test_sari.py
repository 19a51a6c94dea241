"""SARI in all its variants: figures of the programs, examples by hand, and a slow implementation with counters."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from made_up_segments import made_up_segments

from textassay.errors import UsageError
from textassay.metrics import metric, score, score_aligned, score_table
from textassay.metrics.significance import corpus_intervals

SOURCE = "About 95 species are currently accepted ."
TEXTS = [
    "About 95 you now get in .",
    "About 95 species are now agreed .",
    "About 95 species are currently agreed .",
    "About 95 species species are now known now .",
]
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
KNOWN: dict[str, tuple[list[float], float]] = {
    "easse": ([31.350246975246975, 63.23743386243385, 46.72930933800499, 54.10443722943723], 51.25374236112285),
    "easse-precision": (
        [26.95360195360195, 61.70965608465608, 50.88681849551415, 50.89015151515152],
        48.945768760253266,
    ),
    "paper": ([27.10501136227724, 61.892197303629864, 51.29360967184801, 51.12608238325231], 48.99615519224809),
    "xu": ([26.827824116980743, 58.89995423074248, 50.71608864657479, 49.64570539316031], 46.522393096864576),
    "huggingface": (
        [26.953601953601954, 61.709656084656075, 50.88681849551415, 50.890151515151516],
        47.610057012230925,
    ),
    "tensor2tensor": (
        [26.953601953601954, 61.70965608465608, 50.88681849551415, 50.890151515151516],
        47.610057012230925,
    ),
}


@pytest.mark.parametrize("variant", KNOWN)
def test_figures_of_the_programs(variant: str) -> None:
    # What SARI.py of the authors, evaluate 0.4, tensor2tensor's hook and EASSE's functions give for these tokens.
    result = score(
        "sari", TEXTS, [REFERENCES] * len(TEXTS), sources=[SOURCE] * len(TEXTS), variant=variant, tokeniser="none"
    )
    segments, corpus = KNOWN[variant]
    assert result.segments.tolist() == pytest.approx(segments, rel=1e-12)
    assert result.corpus == pytest.approx(corpus, rel=1e-12)


def test_by_hand() -> None:
    # Source "a b", text "a c", reference "a d". Words: "c" is added wrongly (addition 0), "a" is kept rightly (F 1),
    # "b" deleted rightly (F 1). Bigrams: "a c" is added wrongly, nothing kept (0), "a b" deleted rightly (1). There are
    # no longer ones.
    # Addition 0, keeping 1/4, deletion 2/4: SARI = 100 · (0 + .25 + .5) / 3 = 25.
    result = score("sari", ["a c"], [["a d"]], sources=["a b"])
    assert result.segments.tolist() == pytest.approx([25])
    assert {name: values.tolist() for name, values in result.parts.items()} == {
        "addition": [0],
        "keeping": [25],
        "deletion": [50],
    }
    # Where nothing is to be done, 0/0 is 1 in evaluate: deletion of orders 3 and 4 is 1, as is keeping from order 2
    # on, and addition of orders 3 and 4.
    parts = score("sari", ["a c"], [["a d"]], sources=["a b"], variant="huggingface").parts
    assert {name: values.tolist() for name, values in parts.items()} == {
        "addition": [50],
        "keeping": [100],
        "deletion": [100],
    }


def slow_easse(source: str, text: str, references: list[str]) -> float:
    """One segment by the definition in the docstring of sari.py."""

    def grams(of: str, n: int) -> Counter[tuple[str, ...]]:
        words = of.lower().split()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    def f(right: int, done: int, wanted: int) -> float:
        return 2 * right / (done + wanted) if right else 0.0

    total = 0.0
    m = len(references)
    for n in range(1, 5):
        s, c = (Counter({gram: m * k for gram, k in grams(of, n).items()}) for of in (source, text))
        r: Counter[tuple[str, ...]] = sum((grams(reference, n) for reference in references), start=Counter())
        added, adds = c.keys() - s.keys(), r.keys() - s.keys()
        total += f(len(added & adds), len(added), len(adds))
        total += f((s & c & r).total(), (s & c).total(), (s & r).total())
        total += f(((s - c) & (s - r)).total(), (s - c).total(), (s - r).total())
    return 100 * total / 12


def test_equals_slow_implementation() -> None:
    draw = random.Random(1)
    segments = made_up_segments(300, seed=6)
    sources = [" ".join(word for word in f"{hyp} {refs[0]}".split() if draw.random() < 0.6) for hyp, refs in segments]
    result = score(
        "sari", [hyp for hyp, _ in segments], [refs for _, refs in segments], sources=sources, tokeniser="none"
    )
    expected = [slow_easse(source, hyp, refs) for source, (hyp, refs) in zip(sources, segments, strict=True)]
    assert result.segments.tolist() == pytest.approx(expected, rel=1e-12)


def test_tables_take_sources() -> None:
    items, systems = ["1", "2", "1", "2"], ["A", "A", "B", "B"]
    texts = ["a c", "b", "a d", "b c"]
    references, sources = {"1": ["a d"], "2": ["b"]}, {"1": "a b", "2": "b c"}
    table = score_table(["sari", "rouge-l"], items, systems, texts, references, sources=sources)
    for system, its in (("A", ["a c", "b"]), ("B", ["a d", "b c"])):
        alone = score("sari", its, [["a d"], ["b"]], sources=["a b", "b c"])
        assert table.scores["sari"][system].segments.tolist() == alone.segments.tolist()
    aligned = score_aligned(
        ["sari"], {"A": ["a c", "b"], "B": ["a d", "b c"]}, [["a d"], ["b"]], sources=["a b", "b c"]
    )
    assert aligned.scores["sari"]["B"].corpus == table.scores["sari"]["B"].corpus
    assert not np.isnan(corpus_intervals(aligned, draws=20).intervals[0].ci).any()


def test_missing_sources_are_explained() -> None:
    with pytest.raises(UsageError, match="sari needs the source of each text"):
        score_table(["sari"], ["1"], ["A"], ["a"], {"1": ["a"]})
    with pytest.raises(UsageError, match="sari needs the source of each text"):
        score_aligned(["sari"], {"A": ["a"]}, [["a"]])


def test_signature_names_the_variant_and_how_the_corpus_score_comes_about() -> None:
    assert "variant:easse|tok:13a|case:lc|corpus:pooled" in score("sari", ["a"], [["a"]], sources=["a"]).signature
    assert metric("sari", variant="xu").signature_fields("1")["corpus"] == "mean"
