"""The tokenisers of mteval are sacreBLEU's, on whatever text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_up_segments import ADVERSARIAL_TEXT, made_up_segments
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from textassay.metrics import TextSegments, metric, tokeniser
from textassay.metrics.segments import EncodedSegments
from textassay.metrics.tokenisers.mteval import intl, intl_lines, mteval_13a, mteval_13a_lines
from textassay.metrics.tokenisers.registry import TOKENISERS

SIGNS = "aB19.,-'\"&;:/()[]{}~`@#$% \n\t\xa0€?«»ñ—…٣½我"
TEXT = st.lists(
    st.sampled_from(["<skipped>", "&quot;", "&amp;lt;", "-\n", *SIGNS])
    | st.characters(exclude_categories=["Cs", "Cn"]),
    max_size=25,
).map("".join)
LINES = st.lists(TEXT.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("name", "theirs"), [("13a", Tokenizer13a()), ("intl", TokenizerV14International()), ("char", TokenizerChar())]
)
@given(TEXT)
@example('He said: "3.5 million, e.g. in 1990-91." 5. a,,b ..x 1.,2 (50%) $5-a')
def test_equals_sacrebleu(name: str, theirs: Callable[[str], str], text: str) -> None:
    assert tokeniser(name).words(text) == theirs(text.rstrip()).split()  # sacreBLEU strips first, splits in the end


@pytest.mark.parametrize(("many", "one"), [(mteval_13a_lines, mteval_13a), (intl_lines, intl)])
@given(LINES)
def test_many_lines_are_many_times_one(
    many: Callable[[str], str], one: Callable[[str], list[str]], lines: list[str]
) -> None:
    found = many("\n".join(lines)).split("\n")
    assert [line.split() for line in found] == [one(line) for line in lines]


@pytest.mark.parametrize("name", ["13a", "13a-lower", "rouge-score", "unicode-words"])
@given(
    st.lists(
        TEXT.map(lambda text: text.replace("\n", " ")) | st.text("aZ5.,\u212a\u0130\ud800 ", max_size=8), min_size=1
    )
)
@example(["It's 3.5, &amp;lt; OK-5"])
def test_what_is_quick_finds_the_same_words(name: str, lines: list[str]) -> None:
    splitter = TOKENISERS[name]
    assert splitter.quick is not None
    found = splitter.quick("\n".join(lines).encode("utf-8", "surrogatepass"))
    if found is None:  # without the compiled loop, or beyond ASCII
        return
    cut = found.decode("utf-8", "surrogatepass").split("\n")
    assert [line.split() for line in cut] == [list(splitter.words(line)) for line in lines]


# --- The words of TER are those of sacreBLEU 2.6.0's `TercomTokenizer`, in all its settings -------------------------


SETTINGS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), values, strict=True))
    for values in product((False, True), repeat=4)
]
PICKED = [
    *(
        "It's a dog's\tlife, isn't it's?",
        "dog's\r\nbone's \xa0x",
        "end\n-of line\n- x",
        "1,000.5 e.g. .5 5. -5 5-5 5 -",
    ),
    *(
        "&amp;quot; &lt;b&gt; &quot;",
        "a,,b..c,.d",
        "ΟΔΟΣ ΟΔΟΣ. İ",
        "。「好」、さくらサクラㇰ",
        "我爱NLP，真的！㋀㌀︰⺀㇀豈",
    ),
    *("(\u3002)\u3000.\u2028,", "'s", "'s 's\n", "\x1c's\x1d.", "さくら", ""),
]


def words(text: str, **settings: bool) -> tuple[list[str], list[str]]:
    """What the metric compares if the text is hypothesis and reference."""
    encoded: EncodedSegments = metric("ter", **settings)._encoded(TextSegments([text], [[text]]))
    texts = encoded.texts
    bounds = [texts.offsets[number : number + 2] for number in (encoded.hypotheses[0], encoded.references[0])]
    hypothesis, reference = ([texts.words[token] for token in texts.tokens[start:end]] for start, end in bounds)
    return hypothesis, reference


def tercom(text: str, **settings: bool) -> tuple[list[str], list[str]]:
    """What sacreBLEU compares: references go through its tokeniser twice."""
    tokenise = TercomTokenizer(**settings)
    once = tokenise(text.rstrip())
    return once.split(), tokenise(once).split()


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("text", PICKED)
def test_picked_texts(text: str, settings: dict[str, bool]) -> None:
    assert words(text, **settings) == tercom(text, **settings)


@pytest.mark.parametrize("settings", SETTINGS)
def test_made_up_texts(settings: dict[str, bool]) -> None:
    texts = list(chain.from_iterable([hypothesis, *references] for hypothesis, references in made_up_segments(60, 5)))
    assert [words(text, **settings) for text in texts] == [tercom(text, **settings) for text in texts]


@pytest.mark.parametrize("settings", SETTINGS)
@example("a's\u3000b")
@given(ADVERSARIAL_TEXT)
def test_adversarial_texts(settings: dict[str, bool], text: str) -> None:
    assert words(text, **settings) == tercom(text, **settings)


@given(ADVERSARIAL_TEXT)
def test_references_once(text: str) -> None:
    hypothesis, reference = words(text, normalized=True, references_once=True)
    assert hypothesis == reference
