"""Similarity by static embeddings, with small models and with the real one of wordllama."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="a static model needs: pip install tokenizers safetensors")
pytest.importorskip("safetensors", reason="a static model needs: pip install tokenizers safetensors")

from safetensors.numpy import load_file, save_file
from textassay_embeddings.embedding_similarity import EmbeddingSimilarity
from tiny_models import WORDS, static_model

from textassay.errors import UsageError
from textassay.metrics import ScoringOptions, Workers, score, score_aligned

HYPOTHESES = ["the cat sat", "a dog ran", "it rains", "", "dog dog cat"]
REFERENCES = [["the cat sat on the mat", "the dog"], ["a cat"], ["it rains"], ["a cat"], ["", "cat mat"]]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return static_model(tmp_path / "model")


def by_hand(model: Path, one: str, other: str) -> float:
    """The definition, a word at a time."""
    vectors = load_file(model / "model.safetensors")["embeddings"].astype(float)
    a, b = (np.mean([vectors[1 + WORDS.index(word)] for word in text.split()], axis=0) for text in (one, other))
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_cosine_of_mean_vectors_with_the_best_reference(model: Path) -> None:
    found = score(EmbeddingSimilarity(model=str(model)), HYPOTHESES, REFERENCES)
    expected = [
        max(by_hand(model, "the cat sat", reference) for reference in REFERENCES[0]),
        by_hand(model, "a dog ran", "a cat"),
        1.0,
        0.0,  # an empty text is like none
        max(0.0, by_hand(model, "dog dog cat", "cat mat")),
    ]
    assert found.segments == pytest.approx(expected)
    assert found.corpus == pytest.approx(np.mean(expected))
    assert found.warnings == ("embedding-similarity: 2 texts are empty or have an empty reference",)


def test_signature_has_name_and_hash_of_the_model(model: Path, tmp_path: Path) -> None:
    signature = score(EmbeddingSimilarity(model=str(model)), ["a"], [["a"]]).signature
    assert "|model:model|" in signature  # the name, but not the folder of this machine
    same = score(EmbeddingSimilarity(model=str(static_model(tmp_path / "elsewhere"))), ["a"], [["a"]]).signature
    other = score(EmbeddingSimilarity(model=str(static_model(tmp_path / "other", seed=2))), ["a"], [["a"]]).signature
    hashes = [each.partition("|sha256:")[2][:12] for each in (signature, same, other)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_batches_and_processes_change_nothing(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = EmbeddingSimilarity(model=str(model))
    whole = score(metric, HYPOTHESES, REFERENCES).segments
    monkeypatch.setattr(EmbeddingSimilarity, "chunk", 1)
    fresh = EmbeddingSimilarity(model=str(model))
    assert np.array_equal(score(fresh, HYPOTHESES, REFERENCES).segments, whole)
    assert [fresh.one(*pair) for pair in zip(HYPOTHESES, REFERENCES, strict=True)] == whole.tolist()
    copy = pickle.loads(pickle.dumps(fresh))
    assert "loaded" not in vars(copy)
    options = ScoringOptions(workers=Workers(jobs=2))
    there = score_aligned([copy], {"A": HYPOTHESES}, REFERENCES, options=options)
    assert np.array_equal(there.scores["embedding-similarity"]["A"].segments, whole)


def test_each_text_is_embedded_once(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTASSAY_EMBEDDINGS_CACHE", str(tmp_path / "known.db"))
    embedded: list[str] = []
    embed = EmbeddingSimilarity.embed
    monkeypatch.setattr(EmbeddingSimilarity, "embed", lambda self, texts: embedded.extend(texts) or embed(self, texts))
    first = score(EmbeddingSimilarity(model=str(model)), HYPOTHESES, REFERENCES).segments
    assert len(embedded) == len(set(embedded)) == 8  # distinct texts that are not empty
    again = score(EmbeddingSimilarity(model=str(model)), HYPOTHESES, REFERENCES).segments
    assert np.array_equal(first, again)
    assert len(embedded) == 8  # all of them came from the file
    other = score(EmbeddingSimilarity(model=str(static_model(tmp_path / "other", seed=2))), HYPOTHESES, REFERENCES)
    assert len(embedded) == 16  # another model has other vectors
    assert not np.array_equal(first, other.segments)


def test_what_is_missing_is_named_with_the_remedy(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"has no file .*tokenizer.json; give its folder"):
        score(EmbeddingSimilarity(model=str(tmp_path / "none")), ["a"], [["a"]])
    save_file({"a": np.zeros((2, 2)), "b": np.zeros((2, 2))}, model / "model.safetensors")
    with pytest.raises(UsageError, match=r"model.safetensors has 2 tables of vectors; it must have one"):
        score(EmbeddingSimilarity(model=str(model)), ["a"], [["a"]])
    monkeypatch.setattr("textassay_embeddings.embedding_similarity.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="install it with: pip install wordllama"):
        score(EmbeddingSimilarity(), ["a"], [["a"]])
    monkeypatch.setenv("TEXTASSAY_EMBEDDINGS_CACHE", str(tmp_path))
    with pytest.raises(UsageError, match="name another file in TEXTASSAY_EMBEDDINGS_CACHE, or unset it"):
        score(EmbeddingSimilarity(model=str(static_model(tmp_path / "good"))), ["a"], [["a"]])


def test_the_real_model_gives_what_wordllama_gives() -> None:
    wordllama = pytest.importorskip("wordllama", reason="the real model is in: pip install wordllama")
    # By itself it looks for its tokeniser in a folder that the wheel does not have, and then on the web.
    peer = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    pairs = [
        ("A dog barks.", "The hound barks."),
        ("A dog barks.", "tax law"),
        ("Ein Haus am See", "a house by a lake"),
    ]
    pairs += [(f"word {number} {'again ' * number}", "one word") for number in range(30)]
    found = score(EmbeddingSimilarity(), [one for one, _ in pairs], [[other] for _, other in pairs])
    assert found.segments == pytest.approx([peer.similarity(one, other) for one, other in pairs], abs=1e-5)
    assert found.segments[0] > found.segments[1] + 0.5
