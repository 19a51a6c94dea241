"""Pairs of made-up word sequences of which one is the other edited: for tests of distances and of shifts."""

from __future__ import annotations

import random

Pair = tuple[list[int], list[int]]
"""Hypothesis and reference."""


def edited_pair(draw: random.Random, longest: int, words: int) -> Pair:
    """A reference, and the same with blocks in other places and words dropped, changed and added."""
    reference = [draw.randrange(words) for _ in range(draw.randint(0, longest))]
    blocks, start = [], 0
    while start < len(reference):
        end = start + draw.randint(1, 12)
        blocks.append(reference[start:end])
        start = end
    for _ in range(draw.randint(0, 4) if blocks else 0):
        blocks.insert(draw.randrange(len(blocks)), blocks.pop(draw.randrange(len(blocks))))
    kept = [word for block in blocks for word in block if draw.random() > 0.1]
    hypothesis = [draw.randrange(words) if draw.random() < 0.15 else word for word in kept]
    if draw.random() < 0.2:
        hypothesis += [draw.randrange(words) for _ in range(draw.randint(0, longest))]
    return hypothesis, reference
