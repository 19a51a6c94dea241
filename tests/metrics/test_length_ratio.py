"""Length ratio."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from textassay.metrics import metric, score, score_aligned
from textassay.metrics.significance import PairedOptions, paired_bootstrap


def test_words_and_characters() -> None:
    assert score("length-ratio", ["a b c"], [["aa bb"]]).corpus == 1.5
    assert score("length-ratio", ["a b c"], [["aa bbbb ccc"]], unit="characters").corpus == pytest.approx(5 / 11)


def test_corpus_divides_the_sums() -> None:
    result = score("length-ratio", ["a b", "a"], [["a"], ["a b c"]])
    assert result.segments.tolist() == [2.0, 1 / 3]
    assert result.corpus == 0.75
    assert result.corpus_parts == {"hypothesis_length": 3.0, "reference_length": 4.0}


def test_closest_reference_is_that_of_bleu() -> None:
    # Of lengths 2 and 4, equally near to 3, the shorter; of 1 and 4 the nearer.
    hypotheses, references = ["a b c", "a b c"], [["a b c d", "a b"], ["a", "a b c d"]]
    result = score("length-ratio", hypotheses, references)
    assert result.segments.tolist() == [1.5, 0.75]
    bleu = BLEU(tokenize="none").corpus_score(hypotheses, [list(refs) for refs in zip(*references, strict=True)])
    assert result.corpus == pytest.approx(bleu.ratio)


def test_mean_of_the_references_lengths() -> None:
    assert score("length-ratio", ["a b c"], [["a b c d", "a b"]], multi="mean").corpus == 1.0


def test_empty_texts_have_a_value_and_are_reported() -> None:
    result = score("length-ratio", ["", "a b", ""], [["a"], [""], [""]])
    assert result.segments.tolist() == [0.0, 2.0, 1.0]
    assert "length-ratio: 2 references are empty" in result.warnings


def test_nearness_is_the_shorter_over_the_longer() -> None:
    hypotheses, references = ["a b c", "a", "", "", "a"], [["a b"], ["a b c d"], [""], ["a"], [""]]
    result = score("length-ratio", hypotheses, references, form="nearness")
    assert result.segments.tolist() == [2 / 3, 1 / 4, 1, 0, 0]
    assert result.corpus == 5 / 7  # five words, seven in the references


@pytest.mark.parametrize("form", ["ratio", "nearness"])
def test_the_nearer_to_1_the_better(form: str) -> None:
    made = metric("length-ratio", form=form)
    assert np.argsort(made.oriented([0.5, 1.0, 0.8])).tolist() == [0, 2, 1]
    assert "|best:1|" in score(made, ["a"], [["a"]]).signature


def test_resamples_are_won_by_the_ratio_nearer_to_1() -> None:
    references = [["a b"]] * 20
    table = score_aligned(["length-ratio"], {"long": ["a b c d"] * 20, "right": ["a b"] * 20}, references)
    assert paired_bootstrap(table, PairedOptions(draws=50)).comparisons[0].won == 1.0
