"""Small models made on the spot: real files of real packages, with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

LETTERS = [chr(code) for code in range(33, 127)]
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "is", "it", "rains", "today"]


def static_model(folder: Path, seed: int = 1) -> Path:
    """A tokeniser of words and a vector of four numbers for each; the first is for unknown words."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder.mkdir()
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(["?", *WORDS])}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    vectors = np.random.default_rng(seed).normal(size=(len(WORDS) + 1, 4)).astype(np.float32)
    save_file({"embeddings": vectors}, folder / "model.safetensors")
    return folder


def bert(folder: Path) -> Path:
    """A BERT of three layers."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *LETTERS, *(f"##{one}" for one in LETTERS), *WORDS[2:]]
    (folder / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"))
    tokenizer.model_max_length = 64
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    sizes: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4}
    shape = BertConfig(vocab_size=len(pieces), intermediate_size=64, max_position_embeddings=64, **sizes)
    BertModel(shape).save_pretrained(folder)
    return folder


def comet(folder: Path, encoder: Path, *, references: bool) -> Path:
    """A COMET model on top of that BERT; gives its checkpoint."""
    import pytorch_lightning
    import torch
    from comet.models import ReferencelessRegression, RegressionMetric

    kind = RegressionMetric if references else ReferencelessRegression
    torch.manual_seed(2)
    made = kind(
        encoder_model="BERT",
        pretrained_model=str(encoder),
        layer="mix",
        layer_transformation="softmax",
        hidden_sizes=[16],
        dropout=0.0,
        local_files_only=True,
    )
    (folder / "checkpoints").mkdir(parents=True)
    content = {"state_dict": made.state_dict(), "hyper_parameters": dict(made.hparams)}
    file = folder / "checkpoints" / "model.ckpt"
    torch.save({**content, "pytorch-lightning_version": pytorch_lightning.__version__}, file)
    name = "regression_metric" if references else "referenceless_regression_metric"
    (folder / "hparams.yaml").write_text(f"class_identifier: {name}\n", encoding="utf-8")
    return file
