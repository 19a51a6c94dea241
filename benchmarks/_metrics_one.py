"""One pair per call, as in a reward loop, and many at once, on six kinds of text: `one` and `score` against peers.

Losses are printed like gains. sacreBLEU's objects are made once and reused. rouge-score's tokeniser finds no words in
Chinese and Arabic, so that ROUGE is 0 there and the rows show what a call costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import jiwer
from _house import Row, best_of
from _metrics_texts import KINDS
from rapidfuzz.distance import Levenshtein
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER

from textassay.metrics import metric, score

SECONDS = 0.2
"""How long each side is called over and over, at least once."""
Call = Callable[[str, str], float]


def rows() -> Iterator[Row]:
    for kind, texts in KINDS.items():
        pairs = texts()
        for name, settings, peer, theirs in _peers():
            made = metric(name, **settings)
            yield from _one(kind, name, made.one, peer, theirs, pairs, bar=1)
            yield from _one(
                kind,
                f"{name}, score",
                lambda h, r, made=made: score(made, [h], [[r]]).corpus,
                peer,
                theirs,
                pairs,
                bar=0.5,
            )
        yield from _many(kind, pairs)


def _peers() -> Iterator[tuple[str, dict[str, str], str, Call]]:
    """Metric, settings for the peer's numbers, peer, and its call."""
    bleu, chrf, ter = BLEU(effective_order=True), CHRF(), TER()
    yield "bleu", {}, "sacrebleu", lambda h, r: bleu.sentence_score(h, [r]).score
    yield "chrf", {}, "sacrebleu", lambda h, r: chrf.sentence_score(h, [r]).score
    yield "ter", {}, "sacrebleu", lambda h, r: ter.sentence_score(h, [r]).score
    yield "wer", {}, "jiwer", lambda h, r: jiwer.wer(r, h)
    yield "cer", {}, "jiwer", lambda h, r: jiwer.cer(r, h)
    for name, key in (("rouge-1", "rouge1"), ("rouge-2", "rouge2"), ("rouge-l", "rougeL")):
        scorer = rouge_scorer.RougeScorer([key])
        yield (
            name,
            {"tokeniser": "rouge-score"},
            "rouge-score",
            lambda h, r, scorer=scorer, key=key: scorer.score(r, h)[key].fmeasure,
        )


def _one(
    kind: str, name: str, ours: Call, peer: str, theirs: Call, pairs: list[tuple[str, str]], *, bar: float
) -> Iterator[Row]:
    differ = max(abs(ours(*pair) - theirs(*pair)) for pair in pairs[:5])
    note = f"1,000 calls, difference {differ:.0e}"
    yield Row(f"one pair, {kind}: {name}", _per_call(ours, pairs), peer, _per_call(theirs, pairs), bar, note)


def _per_call(call: Call, pairs: list[tuple[str, str]]) -> float:
    """Seconds of 1,000 calls: the best of three rounds."""
    spent = []
    for _ in range(3):
        start, calls = time.perf_counter(), 0
        while calls == 0 or time.perf_counter() - start < SECONDS / 3:
            call(*pairs[calls % len(pairs)])
            calls += 1
        spent.append(1_000 * (time.perf_counter() - start) / calls)
    return min(spent)


def _many(kind: str, pairs: list[tuple[str, str]]) -> Iterator[Row]:
    """All pairs at once where peers are nearest: RapidFuzz in a loop, and a plain loop."""
    hypotheses, references = [h for h, _ in pairs], [[r] for _, r in pairs]
    loops: list[tuple[str, str, Callable[[], object]]] = [
        ("edit-distance", "rapidfuzz", lambda: [Levenshtein.distance(h, r) for h, r in pairs]),
        ("cer", "rapidfuzz", lambda: [Levenshtein.distance(h, r) / len(r) for h, r in pairs]),
        ("wer", "rapidfuzz", lambda: [Levenshtein.distance(h.split(), r.split()) for h, r in pairs]),
        ("exact-match", "plain loop", lambda: [h.split() == r.split() for h, r in pairs]),
    ]
    for name, peer, loop in loops:
        ours = best_of(3, lambda name=name: score(name, hypotheses, references))
        yield Row(f"{len(pairs):,} pairs, {kind}: {name}", ours, peer, best_of(3, loop), 1.0)
