"""`zh` is that of sacreBLEU 2.6.0."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from made_up_segments import ADVERSARIAL_TEXT
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from textassay.metrics import score, tokeniser

THEIRS = TokenizerZh()
SIGNS = "我爱北京。，、aB19.,-'&;:/() \u3000\u2000\u2001\u2026\u2a6d\u2a6e\u9fbb\u9fbc\ufa2e\uff01🙂𠀀"
TEXT = st.text(st.sampled_from(SIGNS) | st.characters(exclude_categories=["Cs"]), max_size=25)


@given(TEXT | ADVERSARIAL_TEXT)
@example("他说：“3.5万，e.g. 1990-91。” .5 5. ，")
def test_equals_sacrebleu(text: str) -> None:
    assert tokeniser("zh").words(text) == THEIRS(text.rstrip()).split()


def test_every_character_of_the_plane_is_cut_as_in_sacrebleu() -> None:
    text = "".join(f"a{chr(code)}" for code in range(0x20, 0x11000) if not 0xD800 <= code < 0xE000)
    assert tokeniser("zh").words(text) == THEIRS(text).split()


def test_bleu_equals_sacrebleu() -> None:
    hypotheses, references = (
        ["我爱北京天安门。", "猫在垫子上 3.5 kg"],
        ["我很爱北京的天安门。", "一只猫在垫子上，3.5 kg"],
    )
    ours = score("bleu", hypotheses, [[text] for text in references], tokeniser="zh")
    assert abs(ours.corpus - BLEU(tokenize="zh").corpus_score(hypotheses, [references]).score) < 1e-9
    assert "|tok:zh|" in ours.signature
    assert not any("cut at spaces" in warning for warning in ours.warnings)
