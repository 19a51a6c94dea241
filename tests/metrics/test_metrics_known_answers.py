"""What the original programs print: GTM, ROUGE-1.5.5, mteval-v13a, tercom, sacreBLEU."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from textassay.kernels.choice import VARIABLE
from textassay.metrics import score

Case = dict[str, Any]
CASES: list[Case] = json.loads((Path(__file__).parents[1] / "golden" / "metrics.json").read_text("utf-8"))["cases"]


@pytest.fixture(autouse=True)
def kernels() -> None:
    """Forced by the test itself."""


def one(name: str, case: Case, **settings: Any) -> float:
    return float(score(name, [case["hyp"]], [case.get("refs") or [case["ref"]]], **settings).segments[0])


def gtm(case: Case) -> None:
    for exponent, expected in case["F"].items():
        assert one("gtm", case, exponent=float(exponent)) == pytest.approx(expected, abs=5e-7)


def gtm_corpus(case: Case) -> None:
    hypotheses, references = zip(*case["pairs"], strict=True)
    for exponent, expected in case["F"].items():
        found = score("gtm", hypotheses, [[reference] for reference in references], exponent=float(exponent)).corpus
        assert found == pytest.approx(expected, abs=5e-7)


def mteval(case: Case) -> None:
    references = list(zip(*case["refs"], strict=True))  # the original has one list a reference set
    nist = score("nist", case["hyps"], references)
    assert nist.corpus == pytest.approx(case["nist"], abs=5e-5)
    assert nist.segments == pytest.approx(case["nist_segments"], abs=5e-5)
    bleu = score("bleu", case["hyps"], references, smoothing="none", effective_order="never")
    assert bleu.corpus / 100 == pytest.approx(case["bleu"], abs=5e-5)
    assert bleu.segments / 100 == pytest.approx(case["bleu_segments"], abs=5e-5)


def sentence_bleu(case: Case) -> None:
    settings: dict[str, dict[str, Any]] = {
        "exp": {"smoothing": "exp"},
        "floor 0.1": {"smoothing": "floor"},
        "add-k 1 (n>1)": {"smoothing": "add-k"},
        "none": {"smoothing": "none"},
    }
    for name, expected in case["smooth"].items():
        assert one("bleu", case, **settings[name]) == pytest.approx(expected, abs=5e-5)


def effective_order(case: Case) -> None:
    same = {"hyp": "one two three", "refs": ["one two three"]}
    assert one("bleu", same) == pytest.approx(case["effective_order"], abs=1e-9)
    found = one("bleu", same, effective_order="never", smoothing="none")
    assert found == pytest.approx(case["no_effective_order"], abs=1e-9)


def rouge_s(case: Case) -> None:
    assert one("rouge-s4", case) == pytest.approx(case["S4"], abs=5e-6)
    assert one("rouge-su4", case, mode="1.5.5") == pytest.approx(case["SU4_155"], abs=5e-6)
    assert one("rouge-su4", case, mode="paper") == pytest.approx(case["SU4_paper"], abs=5e-6)


def ter(case: Case) -> None:
    assert one("ter", case) / 100 == pytest.approx(case["ter"], abs=1e-12)


def wer(case: Case) -> None:
    assert one("wer", case) == case["wer"]


ASKED: dict[str, Callable[[Case], None]] = {
    "gtm": gtm,
    "gtm-corpus": gtm_corpus,
    "nist+bleu (mteval-v13a, case kept)": mteval,
    "sentence-bleu (sacreBLEU)": sentence_bleu,
    "sentence-bleu, three equal tokens": effective_order,
    "rouge-s4/su4": rouge_s,
    "rouge-su4": rouge_s,
    "ter": ter,
    "wer": wer,
}


@pytest.mark.parametrize("kernel", ["auto", "python"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["metric"])
def test_originals(case: Case, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    ASKED[case["metric"]](case)
