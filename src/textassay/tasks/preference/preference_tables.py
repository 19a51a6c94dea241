"""What was found of systems, pairs and sides, as tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from textassay.analysis.system_means import means_figure
from textassay.analysis.wording import slug
from textassay.results import Figure, Table
from textassay.tasks.preference.comparisons import LEAN, MOST_DEGREES
from textassay.tasks.preference.one_scale import CUMULATIVE, LOGISTIC, model_name

if TYPE_CHECKING:
    from textassay.stats import Abilities
    from textassay.tasks.preference.preferences import CriterionPreferences

Row = tuple[object, ...]
PUBLISHED = "one-way ANOVA (published)"
PREFER = {
    "mixed model": "first choice for strengths",
    CUMULATIVE: "where the steps from weak to strong may not be equal",
    LOGISTIC: "first choice for plain choices",
    "Bradley–Terry": "for its scale; its p is right only where everybody answers once",
    PUBLISHED: "beside Belz & Kow (2010) only; not valid",
}
"""Test → when to prefer it."""
PREFER_OF_CHOICES = {**PREFER, "mixed model": "as a check on the logistic one: it takes choices as numbers"}
_SIDES = ("Criterion", "Participants", "Mean", "Low", "High", "For left", "For neither", "For right")


def tables(parts: Sequence[CriterionPreferences], confidence: float) -> tuple[Table, ...]:
    """All of them, the most important first."""
    shown = [tests(parts), scale(parts, confidence), pairs(parts, confidence)]
    return *shown, *([sides(parts, confidence)] if any(part.sides for part in parts) else [])


def tests(parts: Sequence[CriterionPreferences]) -> Table:
    """Every test that systems differ."""
    return Table(
        "tests",
        "Is any system preferred to another?",
        ("Criterion", "Test", "Statistic", "Value", "df 1", "df 2", "p", "When to prefer it"),
        tuple((part.criterion, *row) for part in parts for row in _tests(part)),
        note="Mixed, cumulative link and logistic models give each participant and each item (unless a warning says "
        "otherwise) tastes of its own, so that they hold for others too; each answer counts once. Bradley–Terry (with "
        "Davidson's ties) takes all answers as independent. So does the published analysis, which also counts each "
        "twice. Tests by χ² are rough with fewer than about 20 participants or items.",
    )


def _tests(part: CriterionPreferences) -> Iterator[Row]:
    found, strength, wins = part.scale.mixed.model, part.scale.strength, part.scale.wins
    rows: list[Row] = []
    if found is not None:
        rows.append(("mixed model", "F", found.test.f, *found.test.df, found.test.p))
    if strength is not None:
        rows.append((model_name(strength), "χ²", strength.chi2, strength.df, None, strength.p))
    if wins is not None:
        rows.append(("Bradley–Terry", "χ²", wins.chi2, wins.df, None, wins.p))
    logistic = strength is not None and model_name(strength) == LOGISTIC
    if logistic:
        rows.sort(key=lambda row: row[0] != LOGISTIC)
    published = part.published.variance[0]
    rows.append((PUBLISHED, "F", published.f, *published.df, published.p))
    yield from ((*row, (PREFER_OF_CHOICES if logistic else PREFER)[str(row[0])]) for row in rows)


def scale(parts: Sequence[CriterionPreferences], confidence: float) -> Table:
    """The place of each system."""
    columns = ("Criterion", "System", "n", "Mean score", "Estimate", "Low", "High", "Ordinal", "SE ordinal")
    return Table(
        "scale",
        "All systems on one scale",
        (*columns, "Bradley–Terry", "SE Bradley–Terry"),
        tuple(row for part in parts for row in _places(part)),
        note="Mean score: of all answers about the system, positive where it is preferred; it depends on what it was "
        f"compared with. Estimate: how far it is preferred to the average system in the mixed model, with its "
        f"{confidence * 100:g} % interval. Ordinal: ability in the cumulative link model of strengths in degrees (of "
        f"which there are {MOST_DEGREES} of about equal number to either side, if not fewer), or in the logistic model "
        "of choices; it and Bradley–Terry's are log odds about an average of 0.",
    )


def _places(part: CriterionPreferences) -> Iterator[Row]:
    model = part.scale.mixed.model
    known: Mapping[str, Row] = {} if model is None else {x.name: (x.estimate, *x.ci) for x in model.places}
    scores = {mean.by: mean for mean in part.published.means}
    for system in part.scale.systems:
        score = (scores[system].n, scores[system].mean) if system in scores else (None, None)
        abilities = (*_ability(part.scale.strength, system), *_ability(part.scale.wins, system))
        yield part.criterion, system, *score, *known.get(system, (None, None, None)), *abilities


def _ability(model: Abilities | None, system: str) -> Row:
    if model is None or system not in model.systems:
        return None, None
    found = model.ability(system)
    return found.value, found.se


def pairs(parts: Sequence[CriterionPreferences], confidence: float) -> Table:
    """Every pair of systems, by each method."""
    direct = ("Criterion", "First", "Second", "For 1st", "Neither", "For 2nd", "Mean", "p sign")
    return Table(
        "pairs",
        "All pairs of systems",
        (*direct, "Estimate", "Low", "High", "p", "Significant", "p ordinal", "p published"),
        tuple(row for part in parts for row in _pairs(part)),
        note="For 1st, Neither, For 2nd: answers. Mean: of participants' means, above 0 where the first is preferred. "
        "p sign: each participant counts once (exact sign test, corrected after Holm); items are taken as they are. "
        "Estimate: of the mixed model, from all comparisons that bear on the two; its interval, p and Significant hold "
        f"for all pairs together (Tukey, {confidence * 100:g} %). p ordinal: of the cumulative link (or logistic) "
        "model, corrected after Holm. p published: Tukey's HSD over both signs of all answers, which depend on each "
        "other. A Mean far from its Estimate tells that one scale is not enough.",
    )


def _pairs(part: CriterionPreferences) -> Iterator[Row]:
    model, strength = part.scale.mixed.model, part.scale.strength
    published = part.published.pairs.pairs
    direct = {(x.first, x.second): (x, counts) for x, counts in zip(part.pairs.pairs, part.pairs.answers, strict=True)}
    met = {frozenset(names) for names in direct}
    fitted = () if model is None else model.pairs
    others = [(x.first, x.second) for x in fitted if frozenset((x.first, x.second)) not in met]
    for names in (*direct, *others):
        own = direct.get(names)
        row: Row = (0, 0, 0, None, None) if own is None else (*own[1], own[0].difference, own[0].p)
        found = None if model is None else model.pairs.get(*names)
        estimate: Row = (None, None, None, None, None)
        if found is not None:
            estimate = (found.difference, *found.ci, found.p, found.significant)
        ordinal = None if strength is None else strength.pairs.get(*names)
        yield (
            part.criterion,
            *names,
            *row,
            *estimate,
            *(None if x is None else x.p for x in (ordinal, published.get(*names))),
        )


def sides(parts: Sequence[CriterionPreferences], confidence: float) -> Table:
    """Right against left."""
    return Table(
        "sides",
        "Whether participants lean to one side",
        (*_SIDES, "p", "p mixed model"),
        tuple(row for part in parts for row in _sides(part)),
        note="Means above 0 prefer the text on the right (the second one, on a narrow screen), with "
        f"{confidence * 100:g} % intervals over participants, who count once each; p: exact sign test. Sides are drawn "
        "for each trial: a lean shows here and cancels in pairs.",
    )


def _sides(part: CriterionPreferences) -> Iterator[Row]:
    if part.sides is None:
        return
    model = part.scale.mixed.model
    lean = [each.p for each in model.covariates if each.name == LEAN] if model is not None else []
    mean, test = part.sides.mean, part.sides.test
    counts = (test.below, test.ties, test.above)
    yield part.criterion, mean.n, mean.mean, *mean.ci, *counts, test.p, lean[0] if lean else None


def figure(part: CriterionPreferences, ends: tuple[float, float] | None, confidence: float) -> Figure:
    """The places of the systems; without a model of them, what was preferred in each pair."""
    name, level = f"preferences-{slug(part.criterion)}", f"{confidence * 100:g} % intervals"
    model = part.scale.mixed.model
    if model is None or len(model.systems) < 3:
        note = f"Above 0 the system named first is preferred, below 0 the second. {level} over participants."
        means = part.pairs.means
        title = f"Mean preference on {part.criterion} in each pair"
        return means_figure(name, title, part.criterion, means, ends or (None, None), note)
    groups = [
        {"system": each.name, "mean": each.estimate, "low": each.ci[0], "high": each.ci[1], "n": None}
        for each in model.places
    ]
    return Figure(
        name=name,
        title=f"Preference for each system over the average one on {part.criterion}",
        kind="means",
        data={"criterion": part.criterion, "scale_from": None, "scale_to": None, "groups": groups},
        note=f"Mixed model, in units of the answers, with {level} that hold for other participants and other items.",
    )
