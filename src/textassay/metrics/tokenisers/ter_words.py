"""The words that tercom sees, as sacreBLEU 2.6 cuts them: by white space, if wanted with punctuation parted or dropped.

`no_punctuation` and its like look at one piece without white space at a time. `normalised_western` and its like need
the whole text: a line break before a hyphen joins two pieces, and 's is cut off before a space but not before a tab.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

_WESTERN_PUNCTUATION = '.,?:;!"()'
_ASIAN_PUNCTUATION = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_PUNCTUATION = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
# Chinese characters, strokes, radicals, compatibility forms. The range from U+3200 on is as wide as sacreBLEU has it.
_IDEOGRAPHS = "\u2e80-\u2eff\u31c0-\u31ef\u3200-\u3f22\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_SIGN = re.compile(r"([{-~\[-` -&(-+:-@/])")
_STOP_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_STOP_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")
_ASIAN = re.compile(f"([{_IDEOGRAPHS}{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}])")
_SPACE = re.compile("[ \n]+")

_DROPPED = {ord(sign): None for sign in _WESTERN_PUNCTUATION}
_ASIAN_DROPPED = re.compile(f"[{_ASIAN_PUNCTUATION}{_FULL_WIDTH_PUNCTUATION}]")


def no_punctuation(piece: str) -> list[str]:
    """The piece without Western punctuation.

    >>> no_punctuation("(e.g.),"), no_punctuation("..."), no_punctuation("好。")
    (['eg'], [], ['好。'])
    """
    return piece.translate(_DROPPED).split()


def no_asian_punctuation(piece: str) -> list[str]:
    """The piece without Western, Chinese and Japanese punctuation.

    >>> no_asian_punctuation("好。")
    ['好']
    """
    return _ASIAN_DROPPED.sub("", piece.translate(_DROPPED)).split()


def normalised_western(text: str) -> list[str]:
    r"""Words and signs, entities resolved; full stops and commas inside numbers part nothing.

    >>> normalised_western("the dog's 3.5 &lt; 4, e.g.\n-so")
    ['the', 'dog', "'s", '3.5', '<', '4', ',', 'e', '.', 'g', '.', 'so']
    """
    return [word for part in _parts(text) for word in _normalised(part).split()]


def normalised_asian(text: str) -> list[str]:
    """The same, and Chinese and Japanese ideographs and signs as single words.

    >>> normalised_asian("我爱NLP。")
    ['我', '爱', 'NLP', '。']
    """
    return [word for part in _parts(text) for word in _ASIAN.sub(r" \1 ", _normalised(part)).split()]


def normalised_no_punctuation(text: str) -> list[str]:
    """Like `normalised_western`, then without Western punctuation."""
    return [word for part in _parts(text) for word in no_punctuation(_normalised(part))]


def normalised_no_asian_punctuation(text: str) -> list[str]:
    """Like `normalised_asian`, then without Western, Chinese and Japanese punctuation."""
    return [word for part in _parts(text) for word in no_asian_punctuation(_ASIAN.sub(r" \1 ", _normalised(part)))]


def twice(words: Callable[[str], Sequence[str]], text: str) -> Sequence[str]:
    """The words of the words, as sacreBLEU takes them from references: it tokenises those a second time.

    >>> normalised_western("it's."), twice(normalised_western, "it's.")
    (["it's", '.'], ['it', "'s", '.'])
    """
    return words(" ".join(words(text)))


def _parts(text: str) -> list[str]:
    """The text cut at spaces and line breaks, over which no rule reaches once lines are joined."""
    return _SPACE.split(text.rstrip().replace("\n-", ""))


@lru_cache(maxsize=1 << 15)
def _normalised(part: str) -> str:
    """The part with spaces between its words; remembered, since texts have few different ones."""
    for entity, sign in _ENTITIES:
        part = part.replace(entity, sign)
    part = _SIGN.sub(r" \1 ", f" {part} ")
    part = part.replace("'s ", " 's ")
    part = _STOP_AFTER_NO_DIGIT.sub(r"\1 \2 ", part)
    part = _STOP_BEFORE_NO_DIGIT.sub(r" \1 \2", part)
    return _DASH_AFTER_DIGIT.sub(r"\1 \2 ", part)
