"""What is said of metrics and people, and what so few systems do not allow to say."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from textassay.analysis.metric_headlines import metric_headlines
from textassay.meta.correlation import Correlations, MetricAgreement

NAN = math.nan
Found = tuple[str, float, int]


def correlations(level: Any, by: Any, *found: Found, p: float = 0.0123, least: float = 1e-4) -> Correlations:
    made = tuple(
        MetricAgreement(metric, "clarity", "all", value, n, p=p, least_p=least, exact=True)
        for metric, value, n in found
    )
    return Correlations(method="m", level=level, by=by, coefficient="pearson", agreements=made)


FEW = "There are too few systems to tell whether metrics order them as people do (n = 4)."
CLOSEST = (
    "Over 9 systems, none of 2 metrics clearly agrees with people on clarity; the closest is ter: Pearson's r = .900 "
    "(p = .060)."
)
UNTESTED = (
    "Over 9 systems, ter and people on clarity: Pearson's r = .800; there is no p, for which the notes give the reason."
)
WITHIN = "Within 80 items, bleu agrees with people on clarity: mean Pearson's r = .310 (p = .012)."


@pytest.mark.parametrize(
    ("systems", "p", "expected"),
    [
        ([("bleu", 0.9, 4), ("ter", 0.8, 4)], 0.0123, FEW),
        (  # p after Holm
            [("bleu", 0.8, 9), ("ter", 0.9, 9)], 0.0123,
            "Over 9 systems, of 2 metrics ter agrees best with people on clarity: Pearson's r = .900 (p = .025).",
        ),
        (  # significant alone, but not as one of two
            [("bleu", 0.8, 9), ("ter", 0.9, 9)], 0.03,
            CLOSEST,
        ),
        (
            [("bleu", 0.8, 9)], 0.06,
            "Over 9 systems, it is not clear that bleu agrees with people on clarity: Pearson's r = .800 (p = .060).",
        ),
        (
            [("ter", -0.8, 9)], 0.0004,
            "Over 9 systems, ter disagrees with people on clarity: Pearson's r = −.800 (p < .001).",
        ),
        ([("ter", 0.8, 9)], NAN, UNTESTED),
        ([("bleu", NAN, 9)], 0.0123, "No metric has a correlation with people over systems."),
    ],
)  # fmt: skip
def test_metrics(systems: list[Found], p: float, expected: str) -> None:
    results = [
        correlations("segment", "item", ("bleu", 0.31, 80)),
        correlations("segment", None, ("bleu", 0.99, 640)),
        correlations("system", None, *systems, p=p),
    ]
    (found,) = metric_headlines(results, 0.05)
    assert (found.subject, found.text) == ("Metrics and clarity", f"{WITHIN} {expected}")


def test_few_systems_do_not_allow_to_rank_metrics() -> None:
    metrics = [(f"m{n}", n / 20, 8) for n in range(12)]
    results = [
        correlations("segment", "item", *metrics, p=1 / 24, least=1 / 24),
        correlations("system", None, *((name, value, 4) for name, value, _ in metrics), p=1 / 24, least=1 / 24),
    ]
    (found,) = metric_headlines(results, 0.05)
    assert found.text == (
        "Within 8 items, none of 12 metrics clearly agrees with people on clarity; the closest is m11: mean Pearson's "
        "r = .550 (p = .500). With 4 systems the least p is 1/24, and 12 metrics are tested: no metric can be shown to "
        f"agree with people within items. {FEW} With 4 systems no ranking of metrics is possible."
    )


def test_one_text_per_item_leaves_all_texts_to_speak_of() -> None:
    results = [
        correlations("segment", "item", ("bleu", NAN, 0), p=NAN),
        correlations("segment", None, ("bleu", 0.4, 52), p=0.002),
        correlations("system", None, ("bleu", NAN, 1), p=NAN),
    ]
    (found,) = metric_headlines(results, 0.05)
    assert found.text == (
        "Over 52 texts, bleu agrees with people on clarity: Pearson's r = .400 (p = .002). There are too few systems "
        "to tell whether metrics order them as people do (n = 1)."
    )


def test_figures_with_the_reference_are_not_in_key_results() -> None:
    result = correlations("segment", "item", ("bleu", 0.31, 80))
    with_it = MetricAgreement("bleu", "clarity", "all", 0.9, 80, p=0.001, leads=False)
    both = Correlations(
        method="m", level="segment", by="item", coefficient="pearson", agreements=(*result.agreements, with_it)
    )
    (found,) = metric_headlines([both], 0.05)
    assert found.text == WITHIN


def test_interval_ceiling_and_direction_of_the_criterion() -> None:
    one = MetricAgreement(
        "bleu", "errors", "all", 0.31, 80, (0.2, 0.4), "for these systems", 0.81, 0.9, p=0.0123, less_is_better=True
    )
    result = Correlations(method="m", level="segment", by="item", coefficient="pearson", agreements=(one,))
    (found,) = metric_headlines([result], 0.05)
    assert found.text == (
        "Within 80 items, bleu agrees with people on errors (less is better): mean Pearson's r = .310 (p = .012; for "
        "these systems alone, 95 % CI .200 to .400). People's own means are reliable to .810, so no metric can be "
        "expected above .900."
    )
    (found,) = metric_headlines([replace(result, agreements=(replace(one, reliability=0.0, ceiling=0.0),))], 0.05)
    assert "no metric can be expected to agree with them" in found.text


def test_means_over_chosen_items_say_what_to_think_of_them() -> None:
    result = correlations("segment", "item", ("bleu", 0.468, 58), p=NAN)
    (found,) = metric_headlines([replace(result, significant_groups=0.05)], 0.05)
    assert found.text == (
        "Within 58 items with a p ≤ .050 of their own, bleu and people on clarity: mean Pearson's r = .468; choosing "
        "items by their own p makes a metric look better than it is, so there is no p."
    )
