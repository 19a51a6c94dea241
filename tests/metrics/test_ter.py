"""TER equals sacreBLEU 2.6.0; with `variant=tercom` and without punctuation it equals tercom 0.10."""

from __future__ import annotations

import json
import math
import random
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from edited_words import edited_pair
from hypothesis import given
from made_up_segments import ADVERSARIAL_SEGMENTS, Segment, made_up_segments
from punctuated_segments import punctuated_segments
from sacrebleu.metrics import TER
from sacrebleu.metrics.ter import TERScore

from textassay.metrics import Score, metric, score

TERCOM = json.loads((Path(__file__).parents[1] / "golden" / "tercom.json").read_text("utf-8"))["scores"]
OPTIONS = {"-N": "normalized", "-P": "no_punct", "-A": "asian_support", "-s": "case_sensitive"}
NAMES = ("normalized", "no_punct", "asian_support", "case_sensitive")
SETTINGS = [dict(zip(NAMES, values, strict=True)) for values in product((False, True), repeat=4)]


@cache  # the same for the compiled loops and for the fallbacks
def peer(segments: tuple[tuple[str, tuple[str, ...]], ...], **given: bool) -> tuple[list[TERScore], TERScore | None]:
    """Every segment, and the corpus."""
    theirs = TER(**given)
    every = [theirs.sentence_score(hypothesis, refs) for hypothesis, refs in segments]
    hypotheses, references = zip(*segments, strict=True) if segments else ((), ())
    if len({len(refs) for refs in references}) != 1:  # sacreBLEU takes sets of references as long as the corpus
        return every, None
    return every, theirs.corpus_score(hypotheses, [list(each) for each in zip(*references, strict=True)])


def agree(segments: list[Segment], **given: bool) -> Score:
    """Both on the same segments: every segment, and the corpus."""
    hypotheses, references = [hypothesis for hypothesis, _ in segments], [refs for _, refs in segments]
    ours = score("ter", hypotheses, references, **given)
    expected, corpus = peer(tuple((hypothesis, tuple(refs)) for hypothesis, refs in segments), **given)
    assert ours.segments == pytest.approx([one.score for one in expected], abs=1e-9)
    assert ours.parts["edits"].tolist() == [one.num_edits for one in expected]
    assert ours.parts["reference_words"] == pytest.approx([one.ref_length for one in expected])
    if corpus is not None:
        assert ours.corpus == pytest.approx(corpus.score, abs=1e-9)
    return ours


def test_known_answer() -> None:
    # tercom 0.8.0: one shift in eight words.
    assert score("ter", ["d e f g h a b c"], [["a b c d e f g h"]]).corpus == 12.5


@pytest.mark.parametrize("given", SETTINGS)
def test_equals_sacrebleu_in_every_setting(given: dict[str, bool]) -> None:
    agree([segment for segment in made_up_segments(30, 11) if len(segment[0].split()) < 25], **given)


@pytest.mark.long
def test_equals_sacrebleu_on_shifted_sentences() -> None:
    draw = random.Random(21)
    pairs = [edited_pair(draw, 24, 60) for _ in range(200)]
    spelt = [[" ".join(f"w{word}" for word in text) for text in pair] for pair in pairs]
    agree([(hypothesis, [reference]) for hypothesis, reference in spelt])


@given(ADVERSARIAL_SEGMENTS)
def test_equals_sacrebleu_on_adversarial_text(segments: list[Segment]) -> None:
    for given_settings in (SETTINGS[0], SETTINGS[-2]):
        agree(segments, **given_settings)


def test_references_are_tokenised_twice_as_in_sacrebleu_or_once() -> None:
    # "it's." is "it's ." as a hypothesis and "it 's ." as a reference: a substitution and an insertion in three words.
    assert agree([("it's.", ["it's."])], normalized=True).corpus == pytest.approx(200 / 3)
    result = score("ter", ["it's.", "a b"], [["it's."], ["a b"]], normalized=True)
    assert any("1 references are tokenised differently from hypotheses" in warning for warning in result.warnings)
    once = score("ter", ["it's."], [["it's."]], normalized=True, references_once=True)
    assert once.corpus == 0
    assert not once.warnings


@pytest.mark.parametrize("options", TERCOM)
def test_equals_tercom_without_punctuation(options: str) -> None:
    chosen = dict.fromkeys((OPTIONS[option] for option in options.split()), True)
    hypotheses, references = zip(*punctuated_segments(1000, 18), strict=True)
    ours, theirs = score("ter", hypotheses, references, variant="tercom", **chosen), TERCOM[options]
    assert ours.parts["edits"].tolist() == [int(edits) for edits in theirs["edits"].split()]
    assert (6 * ours.parts["reference_words"]).tolist() == pytest.approx([int(n) for n in theirs["words"].split()])
    assert ours.corpus == pytest.approx(100 * theirs["total"], abs=1e-10)
    assert "tok:tercom-0.10|" in ours.signature
    assert "|punct:no|" in ours.signature
    assert "|refs:once|" in ours.signature
    one = metric("ter", variant="tercom", **chosen)
    assert [one.one(*pair) for pair in zip(hypotheses[:50], references, strict=False)] == ours.segments[:50].tolist()
    as_sacrebleu = score("ter", hypotheses[:99], references[:99], **chosen)
    assert as_sacrebleu.segments.tolist() != ours.segments[:99].tolist()


def test_an_empty_word_stays_in_tercom_where_a_text_began_with_a_sign() -> None:
    # "( a b" without its sign is an empty word, a and b: one deletion in the two words of "a b".
    given: dict[str, bool] = {"no_punct": True}
    assert score("ter", ["( a b"], [["a b"]], **given).corpus == 0
    assert score("ter", ["( a b"], [["a b"]], variant="tercom", **given).corpus == 50
    assert score("ter", ["( a b"], [[". a b"]], variant="tercom", **given).corpus == 0


def test_fewest_edits_over_mean_length() -> None:
    # Against "a b c d": 2 edits; against "a b": none. Mean length 3.
    result = agree([("a b", ["a b c d", "a b"]), ("a b", ["x y z", "a c b"])])
    assert result.parts["edits"].tolist() == [0, 1]
    assert result.segments == pytest.approx([0, 100 / 3])
    assert result.corpus == pytest.approx(100 / 6)  # one edit; mean lengths 3 and 3
    assert "multi:fewest-edits/mean-length|tok:tercom" in result.signature


def test_empty_texts_are_as_in_sacrebleu_and_reported() -> None:
    result = agree([("a b", [""]), ("", [""]), ("", ["a"]), ("a b c", ["", "a b"])])
    assert result.segments.tolist() == [100.0, 0.0, 100.0, 100.0]
    assert any("references contain no words" in warning for warning in result.warnings)
    assert score("ter", ["a", ""], [[""], [""]]).corpus == 100.0
    assert score("ter", [""], [[""]]).corpus == 0.0


def test_corpus_of_resamples() -> None:
    result = score("ter", ["a b", "b a", "c"], [["a b"], ["a b"], ["a b c"]])
    # Edits 0, 1, 2 in 2, 2 and 3 words.
    sums = np.array([[3.0, 7.0], [6.0, 9.0], [0.0, 0.0]])
    assert result.metric.from_sums(sums, 3).tolist() == pytest.approx([300 / 7, 600 / 9, 0])
    assert result.corpus == pytest.approx(300 / 7)
    assert math.isnan(score("ter", [], []).corpus)
