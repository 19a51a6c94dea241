"""BERTScore by the real package with a small BERT of random weights: the adapter's numbers are the package's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textassay_embeddings.bertscore import BertScore
from tiny_models import bert

from textassay.errors import UsageError
from textassay.metrics import score

HYPOTHESES = ["the cat sat", "a dog ran", "it rains today", "mat"]
REFERENCES = [["the cat is on the mat", "the dog"], ["a dog ran"], ["it is today", "rains", "dog"], ["the mat"]]


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bert_score", None)
    with pytest.raises(UsageError, match=r"needs the package bert-score .*; install it with: pip install bert-score"):
        score(BertScore(), ["a"], [["a"]])


@pytest.mark.parametrize(("part", "place"), [("precision", 0), ("recall", 1), ("f1", 2)])
def test_numbers_are_those_of_the_package(part: str, place: int, tmp_path: Path) -> None:
    package = pytest.importorskip("bert_score", reason="needs: pip install bert-score")
    model = str(bert(tmp_path / "bert"))
    found = score(BertScore(model=model, layers=3, part=part, batch=2), HYPOTHESES, REFERENCES)
    peer = package.BERTScorer(model_type=model, num_layers=3, device="cpu")
    assert found.segments == pytest.approx(peer.score(HYPOTHESES, REFERENCES)[place].tolist(), abs=1e-5)
    assert found.segments[1] == pytest.approx(1, abs=1e-5)
    assert f"|part:{part}|" in found.signature
    assert "|model:bert|layers:3|" in found.signature
    assert "|sha256:" in found.signature
    empty = score(BertScore(model=model, layers=3, part=part), [""], [["a cat"]])
    assert (empty.corpus, len(empty.warnings)) == (0.0, 1)


def test_models_that_the_package_cannot_use(tmp_path: Path) -> None:
    pytest.importorskip("bert_score", reason="needs: pip install bert-score")
    with pytest.raises(UsageError, match=r"has no layer for the model .*; name the layer, as in -m bertscore:model="):
        score(BertScore(model=str(bert(tmp_path / "bert"))), ["a"], [["a"]])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="give the folder of a model, or a name that transformers can load"):
        score(BertScore(model=str(tmp_path / "empty"), layers=1), ["a"], [["a"]])
