"""Many pairs at once, on six kinds of text, against every peer found on PyPI: processor time, both sides in turn.

Every peer is called its fastest documented way. Like most peers, `cer` and `wer` give rates and no more; the rows with
kinds of edits have what takes a second look at each pair, as `corpus_parts` asks for it.
Losses are printed like gains; a peer that is not installed is named. Of slow peers a part is timed, and scaled to all.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
from _house import Row, interleaved
from _metrics_texts import KINDS

from textassay.metrics import TextSegments, metric, score
from textassay.metrics.engine import measure

ROUNDS = 5
ENOUGH = 0.15
"""Seconds that a peer is given for each round."""
HUGE = 500_000
Texts = list[str]
Peer = Callable[[Texts, Texts], object]


def _loop(distance: Callable[[Any, Any], object]) -> Peer:
    return lambda hypotheses, references: list(map(distance, references, hypotheses))


def _words(distance: Callable[[Any, Any], object]) -> Peer:
    return lambda hypotheses, references: list(
        map(distance, (text.split() for text in references), (text.split() for text in hypotheses))
    )


def _sacrebleu(name: str, **settings: Any) -> Callable[[Any], Peer]:
    return lambda made: (
        lambda hypotheses, references: getattr(made, name)(**settings).corpus_score(hypotheses, [references])
    )


def _rouge_score(made: Any) -> Peer:
    scorer = made.RougeScorer(["rouge1", "rouge2", "rougeL"])
    return lambda hypotheses, references: list(map(scorer.score, references, hypotheses))


PEERS: dict[str, list[tuple[str, str, Callable[[Any], Peer]]]] = {
    "edit-distance": [
        ("rapidfuzz", "rapidfuzz.distance.Levenshtein", lambda made: _loop(made.distance)),
        (
            "rapidfuzz cpdist",
            "rapidfuzz",
            lambda made: (
                lambda hyps, refs: made.process.cpdist(
                    hyps, refs, scorer=made.distance.Levenshtein.distance, dtype=np.int32
                )
            ),
        ),
        ("Levenshtein", "Levenshtein", lambda made: _loop(made.distance)),
        ("polyleven", "polyleven", lambda made: _loop(made.levenshtein)),
        ("editdistance", "editdistance", lambda made: _loop(made.eval)),
        ("universal-edit-distance", "universal_edit_distance", lambda made: made.character_edit_distance_array),
    ],
    "cer": [
        ("rapidfuzz", "rapidfuzz.distance.Levenshtein", lambda made: _loop(made.distance)),
        ("jiwer", "jiwer", lambda made: lambda hyps, refs: made.cer(refs, hyps)),
        ("universal-edit-distance", "universal_edit_distance", lambda made: made.character_error_rate_array),
    ],
    "wer": [
        ("rapidfuzz", "rapidfuzz.distance.Levenshtein", lambda made: _words(made.distance)),
        ("jiwer", "jiwer", lambda made: lambda hyps, refs: made.wer(refs, hyps)),
        ("editdistance", "editdistance", lambda made: _words(made.eval)),
        ("fastwer", "fastwer", lambda made: made.score),
        ("kaldialign", "kaldialign", lambda made: _words(made.edit_distance)),
        ("universal-edit-distance", "universal_edit_distance", lambda made: made.word_error_rate_array),
    ],
    "cer with kinds of edits": [
        ("rapidfuzz", "rapidfuzz.distance.Levenshtein", lambda made: _loop(made.opcodes)),
        ("jiwer", "jiwer", lambda made: lambda hyps, refs: made.process_characters(refs, hyps)),
    ],
    "wer with kinds of edits": [
        ("rapidfuzz", "rapidfuzz.distance.Levenshtein", lambda made: _words(made.opcodes)),
        ("jiwer", "jiwer", lambda made: lambda hyps, refs: made.process_words(refs, hyps)),
    ],
    "exact-match": [("plain loop", "builtins", lambda _: _words(lambda first, second: first == second))],
    "bleu": [
        ("sacrebleu", "sacrebleu.metrics", _sacrebleu("BLEU", force=True)),
        ("bleuscore", "bleuscore", lambda made: lambda hyps, refs: made.compute([[text] for text in refs], hyps)),
    ],
    "bleu intl": [("sacrebleu", "sacrebleu.metrics", _sacrebleu("BLEU", tokenize="intl", force=True))],
    "chrf": [("sacrebleu", "sacrebleu.metrics", _sacrebleu("CHRF"))],
    "ter": [("sacrebleu", "sacrebleu.metrics", _sacrebleu("TER"))],
    "rouge-1/2/l": [
        ("rouge-rust", "fast_rouge", lambda made: lambda hyps, refs: made.score_batch_flat(refs, hyps)),
        ("rouge-score", "rouge_score.rouge_scorer", _rouge_score),
    ],
}
"""For each metric of ours: peer, its module, and from the module the call."""


def _ours(name: str, hypotheses: Texts, references: Texts) -> object:
    if name == "rouge-1/2/l":
        chosen = [metric(each, tokeniser="rouge-score") for each in ("rouge-1", "rouge-2", "rouge-l")]
        measured = measure(chosen, TextSegments.checked(hypotheses, references))
        return [one.metric.segment_scores(one.statistics) for one in measured]
    if name == "bleu intl":
        return score("bleu", hypotheses, references, tokeniser="intl")
    if name.endswith(" with kinds of edits"):
        return score(name.partition(" ")[0], hypotheses, references).corpus_parts
    return score(name, hypotheses, references)


def rows() -> Iterator[Row]:
    os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read when a peer in Rust first works
    for kind, (texts, _, many) in KINDS.items():
        pairs = texts(many)
        for name, peers in PEERS.items():
            for peer, module, made in peers:
                yield from _compared(kind, name, peer, module, made, pairs)
    yield from _huge()


def _compared(
    kind: str, name: str, peer: str, module: str, made: Callable[[Any], Peer], pairs: list[tuple[str, str]]
) -> Iterator[Row]:
    what = f"{len(pairs):,} pairs, {kind}: {name}"
    try:
        call = made(import_module(module))
    except ImportError:
        yield Row(what, float("nan"), peer, float("nan"), float("nan"), "not installed")
        return
    hypotheses, references = [text for text, _ in pairs], [text for _, text in pairs]
    few = _affordable(call, hypotheses, references)
    some = (hypotheses[:few], references[:few])
    ours, theirs = interleaved(ROUNDS, lambda: _ours(name, hypotheses, references), lambda: call(*some))
    yield Row(what, ours, peer, theirs * len(pairs) / few, 1.0)


def _affordable(call: Peer, hypotheses: Texts, references: Texts) -> int:
    """How many pairs the peer can do in its time."""
    few = 2
    while few < len(hypotheses):
        start = time.process_time()
        call(hypotheses[:few], references[:few])
        spent = time.process_time() - start
        if spent > ENOUGH / 4:
            return min(len(hypotheses), max(2, int(few * ENOUGH / spent)))
        few *= 4
    return len(hypotheses)


def _huge() -> Iterator[Row]:
    """Two texts of half a million characters: nothing to do with each other, and one character of ten changed."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415

    draw = random.Random(1)
    first, other = ("".join(draw.choices("etaoinshrdlu", k=HUGE)) for _ in range(2))
    near = "".join(each if draw.random() < 0.9 else "x" for each in first)
    for kind, second in (("unrelated", other), ("a tenth changed", near)):
        theirs = interleaved(1, lambda second=second: Levenshtein.distance(first, second))[0]
        for name in ("edit-distance", "cer"):
            ours = interleaved(1, lambda name=name, second=second: _ours(name, [first], [second]))[0]
            yield Row(f"{HUGE:,} characters, {kind}: {name}", ours, "rapidfuzz", theirs, 1.0)
