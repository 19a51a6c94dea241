"""Two systems' texts about two cases, with weights that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from annotations import case

from textassay.metrics.relevance_metrics import RelevanceCase

TEXTS = {
    # fall .5: intubate .25, massage .75 of it; rise .5: massage. REL .125, IRREL .875
    ("1", "H"): ("fall rise", ""),
    # a steep fall weighs 3 of 4: intubate .1875, massage .5625; rise .25: massage. REL .1875
    ("1", "C"): ("steep-fall rise", ""),
    # a tube rules to intubate out, so that the fall is about a massage; calm counts for nothing. REL 0, IRREL 1
    ("2", "H"): ("steep-fall calm", "on(tube)"),
    # no event counts: no value
    ("2", "C"): ("calm", ""),
}


def relevance_cases() -> dict[tuple[str, str], RelevanceCase]:
    """By item and system."""
    found = {}
    for (item, system), (events, state) in TEXTS.items():
        given = case(events, state)
        found[item, system] = replace(given, text=replace(given.text, item=item, system=system))
    return found
