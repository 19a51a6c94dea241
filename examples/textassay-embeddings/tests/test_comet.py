"""COMET by the real package with small models of random weights: the adapter's numbers are the package's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textassay_embeddings.comet import Comet, CometKiwi
from tiny_models import bert
from tiny_models import comet as tiny_comet

from textassay.errors import UsageError
from textassay.metrics import score

SOURCES = ["the cat", "a dog", "rains"]
HYPOTHESES = ["the cat sat", "a dog ran", "it rains today"]
REFERENCES = [["the cat is on the mat", "the dog"], ["a dog ran"], ["it is today"]]


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "comet", None)
    with pytest.raises(UsageError, match=r"needs the package unbabel-comet .*; install it with: pip install unbabel-"):
        score(Comet(), ["a"], [["a"]], sources=["a"])


def test_numbers_are_those_of_the_package(tmp_path: Path) -> None:
    package = pytest.importorskip("comet", reason="needs: pip install unbabel-comet")
    file = tiny_comet(tmp_path / "comet", bert(tmp_path / "bert"), references=True)
    found = score(Comet(model=str(file), batch=2), HYPOTHESES, REFERENCES, sources=SOURCES)
    pairs = [(0, 0), (0, 1), (1, 0), (2, 0)]
    samples = [{"src": SOURCES[i], "mt": HYPOTHESES[i], "ref": REFERENCES[i][j]} for i, j in pairs]
    peer = package.load_from_checkpoint(str(file)).predict(samples, batch_size=1, gpus=0, progress_bar=False).scores
    assert found.segments == pytest.approx([max(peer[:2]), peer[2], peer[3]], abs=1e-5)
    assert len(set(peer)) == 4
    assert "comet|nrefs:1-2|model:model.ckpt|" in found.signature
    assert "|sha256:" in found.signature


def test_without_references(tmp_path: Path) -> None:
    package = pytest.importorskip("comet", reason="needs: pip install unbabel-comet")
    file = tiny_comet(tmp_path / "kiwi", bert(tmp_path / "bert"), references=False)
    found = score(CometKiwi(model=str(file)), HYPOTHESES, sources=SOURCES)
    samples = [{"src": source, "mt": text} for source, text in zip(SOURCES, HYPOTHESES, strict=True)]
    peer = package.load_from_checkpoint(str(file)).predict(samples, batch_size=1, gpus=0, progress_bar=False).scores
    assert found.segments == pytest.approx(peer, abs=1e-5)


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("comet", reason="needs: pip install unbabel-comet")
    (tmp_path / "model.ckpt").write_bytes(b"")
    with pytest.raises(UsageError, match=r"model.ckpt cannot be loaded .*hparams.yaml.*; give the file of a"):
        score(Comet(model=str(tmp_path / "model.ckpt")), ["a"], [["a"]], sources=["a"])
