"""What answers vary between, in words and numbers: whether more participants or more items would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textassay.analysis.contrast_models import ContrastSystems
from textassay.analysis.crossed_model import BOTH, CrossedModel
from textassay.analysis.table_builder import Columns, TableColumn, build_table
from textassay.results import Table
from textassay.stats import MixedModel
from textassay.stats.preferences.contrast_model import TASTE

_WORDS = {
    "participant": "between participants: how high they answer",
    "item": "between items: how high all systems come out",
    "participant × system": "participant × system: who likes which system",
    "item × system": "item × system: which system does well on which item",
    f"{BOTH} × system": "participant × item × system: who likes which text",
    BOTH: "participant × item: who answers high on which item, whatever the system",
    "residual": "what is left: single answers",
}
_BLURS = {
    "participant × system": "participants",
    "item × system": "items",
    f"{BOTH} × system": "items for each participant",
    "residual": "answers",
}
"""What blurs the difference of two systems → more of what makes it clearer."""
_NOTE = (
    "Of the mixed model. Share: of the variance of a single answer. In the difference of two systems only participant "
    "× system, item × system and what is left count; In a difference says how much of its variance each brings, with "
    "as many participants, items and answers as there are: more of what brings most helps most."
)
_OF_BOTH = (
    "Participant × item cancels where a participant sees both systems of an item; where it does not, it counts as what "
    "is left."
)


_OF_CONTRASTS = (
    "An answer compares systems: SD is that of how far a participant, or an item, likes a system more or less than "
    "others do, and counts in an answer for each system in it."
)


@dataclass(frozen=True)
class _Source:
    """One source of variation."""

    name: str
    sd: float
    share: float
    levels: int | None
    blur: float | None
    """Its part in the variance of the difference of two systems; nothing where it cancels."""


def variance_table(models: Sequence[CrossedModel | ContrastSystems], *, of: str = "Criterion") -> Table | None:
    """How much answers vary between participants, items and their combinations with systems.

    Args:
        models: One per measure.
        of: Heading of the measures.

    Returns:
        Nothing where no model was fitted.
    """
    found = {each.of: sources for each in models if (sources := _sources(each))}
    if not found:
        return None
    rows = [(name, source) for name, sources in found.items() for source in sources]
    note = " ".join(
        [
            _NOTE,
            *([_OF_BOTH] if any(source.name == BOTH for _, source in rows) else []),
            *([_OF_CONTRASTS] if any(isinstance(each, ContrastSystems) for each in models) else []),
            *(f"{name}: {_advice(sources)}" for name, sources in found.items()),
        ]
    )
    return build_table("variances", "What answers vary between", _COLUMNS, rows, labels=(of,), note=note)


_COLUMNS: Columns[_Source] = (
    TableColumn("Source", lambda source: _WORDS.get(source.name, source.name)),
    TableColumn("SD", lambda source: source.sd),
    TableColumn("Share", lambda source: source.share),
    TableColumn("Levels", lambda source: source.levels),
    TableColumn("In a difference", lambda source: source.blur),
)


def _sources(given: CrossedModel | ContrastSystems) -> list[_Source]:
    """All sources in the order of `_WORDS`; none where there is no model."""
    if isinstance(given, ContrastSystems):
        return _of_contrasts(given)
    return [] if given.model is None else _of_values(given.model)


def _of_values(model: MixedModel) -> list[_Source]:
    components = {each.group: each for each in model.components}
    levels = {name: each.levels for name, each in components.items()}
    variances = {name: each.variance for name, each in components.items()} | {"residual": model.sigma**2}
    units = {
        "participant × system": float(levels.get("participant", 0)),
        "item × system": float(levels.get("item", 0)),
        "residual": model.n / len(model.coefficients),
    }
    blurs = {name: variances[name] / count for name, count in units.items() if name in variances and count}
    return _listed(variances, variances, levels, blurs)


def _of_contrasts(given: ContrastSystems) -> list[_Source]:
    """Tastes are of single systems: as many of them are in an answer as its contrast is long, two in a difference."""
    if given.model is None or not given.model.converged:
        return []
    variances, answer, levels, blurs = {}, {}, {}, {}
    for each in given.model.components:
        taste = each.name == TASTE
        name = f"{each.group} × {'system' if taste else each.name}"
        variances[name], levels[name] = each.variance, each.levels
        answer[name] = each.variance * (given.squared_length if taste else 1.0)
        if taste:
            blurs[name] = 2 * each.variance / each.levels
    residual = {"residual": given.model.sigma**2}
    return _listed(
        variances | residual, answer | residual, levels, blurs | {"residual": residual["residual"] * given.of_pair}
    )


def _listed(
    variances: Mapping[str, float], answer: Mapping[str, float], levels: Mapping[str, int], blurs: Mapping[str, float]
) -> list[_Source]:
    whole, blurred = sum(answer.values()), sum(blurs.values())
    order = [*(name for name in _WORDS if name in variances), *(name for name in variances if name not in _WORDS)]
    return [
        _Source(
            name,
            variances[name] ** 0.5,
            answer[name] / whole,
            levels.get(name),
            blurs[name] / blurred if name in blurs else None,
        )
        for name in order
    ]


def _advice(sources: Sequence[_Source]) -> str:
    """What would make differences between systems clearer.

    >>> _advice([_Source("item × system", 0.5, 0.2, 40, 0.7), _Source("residual", 1.0, 0.8, None, 0.3)])
    'differences between systems are blurred most by items (70 %), so that more items would help most.'
    """
    blurs = {source.name: source.blur for source in sources if source.blur is not None}
    most = max(blurs, key=lambda name: blurs[name])
    share = f"{100 * blurs[most]:.0f} %"
    if most == "residual":
        return f"differences between systems are blurred most by single answers ({share}): more of any would help."
    return (
        f"differences between systems are blurred most by {_BLURS[most]} ({share}), so that more {_BLURS[most]} would "
        "help most."
    )
