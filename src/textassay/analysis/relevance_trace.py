"""Where relevance comes from: which event of which text gives which action how much, in tables, figures and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan

from textassay.analysis.annotated_texts import annotated_texts
from textassay.analysis.relevance_tables import actions_table, events_table, shares_table, systems_table, texts_table
from textassay.analysis.study_scores import relevance_cases, relevance_settings
from textassay.analysis.traced_texts import (
    KINDS,
    USUAL,
    ZERO_PRIORS,
    TracedText,
    mean_of_defined,
    share_in_words,
    traced_texts,
    why_not,
)
from textassay.analysis.wording import list_some, per_cent, slug
from textassay.content.event_marks import EventTones, mark_events
from textassay.content.relevance import RelevanceModel
from textassay.headline import Headline, Sentence, SystemName
from textassay.metrics.relevance_metrics import RelevanceCase, RelevanceSettings
from textassay.results import Analysis, Figure, Record, Result
from textassay.stats import MeanInterval, mean_interval
from textassay.study.study import Study

_EXPLAINED = 3
"""The most texts whose weights are drawn, all about one item."""
_MOST_ITEMS = 60
"""With more items, the squares of a heat map are too small to be seen."""


@dataclass(frozen=True, kw_only=True)
class RelevanceTrace(Result):
    """REL and IRREL of all texts."""

    texts: tuple[TracedText, ...]

    def records(self) -> list[Record]:
        """Both of each text, with how many events count."""
        return [
            self.record(name, text.weights[kind], of=text.item, by=text.system, n=text.counted)
            for text in self.texts
            for name, kind in (("REL", "appropriate"), ("IRREL", "inappropriate"))
        ]


def study_content(study: Study) -> list[Analysis]:
    """What a study's annotated texts say, and the relevance of it; nothing where the study knows neither."""
    known = study.content
    if not known.annotations:
        return []
    cases = relevance_cases(study) if known.relevance is not None else {}
    links = known.relevance.links if known.relevance is not None else ()
    texts = annotated_texts(known.annotations, known.ontology, links, place="details" if cases else "metrics")
    if not cases:
        return [texts]
    return [relevance_trace(cases, relevance_settings(study), confidence=study.file.analysis.confidence), texts]


def relevance_trace(
    cases: Mapping[tuple[str, str], RelevanceCase], settings: RelevanceSettings = USUAL, *, confidence: float = 0.95
) -> Analysis:
    """The trace of relevance of some texts.

    Args:
        cases: Texts with their cases, by item and system; all of one model.
        settings: Those of the metric `relevance`.
        confidence: Of the intervals.
    """
    texts = traced_texts(cases, settings)
    model = texts[0].case.model
    of_systems: dict[str, list[TracedText]] = {}
    for text in texts:
        of_systems.setdefault(text.system, []).append(text)
    means = {
        system: mean_interval(
            [text.rel for text in its if not isnan(text.rel)], confidence=confidence, bounds=(0, 1)
        ).about("REL", system)
        for system, its in of_systems.items()
    }
    chosen = _typical(texts, means)
    tones = EventTones.of([text.case.text for text in texts], model.ontology, model.links)
    sentences = tuple(_sentences(of_systems, means, confidence))
    signed = {"links": ",".join(model.links), **settings.signature_fields()}
    return Analysis(
        name="relevance",
        title="Relevance to actions",
        results=(RelevanceTrace(method="relevance to actions", settings=signed, texts=tuple(texts)), *means.values()),
        tables=(
            systems_table(of_systems, means),
            texts_table(texts),
            events_table(texts),
            shares_table(texts),
            actions_table(model, of_systems),
        ),
        figures=(
            _systems_figure(of_systems, Headline("", sentences[:1]).text),
            *(text_figure(text, tones, _CHOSEN, _longest(chosen)) for text in chosen),
            *_heat_maps(of_systems, model),
        ),
        warnings=tuple(_notes(texts, model, settings)),
        headlines=(Headline("Relevance to actions", sentences),),
        texts=tuple(mark_events(text.case.text, tones, numbered=True) for text in chosen),
        place="metrics",
    )


def _typical(texts: Sequence[TracedText], means: Mapping[str, MeanInterval]) -> list[TracedText]:
    """The texts about the item whose REL is nearest to the means of the systems, the most relevant first."""
    by_item: dict[str, list[TracedText]] = {}
    for text in texts:
        if text.found.defined:
            by_item.setdefault(text.item, []).append(text)
    if not by_item:
        return []
    far = {item: sum(abs(x.rel - means[x.system].mean) for x in its) / len(its) for item, its in by_item.items()}
    typical = min(by_item, key=lambda item: (-len(by_item[item]), far[item]))
    ordered = sorted(by_item[typical], key=lambda text: -text.rel)
    return ordered if len(ordered) <= _EXPLAINED else [*ordered[: _EXPLAINED - 1], ordered[-1]]


_CHOSEN = "The item whose texts come nearest to the means of their systems."


def _sentences(
    of_systems: Mapping[str, Sequence[TracedText]], means: Mapping[str, MeanInterval], confidence: float
) -> Iterator[Sentence]:
    order = sorted((name for name in means if means[name].n), key=lambda name: -means[name].mean)
    if not order:
        yield ("No text references a possible action: there is no relevance to tell of.",)
        return
    first: list[str | SystemName] = ["Of what the texts of "]
    for place, name in enumerate(order):
        ends = means[name].ci
        said = " say" if not place else ""
        interval = "" if isnan(ends[0]) else f" ({per_cent(confidence)} CI {_points(ends[0])} to {_points(ends[1])} %)"
        points = f", {_points(means[name].mean)} % of the weight points to appropriate actions" if not place else ""
        share = points or f" {_points(means[name].mean)} %"
        first += ["" if not place else ", of ", SystemName(name), f"{said}{share}{interval}"]
    yield (*first, ".")
    if len(order) == 2:
        yield from _difference(of_systems[order[0]], of_systems[order[1]], confidence)
    wrong = {name: mean_of_defined([text.weights["inappropriate"] for text in of_systems[name]]) for name in order}
    listed = [piece for name in order for piece in (", ", SystemName(name), f" {_points(wrong[name])} %")]
    yield ("To inappropriate actions: ", *listed[1:], ".")
    without = sum(not text.found.defined for its in of_systems.values() for text in its)
    if without:
        all_of_them = sum(map(len, of_systems.values()))
        have = "has" if without == 1 else "have"
        yield (f"{without} of {all_of_them} texts {have} no value: no event of theirs references a possible action.",)


def _difference(best: Sequence[TracedText], other: Sequence[TracedText], confidence: float) -> Iterator[Sentence]:
    """How much more relevant the texts of one of two systems are, item by item."""
    theirs = {text.item: text.rel for text in other}
    gaps = [text.rel - theirs[text.item] for text in best if text.item in theirs]
    gaps = [gap for gap in gaps if not isnan(gap)]
    if len(gaps) < 2:
        return
    found = mean_interval(gaps, confidence=confidence)
    ends = f"{per_cent(confidence)} CI {_points(found.ci[0])} to {_points(found.ci[1])}"
    clear = "" if found.ci[0] > 0 or found.ci[1] < 0 else ", so that it may be chance"
    yield (
        f"The difference is {_points(found.mean)} points over the {len(gaps)} items that both have ({ends}){clear}.",
    )


def _points(share: float) -> str:
    return f"{100 * share:.0f}".replace("-", "−")


def _notes(texts: Sequence[TracedText], model: RelevanceModel, settings: RelevanceSettings) -> Iterator[str]:
    zero = model.priors.zero
    if zero:
        none = sum(why_not(event, model) == ZERO_PRIORS for text in texts for event in text.found.trace)
        equal = settings.zero_priors == "share-equally"
        alone = "is shared equally among them" if equal else f"does not count ({none} of all events)"
        yield (
            f"actions with the prior 0: {list_some(zero)}; they get nothing where another action shares the event, and "
            f"an event that references only such actions {alone}"
        )
    reasons = [reason for text in texts for event in text.found.trace if (reason := why_not(event, model))]
    for reason in dict.fromkeys(reasons):
        yield f"events that do not count, since {reason}: {reasons.count(reason)}"
    counted = "as many times as it says that it occurred" if settings.cardinality else "once, however often it occurred"
    yield f"an event counts {counted}"


def _systems_figure(of_systems: Mapping[str, Sequence[TracedText]], note: str) -> Figure:
    rows = []
    for system, its in of_systems.items():
        means = {kind: mean_of_defined([text.weights[kind] for text in its]) for kind in KINDS}
        known = {kind: 0.0 if isnan(value) else value for kind, value in means.items()}
        parts = [{"value": value, "kind": kind, "label": f"{_points(value)} %"} for kind, value in known.items()]
        rows.append({"name": system, "parts": parts})
    data = {"rows": rows, "axis": "share of the weight, mean over texts", "systems": True}
    return Figure("relevance-by-system", "What the texts point to", "weights", data, note)


def _longest(texts: Sequence[TracedText]) -> float:
    """The largest weight, so that the bars of several texts can be compared."""
    return max(weight for text in texts for weight in text.found.weights.values())


def text_figure(text: TracedText, tones: EventTones, why: str = "", to: float = 0.0) -> Figure:
    """The weight of each action for one text, made of what its events give.

    Args:
        text: The text.
        tones: They know what types of events are called.
        why: Why this text is shown.
        to: Where the axis ends at least.
    """
    numbered = [(str(place), event) for place, event in enumerate(text.found.trace, 1)]
    rows = []
    for kind in KINDS:
        own = [action for action in text.found.weights if text.kind(action) == kind]
        for action in sorted(own, key=lambda action: -text.found.weights[action]):
            if not text.found.weights[action] and kind == "neutral":
                continue  # an action of which nothing is said, and nothing should be
            parts = [
                {"value": event.shares[action], "kind": kind, "label": number}
                for number, event in numbered
                if action in event.shares
            ]
            rows.append({"name": action, "group": kind, "parts": parts})
    keys = [f"{number} {tones.label(event.type)}" for number, event in numbered if event.shares]
    data = {"rows": rows, "axis": "share of the weight of the text", "keys": keys, "to": to}
    rel, irrel = (share_in_words(text.weights[kind]) for kind in ("appropriate", "inappropriate"))
    note = f"REL {rel}, IRREL {irrel}. Numbers in the bars are the events of the text. {why}".strip()
    name = f"relevance-{slug(text.item)}-{slug(text.system)}"
    return Figure(name, f"{text.item}, {text.system}: what points to which action", "weights", data, note)


def _heat_maps(of_systems: Mapping[str, Sequence[TracedText]], model: RelevanceModel) -> Iterator[Figure]:
    for system, its in of_systems.items():
        known = [text for text in its if text.found.defined]
        used = [action for action in model.actions if any(text.found.weights[action] for text in known)]
        if not 2 <= len(known) <= _MOST_ITEMS:
            continue
        data = {
            "rows": used,
            "columns": [text.item for text in known],
            "values": [[text.found.weights[action] for text in known] for action in used],
            "row_label": "action",
            "column_label": "item",
            "shown": "weight",
        }
        figure = Figure(f"relevance-map-{slug(system)}", f"{system}: weight of actions by item", "heatmap", data)
        yield replace(figure, note="The darker, the more of what the text says points to the action.", detail=True)
