"""Words as the program tercom 0.10 cuts them, where it differs from sacreBLEU's account of it.

- Only the white space of ASCII parts words: a no-break or an ideographic space is part of one.
- Punctuation is removed (its option `-P`) from the whole text, which is then cut at white space without a look at its
  beginning. So a text that began with a sign and a space begins with an empty word, which counts and which matches
  another one; a text of one sign is one empty word; a text of several signs with spaces between them has no word.
- With `-N` and `-A`, runs of hiragana and of katakana are parted from what is next to them.

White space at the end of a text, of whatever kind, is dropped first, as everywhere in this package.
"""

from __future__ import annotations

import re

EMPTY_WORD = " "
"""Stands for the empty word; no other word has a space."""

_TRIMMED = "".join(map(chr, range(0x21)))
_SPACES = re.compile("[ \t\n\v\f\r]+")
_WESTERN_PUNCTUATION = re.compile(r'[.,?:;!"()]')
_ASIAN_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_PUNCTUATION = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
_PUNCTUATION = re.compile(f"[{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}]")
# Ideographs and their extension A, strokes, radicals, compatibility forms, letters and months in circles.
_IDEOGRAPHS = "\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f\u3200-\u32ff"
_HIRAGANA, _KATAKANA, _KATAKANA_EXTENSIONS = "\u3040-\u309f", "\u30a0-\u30ff", "\u31f0-\u31ff"


def _rules(*rules: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in rules)


_WESTERN = _rules(
    ("<skipped>|-\n", ""),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("^|\\Z", " "),
    (r"([ -&(-+:-@\[-`{-~/])", r" \1 "),
    ("'s ", " 's "),
    (r"([^0-9])([.,])", r"\1 \2 "),
    (r"([.,])([^0-9])", r" \1 \2"),
    ("([0-9])-", r"\1 - "),
)
_ASIAN = _rules(
    (f"([{_IDEOGRAPHS}])", r" \1 "),
    *(
        (f"(^|[^{script}])([{script}]+)(?=[^{script}]|\\Z)", r"\1 \2 ")
        for script in (_HIRAGANA, _KATAKANA, _KATAKANA_EXTENSIONS)
    ),
    (f"([{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}])", r" \1 "),
)


def tercom_words(text: str, *, normalized: bool = False, no_punct: bool = False, asian: bool = False) -> list[str]:
    """The words of a text, with the program's options `-N`, `-P` and `-A`.

    >>> tercom_words('"Well," he said.', no_punct=True), tercom_words('" Well, " he said.', no_punct=True)
    (['Well', 'he', 'said'], [' ', 'Well', 'he', 'said'])
    >>> tercom_words("(so)", no_punct=True, normalized=True), tercom_words("!", no_punct=True)
    ([' ', 'so'], [' '])
    """
    text = text.strip(_TRIMMED)
    if not text:
        return []
    if normalized:
        for pattern, replacement in (*_WESTERN, *_ASIAN) if asian else _WESTERN:
            text = pattern.sub(replacement, text)
        text = _SPACES.sub(" ", text).strip(" ")
    if no_punct:
        text = _WESTERN_PUNCTUATION.sub("", text)
        text = _PUNCTUATION.sub("", text) if asian else text
    first, *others = _SPACES.split(text)
    if not first and others == [""]:
        return []
    return [first or EMPTY_WORD, *filter(None, others)]
