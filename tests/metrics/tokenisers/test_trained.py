"""MeCab and SentencePiece give the words that sacreBLEU 2.6.0 gets of them; what is missing is named."""

from __future__ import annotations

import hashlib
import importlib
import io
import pickle
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest
import sentencepiece
from made_up_segments import made_up_segments
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM

from textassay import catalogue
from textassay.errors import UsageError
from textassay.metrics import metric, score, tokeniser
from textassay.metrics.tokenisers import trained as module

JAPANESE = [
    "猫が庭で寝ています。",
    "昨日は雨が降ったので、家で本を読みました。",
    "東京タワーは333メートルです！",
    "ＡＢＣ\u3000と カナ",
]
KOREAN = [
    "고양이가 마당에서 자고 있습니다.",
    "어제는 비가 와서 집에서 책을 읽었다.",
    "서울 타워는 236.7미터입니다!",
    "한글\u00a0과 abc",
]
OTHERS = ["", " ", "plain English, 3.5.", "🙂 𠀀 é", "\x00a", "a\tb"]


class SpmOf(TokenizerSPM):
    """sacreBLEU's class with a model of ours, where it would download one."""

    def __init__(self, path: str) -> None:
        self.name = "own"
        self.sp = sentencepiece.SentencePieceProcessor()
        self.sp.Load(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model of a few hundred pieces, trained on made-up text."""
    texts = [*JAPANESE, *KOREAN, *(" ".join(text.split()) for text, _ in made_up_segments(200, 5))]
    trained = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(texts), model_writer=trained, vocab_size=400, hard_vocab_limit=False, minloglevel=2
    )
    path = tmp_path_factory.mktemp("models") / "own.model"
    path.write_bytes(trained.getvalue())
    return str(path)


def theirs(name: str) -> Callable[[str], str]:
    path = name.removeprefix("spm:")
    made: dict[str, Callable[[], Callable[[str], str]]] = {"ja-mecab": TokenizerJaMecab, "ko-mecab": TokenizerKoMecab}
    return made[name]() if name in made else SpmOf(path)


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab", "spm"])
@pytest.mark.parametrize("lower", [False, True])
def test_equals_sacrebleu(name: str, lower: bool, model: str) -> None:
    name = f"spm:{model}" if name == "spm" else name
    peer, ours = theirs(name), tokeniser(name, lower=lower)
    texts = [*JAPANESE, *KOREAN, *OTHERS, *(text for text, _ in made_up_segments(60, 4))]
    for text in texts:
        assert ours.words(text) == peer((text.lower() if lower else text).rstrip()).split()
    hypotheses, references = texts[:-1], texts[1:]
    bleu = BLEU(lowercase=lower)
    bleu.tokenizer = peer
    found = score("bleu", hypotheses, [[text] for text in references], tokeniser=name, lowercase=lower)
    assert found.corpus == pytest.approx(bleu.corpus_score(hypotheses, [references]).score, abs=1e-9)
    one = metric("bleu", tokeniser=name, lowercase=lower)
    assert [one.one(*pair) for pair in zip(hypotheses, references, strict=True)] == found.segments.tolist()


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_version_and_dictionary_are_signed_as_sacrebleu_does(name: str) -> None:
    signature = score("bleu", ["a"], [["a"]], tokeniser=name).signature
    peer = BLEU(tokenize=name)
    assert f"|tok:{peer.tokenizer.signature()}|" in signature


def test_model_is_signed_by_the_digest_of_its_file(model: str) -> None:
    digest = hashlib.sha256(Path(model).read_bytes()).hexdigest()[:12]
    assert f"|tok:spm-sha256-{digest}|" in score("bleu", ["a"], [["a"]], tokeniser=f"spm:{model}").signature


def test_all_metrics_with_tokenisers_take_them(model: str) -> None:
    kinds = {name: catalogue.find("metric", name) for name in catalogue.names("metric")}
    with_more = [
        name for name, kind in kinds.items() if any(each.metadata.get("more") for each in fields(kind.Settings))
    ]
    assert len(with_more) > 15
    tokenisers = {
        name for name, kind in kinds.items() if any(each.name == "tokeniser" for each in fields(kind.Settings))
    }
    assert tokenisers - set(with_more) == {"meteor"}  # which is for English
    signed = {"zh": "tok:zh|", "ja-mecab": "tok:ja-mecab-", f"spm:{model}": "tok:spm-sha256-"}
    for name in with_more:
        for chosen, sign in signed.items():
            sources = [f"a|||{text}" for text in JAPANESE]
            found = score(name, JAPANESE, [[text] for text in KOREAN], tokeniser=chosen, sources=sources)
            assert sign in found.signature


def test_metric_can_go_to_another_process(model: str) -> None:
    one = metric("bleu", tokeniser=f"spm:{model}")
    value = one.one(*JAPANESE[:2])
    assert pickle.loads(pickle.dumps(one)).one(*JAPANESE[:2]) == value


def test_half_a_character_is_no_failure(model: str) -> None:
    assert tokeniser("ja-mecab").words("猫\ud800") == tokeniser("ja-mecab").words("猫?")
    assert tokeniser(f"spm:{model}").words("a\ud800") == tokeniser(f"spm:{model}").words("a?")


def test_what_is_wrong_is_said_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, message in (("", "names no file"), (tmp_path / "none", "cannot be read"), (__file__, "is no Sentence")):
        with pytest.raises(UsageError, match=message):
            metric("bleu", tokeniser=f"spm:{path}")
    with pytest.raises(UsageError, match=r"choose one of: 13a, .*, zh, ja-mecab, ko-mecab, spm:FILE; did you mean"):
        metric("bleu", tokeniser="ja-mecap")
    absent = {"MeCab": "ja", "mecab_ko": "ko", "sentencepiece": "sentencepiece"}
    for name in ("trained", "_tagger", "_model"):
        monkeypatch.setattr(module, name, getattr(module, name).__wrapped__)

    def not_installed(name: str) -> SimpleNamespace:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", not_installed)
    for name, missing in (("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko"), (f"spm:{__file__}", "sentencepiece")):
        with pytest.raises(UsageError, match=rf"'{missing}'\); run pip install 'textassay\[{absent[missing]}\]'"):
            module.trained(name)


def test_another_dictionary_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    size = SimpleNamespace(size=5, next=None)
    mecab = SimpleNamespace(Tagger=lambda _: SimpleNamespace(dictionary_info=lambda: size), MECAB_ARGS="")
    monkeypatch.setattr(importlib, "import_module", lambda _: mecab)
    with pytest.raises(UsageError, match="dictionary of 5 entries instead of the 392126 of ipadic"):
        module._tagger.__wrapped__("ja-mecab")
