"""The effects that a rehearsal puts in, worked out for the texts of a study: `simulate:` in the study file.

A property of the texts (length, a metric, a column of numbers) is standardised over the texts that have it and that
participants read; its effect is added to the quality of each text. Texts without a value, such as what is shown as a
plot, keep the quality of their system.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace

from textassay.errors import DataError, UsageError
from textassay.study.model import LARGEST_EFFECT, SimulateOptions
from textassay.study.study import Study
from textassay.study.text_properties import LENGTH, simulate_problems
from textassay.study.true_effects import TrueEffects

OF_SYSTEM = "systems."
"""How the name of an effect begins that is the quality of a system."""

Values = Mapping[tuple[str, str], float]


def with_true_effects(study: Study, given: Mapping[str, float] | None = None) -> Study:
    """The study with the effects that its file asks for; unchanged where it asks for none.

    Args:
        study: The study.
        given: Further effects by name, which replace those of the file; `systems.NAME` is the quality of a system.

    Raises:
        UsageError: a name is unknown, or a value is impossible.
        DataError: a property has no value for any text, or the same for all.
    """
    if study.true_effects != TrueEffects():
        return study  # they have been worked out before
    asked = _asked(study, given or {})
    if not asked.effects and asked.systems is None:
        return study
    named = {**asked.effects, **{f"{OF_SYSTEM}{name}": quality for name, quality in (asked.systems or {}).items()}}
    return replace(study, true_effects=TrueEffects(_of_texts(study, asked.effects), asked.systems, named))


def _asked(study: Study, given: Mapping[str, float]) -> SimulateOptions:
    """What the study file asks for, with what was given in its place."""
    for name, value in given.items():
        if not abs(value) <= LARGEST_EFFECT:
            raise UsageError(f"--effect {name}={value:g}: give a number from -{LARGEST_EFFECT:g} to {LARGEST_EFFECT:g}")
    asked = study.file.simulate
    effects = {name: value for name, value in given.items() if not name.startswith(OF_SYSTEM)}
    systems = {name.removeprefix(OF_SYSTEM): value for name, value in given.items() if name not in effects}
    merged = SimulateOptions(
        effects={**asked.effects, **effects},
        systems={**(asked.systems or {}), **systems} if systems else asked.systems,
    )
    file = study.file.model_copy(update={"simulate": merged})
    for path, message in simulate_problems(replace(study, file=file)):
        raise UsageError(f"--effect {OF_SYSTEM if path[1] == 'systems' else ''}{path[-1]}: {message}")
    return merged


def _of_texts(study: Study, effects: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The sum of the effects of all properties, by item and system."""
    found: dict[tuple[str, str], float] = {}
    values = property_values(study, effects)
    for name, effect in effects.items():
        for key, deviation in _standardised(name, values[name]).items():
            found[key] = found.get(key, 0.0) + effect * deviation
    return found


def property_values(study: Study, names: Collection[str]) -> dict[str, Values]:
    """The values of each property, by item and system, of the texts that participants read."""
    scored = {choice.label or choice.metric for choice in study.file.metrics}
    read = {system for system in study.systems if any(block.task.shows_text(system) for block in study.blocks)}
    found: dict[str, Values] = _scores(study, [name for name in names if name in scored and name != LENGTH])
    for name in names:
        if name == LENGTH:
            found[name] = {key: float(len(text.split())) for key, text in study.texts.items()}
        elif name not in found:
            found[name] = {key: float(rows[0][name]) for key, rows in study.text_rows.items()}
    return {name: {key: value for key, value in its.items() if key[1] in read} for name, its in found.items()}


def _scores(study: Study, names: list[str]) -> dict[str, Values]:
    if not names:
        return {}
    # Imported here: a rehearsal without effects of metrics needs none of it.
    from textassay.analysis.study_scores import score_study, study_metrics, study_references  # noqa: PLC0415
    from textassay.metrics import ScoringOptions  # noqa: PLC0415

    metrics = {name: metric for name, metric in study_metrics(study).items() if name in names}
    found: dict[str, dict[tuple[str, str], float]] = {name: {} for name in names}
    for row in score_study(study, metrics, study_references(study), ScoringOptions()).rows():
        if row["item"] and row["value"] is not None and math.isfinite(row["value"]):
            found[row["metric"]][row["item"], row["system"]] = float(row["value"])
    return dict(found)


def _standardised(name: str, values: Values) -> dict[tuple[str, str], float]:
    n = len(values)
    mean = math.fsum(values.values()) / n if n else math.nan
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values.values()) / n) if n else 0.0
    if not sd > abs(mean) * 1e-12:
        seen = f"is {mean:g} for all {n} texts" if n else "has no value for any text"
        raise DataError(f"simulate.effects.{name}: {name} {seen}, so nobody can react to it; remove this effect")
    return {key: (value - mean) / sd for key, value in values.items()}
