"""What answers vary between, in words and numbers: whether more participants or more items would help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textassay.analysis.crossed_model import BOTH, CrossedModel
from textassay.analysis.table_builder import Columns, TableColumn, build_table
from textassay.results import Table
from textassay.stats import MixedModel

_WORDS = {
    "participant": "between participants: how high they answer",
    "item": "between items: how high all systems come out",
    "participant × system": "participant × system: who likes which system",
    "item × system": "item × system: which system does well on which item",
    BOTH: "participant × item: who answers high on which item, whatever the system",
    "residual": "what is left: single answers",
}
_BLURS = {"participant × system": "participants", "item × system": "items", "residual": "answers"}
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


@dataclass(frozen=True)
class _Source:
    """One source of variation."""

    name: str
    sd: float
    share: float
    levels: int | None
    blur: float | None
    """Its part in the variance of the difference of two systems; nothing where it cancels."""


def variance_table(models: Sequence[CrossedModel], *, of: str = "Criterion") -> Table | None:
    """How much answers vary between participants, items and their combinations with systems.

    Args:
        models: One per measure.
        of: Heading of the measures.

    Returns:
        Nothing where no model was fitted.
    """
    rows = [(each.of, source) for each in models if each.model is not None for source in _sources(each.model)]
    if not rows:
        return None
    texts = (f"{each.of}: {_advice(_sources(each.model))}" for each in models if each.model is not None)
    both = any(source.name == BOTH for _, source in rows)
    note = " ".join([_NOTE, *([_OF_BOTH] if both else []), *texts])
    return build_table("variances", "What answers vary between", _COLUMNS, rows, labels=(of,), note=note)


_COLUMNS: Columns[_Source] = (
    TableColumn("Source", lambda source: _WORDS.get(source.name, source.name)),
    TableColumn("SD", lambda source: source.sd),
    TableColumn("Share", lambda source: source.share),
    TableColumn("Levels", lambda source: source.levels),
    TableColumn("In a difference", lambda source: source.blur),
)


def _sources(model: MixedModel) -> list[_Source]:
    components = {each.group: each for each in model.components}
    levels = {name: each.levels for name, each in components.items()}
    variances = {name: each.variance for name, each in components.items()} | {"residual": model.sigma**2}
    whole = sum(variances.values())
    units = {
        "participant × system": float(levels.get("participant", 0)),
        "item × system": float(levels.get("item", 0)),
        "residual": model.n / len(model.coefficients),
    }
    blurs = {name: variances[name] / count for name, count in units.items() if name in variances and count}
    blurred = sum(blurs.values())
    order = [*(name for name in _WORDS if name in variances), *(name for name in variances if name not in _WORDS)]
    return [
        _Source(
            name,
            variances[name] ** 0.5,
            variances[name] / whole,
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
