"""Texts for the comparisons of metrics: made up from a seed, words of natural lengths and frequencies; real German."""

from __future__ import annotations

import csv
import os
import random
import re
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

ENDINGS = ("", "", "", "s", "ed", "ing", "ly", "er", "ation", "ness", "ment", "'s")
LETTERS = "etaoinshrdlucmfwypvbgk"
SHARED = 0.65
"""How much of its words a reference has from the hypothesis, in the same places."""


def vocabulary(draw: random.Random, size: int = 5_000) -> list[str]:
    stems = ("".join(draw.choices(LETTERS, range(22, 0, -1), k=draw.randint(2, 7))) for _ in range(size))
    return [stem + draw.choice(ENDINGS) for stem in stems]


def pairs(words: int, n: int, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """N hypotheses of about that many words, and for each a list of one reference.

    The reference has about two thirds of the words; in every second one two neighbouring parts change places, so
    that shifts matter. Both are sentences with capitals, commas and full stops.
    """
    draw = random.Random(seed)
    known = vocabulary(draw)
    often = list(accumulate(1 / (rank + 3) for rank in range(len(known))))  # Zipf
    hypotheses, references = [], []
    for row in range(n):
        source = draw.choices(known, cum_weights=often, k=draw.randint(int(words * 0.6), int(words * 1.4)))
        kept = [word if draw.random() < SHARED else draw.choice(known) for word in source]
        if row % 2:
            first, second, third = sorted(draw.sample(range(len(kept) + 1), 3))
            kept = kept[:first] + kept[second:third] + kept[first:second] + kept[third:]
        hypotheses.append(sentences(source))
        references.append([sentences(kept)])
    return hypotheses, references


def sentences(words: list[str]) -> str:
    """The words as sentences of twenty, with a comma in the middle."""
    parts = [words[start : start + 20] for start in range(0, len(words), 20)]
    return " ".join(f"{' '.join(part[:9])}, {' '.join(part[9:])}.".capitalize() for part in parts)


GERMAN = (
    "der die das und ein eine ist nicht mit auf für dem den von zu sich im Straße Häuser Übung größer Donaudampfschiff"
)
CHINESE = "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后"
ARABIC = "من في على إلى أن ما هذا التي كان قال بعد كل عن مع بين يوم الناس المدينة الكتاب العربية سنة كبير جديد"


def edited(units: list[str], words: int, n: int, *, joint: str = " ", seed: int = 1) -> list[tuple[str, str]]:
    """N pairs of texts that are made of these units, of which the second changes about a third."""
    draw = random.Random(seed)
    made = []
    for _ in range(n):
        first = draw.choices(units, k=draw.randint(int(words * 0.6), int(words * 1.4)))
        second = [unit if draw.random() < SHARED else draw.choice(units) for unit in first]
        made.append((joint.join(first), joint.join(second)))
    return made


def distinct(words: int, n: int) -> list[tuple[str, str]]:
    """N pairs of texts in which no word comes twice, except that both have every second."""
    made = []
    for row in range(n):
        first = [f"w{row}x{word}" for word in range(words)]
        made.append((" ".join(first), " ".join(word if place % 2 else f"{word}y" for place, word in enumerate(first))))
    return made


def english(words: int, n: int) -> list[tuple[str, str]]:
    hypotheses, references = pairs(words, n, seed=words)
    return [(hypothesis, reference) for hypothesis, (reference,) in zip(hypotheses, references, strict=True)]


def german(n: int) -> list[tuple[str, str]]:
    """N real sentences of translation systems with their reference, where the data are; else sentences of few words."""
    folder = Path(os.environ.get("TEXTASSAY_DATA") or Path(__file__).parents[2] / "shared" / "data")
    path = folder / "mqm-ted-ende" / "mqm_ted_ende.tsv"
    if not path.is_file():
        return edited(GERMAN.split(), 20, n)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts = {(row["system"], row["doc"], row["seg_id"]): re.sub("</?v>", "", row["target"]) for row in rows}
    real = [(text, texts["ref", doc, segment]) for (system, doc, segment), text in texts.items() if system != "ref"]
    return real[:n]


Kind = Callable[[int], list[tuple[str, str]]]
KINDS: dict[str, tuple[Kind, int, int]] = {
    "short": (lambda n: english(7, n), 1_000, 5_000),
    "long": (lambda n: english(390, n), 60, 100),
    "German": (german, 500, 3_000),
    "all distinct": (lambda n: distinct(25, n), 500, 3_000),
    "Chinese": (lambda n: edited(list(CHINESE), 30, n, joint=""), 500, 3_000),
    "Arabic": (lambda n: edited(ARABIC.split(), 20, n), 500, 3_000),
}
"""Kinds of text by name: pairs of a hypothesis and its reference, how many for one per call, and how many at once."""
