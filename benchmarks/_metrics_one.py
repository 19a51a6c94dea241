"""One pair per call, as in a reward loop, on six kinds of text: `one` and `score` against peers.

Processor time, both sides in turn. Losses are printed like gains. sacreBLEU's objects are made once and reused.
rouge-score's tokeniser finds no words in Chinese and Arabic, so that ROUGE is 0 there and the rows show what a call
costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import jiwer
from _house import Row
from _metrics_texts import KINDS
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF, TER

from textassay.metrics import metric, score

SECONDS = 0.2
"""How long each side is called over and over, at least once a round."""
ROUNDS = 4
Call = Callable[[str, str], float]


def rows() -> Iterator[Row]:
    for kind, (texts, few, _) in KINDS.items():
        pairs = texts(few)
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
    rounds = [(_per_call(ours, pairs), _per_call(theirs, pairs)) for _ in range(ROUNDS)]
    yield Row(f"one pair, {kind}: {name}", min(r[0] for r in rounds), peer, min(r[1] for r in rounds), bar, note)


def _per_call(call: Call, pairs: list[tuple[str, str]]) -> float:
    """Seconds of 1,000 calls."""
    start, calls = time.process_time(), 0
    while calls == 0 or time.process_time() - start < SECONDS / ROUNDS:
        call(*pairs[calls % len(pairs)])
        calls += 1
    return 1_000 * (time.process_time() - start) / calls
