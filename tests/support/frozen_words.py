"""The words of random texts in all of Unicode as one digest: `python3.12 tests/support/frozen_words.py`.

Needs nothing but Python: the tokenisers are loaded without the rest of the package, so that any interpreter can say
whether it finds the same words.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

SOURCE = Path(__file__).parents[2] / "src"
# Signs that make cases: digits and stops, articles, sigma, marks, spaceless scripts, characters since Unicode 14.0.
PICKED = (
    "aAtheTHE19.,,--'€ \n\t½ßİςΣΣ\xad\u0301我爱ก็ำ٣𝟗_\xa8ﬁＡ",
    "\U0001fa77\U0001faf8\U0001f6dc\u0cf3\u0ece\U0001df25\U0001e030\U0001e04f\U0001e08f\U00010efd\U00011f02",
    "\U00011f43\U00011f50\U00031350\u2ffc\u31ef\U0002ebf0\u10fc\ua7f2\uab69\U0001e4ec\U0001d2c5\U0001f774",
    "\u1c89\ua7cb\U000105c9\U00010d50\U000116d0",  # of Unicode 16: not assigned in the frozen version
)


def tokenisers() -> dict[str, Callable[[str], list[str]]]:
    """Every tokeniser that knows classes or case, from the files of this copy of the project."""
    for name in ("textassay", "textassay.metrics", "textassay.metrics.tokenisers"):
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(SOURCE / name.replace(".", "/"))]
            sys.modules[name] = package
    mteval, words, frozen = (
        import_module(f"textassay.metrics.tokenisers.{name}") for name in ("mteval", "words", "frozen_unicode")
    )
    return {
        "intl": mteval.intl,
        "intl_lower": lambda text: mteval.intl(frozen.lower_case(text)),
        "13a": mteval.mteval_13a,
        "unicode_words": words.unicode_words,
        "rouge_score": words.rouge_score,
        "squad": words.squad,
    }


def random_texts(many: int) -> list[str]:
    """The same on every Python: characters of all planes, among signs that make cases."""
    numbers = random.Random(1851)
    picked = "".join(PICKED)
    planes = (0x300, 0x3000, 0x10000, 0x20000, 0x110000)
    texts = []
    for _ in range(many):
        signs = []
        for _ in range(int(numbers.random() * 16)):
            if numbers.random() < 0.6:
                signs.append(picked[int(numbers.random() * len(picked))])
            else:
                code = int(numbers.random() * planes[int(numbers.random() * len(planes))])
                signs.append("?" if 0xD800 <= code < 0xE000 else chr(code))
        texts.append("".join(signs))
    return texts


def digests(many: int) -> dict[str, str]:
    """A digest of all words by each tokeniser."""
    texts = random_texts(many)
    return {
        name: hashlib.sha256("\n".join("\t".join(words(text)) for text in texts).encode()).hexdigest()[:16]
        for name, words in tokenisers().items()
    }


if __name__ == "__main__":
    print(digests(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
