"""Small made-up data that the calls in `tests/contracts/kept_results/` name."""

from __future__ import annotations

from typing import Any

import numpy as np
from people_orders import people_orders, starts_of

X = [3.1, 4.5, 2.2, 5.0, 3.8, 4.4, 2.9, 3.3, 4.5, 1.7]
Y = [2.8, 4.9, 2.2, 4.1, 3.0, 4.6, 2.1, 3.3, 3.9, 2.4]
Z = [1.0, 2.5, 2.0, 3.5, 1.5, 4.0, 3.0, 0.5, 4.5, 2.2]
GROUPS = list("aaaabbbccc")
OTHER = list("uvuvuvuvuv")
TWICE = list("AABBCCDDEE")
RATED = [[1, 2, 3, 4, 2, 5], [1, 3, 3, 4, 1, 4], [2, 2, 4, 5, 2, 4], [1, 3, 2, 4, 3, 5]]
GAPS = [[1, 2, None, 4, 2, 5], [1, 3, 3, None, 1, 4], [2, 2, 4, 5, None, 4], [None, 3, 2, 4, 3, 5]]
PEOPLE = [f"p{p}" for p in range(6) for _ in range(8)]
ITEMS = [f"i{i}" for _ in range(6) for i in range(4) for _ in range(2)]
SYSTEMS = ["one", "two"] * 24
LENGTHS = [float(10 + 3 * i + s) for _ in range(6) for i in range(4) for s in range(2)]
COHORT = ["lay"] * 24 + ["expert"] * 24
_draw = np.random.default_rng(11)
TIMES = [
    round(400 + 40 * p + 15 * i + 30 * s + float(_draw.normal(0, 25)), 1)
    for p in range(6)
    for i in range(4)
    for s in range(2)
]
TRIALS = [n % 8 + 1 for n in range(48)]
RUNS = ["first"] * 24 + ["second"] * 24
STEPS = [int(np.clip(round((time - 380) / 90 + float(_draw.normal(0, 0.7))), 1, 5)) for time in TIMES]
RIGHT = [int(time + _draw.normal(0, 80) > 530) for time in TIMES]
FIRST = ["a", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b"]
SECOND = ["b", "c", "c", "a", "b", "a", "b", "c", "c", "a", "b", "c"]
OUTCOME = [1, 1, 0, -1, -1, -1, 1, 1, 1, -1, 1, 0]
WINS = [[0, 5, 6], [3, 0, 4], [1, 4, 0]]
TIED = [[0, 1, 0], [1, 0, 2], [0, 2, 0]]
STRENGTHS = [2, 1, -1, 0, 2, -2, 1, 1, -1, 0, 2, 1]
JUDGES = list("xxxyyyzzzwww")
RANKINGS = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 1, 3, 4], [1, 3, 2, 4], [4, 3, 1, 2], [1, 2, None, 3]]
SHOWN = [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "b", "c", "e"], ["b", "c", "d", "e"], ["a", "c", "d", "e"]]
CONTRASTS = [[1, -1, 0], [0, 1, -1], [1, 0, -1], [-1, 1, 0]] * 6
LIKED = [1.2, 0.4, 1.9, -0.3, 0.8, 0.9, 1.1, -1.5, 0.2, 0.7, 1.4, -0.6] * 2
LIKED = [round(value + 0.1 * (n % 5), 2) for n, value in enumerate(LIKED)]
WHO = [f"p{n // 4}" for n in range(24)]
WHAT = [f"i{n % 6}" for n in range(24)]
SIDE = [1.0, -1.0, -1.0, 1.0] * 6
HYPOTHESES = [
    "The cat sat on the mat.",
    "A dog, barked loudly; at 3.5 cats!",
    "",
    "the Cats are running\nand they ran home",
    "猫が 好き です",
    "same text",
]
REFERENCES = [
    ["The cat is sitting on a mat.", "on the mat the cat sat"],
    ["the dog barked at cats loudly."],
    ["empty it is"],
    ["cats run.\nThey ran home today. They slept.", "a cat runs home"],
    ["猫が好きです"],
    ["same text", "other text"],
]
ORDERS = [list("bacde"), list("edcba"), list("abcde"), list("acebd")]
RIGHT_ORDERS = [[list("abcde"), list("abdce")], [list("abcde")], [list("abcde")], [list("abcde"), list("ecabd")]]
SHORTER = list("bdae")
BATCH = [[1, 0, 2, 3], [3, 2, 1, 0], [0, 1, 2, 3]]
TEXTS = {
    "one": HYPOTHESES,
    "two": ["The cat is on the mat.", "the dog barked at cats", "it is", "cats ran home", "猫が好き", "other text"],
    "three": ["cat mat", "dogs bark loudly at cats", "empty", "They ran home", "です", "same text"],
}
REORDERED = people_orders(2, people=6, texts=3, n=5, pull=0.4)
STARTS = starts_of(REORDERED)
DISTANCES = [[0, 3, 1, 4, 2], [3, 0, 2, 1, 5], [1, 2, 0, 3, 3], [4, 1, 3, 0, 1], [2, 5, 3, 1, 0]]


def data() -> dict[str, Any]:
    """What the calls name."""
    return {name: value for name, value in globals().items() if name.isupper()}
