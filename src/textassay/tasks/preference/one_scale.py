"""All systems on one scale, by three models of who was preferred to whom, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from textassay.analysis.contrast_models import ContrastSystems, contrast_systems
from textassay.errors import DataError
from textassay.results import Result
from textassay.stats import PairedComparison, PreferenceStrength, bradley_terry, preference_strength
from textassay.tasks.preference.answers import Labels, PreferenceArrays, degrees, first_minus_second

CUMULATIVE, LOGISTIC = "cumulative link model", "logistic mixed model"
ONE_ANSWER = "each has one answer only"


@dataclass(frozen=True)
class OneScale:
    """The models of one criterion, as far as they could be fitted."""

    criterion: str
    systems: tuple[str, ...]
    mixed: ContrastSystems
    """Strengths as numbers."""
    strength: PreferenceStrength | None
    """Strengths as ordered degrees; of a plain choice it is the logistic mixed model."""
    wins: PairedComparison | None
    """Who was preferred only."""
    warnings: tuple[str, ...]
    """Without the criterion's name."""

    @property
    def results(self) -> tuple[Result, ...]:
        """In the order of a report."""
        return *self.mixed.results, *(each for each in (self.strength, self.wins) if each is not None)


def one_scale(found: PreferenceArrays, criterion: str, *, alpha: float, confidence: float) -> OneScale:
    """Fit the three models to the comparisons of one criterion.

    Args:
        found: The comparisons.
        criterion: Its name.
        alpha: Level at which pairs count as different.
        confidence: Of all intervals.
    """
    mixed = contrast_systems(found.contrasts, of=criterion, better="higher", alpha=alpha, confidence=confidence)
    said = list(mixed.warnings)
    strength, wins = None, None
    if found.n:
        strength, more = _strength(found, criterion, confidence)
        wins, most = _wins(found, criterion, confidence)
        said += [*more, *most]
    return OneScale(criterion, found.systems, mixed, strength, wins, tuple(dict.fromkeys(said)))


def model_name(model: PreferenceStrength) -> str:
    """What the model of degrees is called: with two of them it is logistic."""
    return LOGISTIC if len(model.categories) == 2 else CUMULATIVE


def _strength(
    found: PreferenceArrays, criterion: str, confidence: float
) -> tuple[PreferenceStrength | None, list[str]]:
    two = found.between_two
    graded, settings = degrees(two(found.values))
    random, said = _tastes(found)
    try:
        model = preference_strength(
            graded,
            two(found.first),
            two(found.second),
            random=random or None,
            left=two(found.left) if found.sides_tell_apart else None,
            confidence=confidence,
        )
    except (DataError, np.linalg.LinAlgError) as error:
        return None, [f"{CUMULATIVE}: there is none ({error})"]
    texts = [f"{model_name(model)}: {text}" for text in (*said, *model.warnings)]
    return replace(model, settings={**model.settings, **settings}).about(criterion), texts


def _tastes(found: PreferenceArrays) -> tuple[dict[str, Labels], list[str]]:
    """Participants and items whose preferences are identifiable."""
    groupings: Mapping[str, Labels] = {"participant": found.participants, "item": found.items}
    kept = {name: found.between_two(labels) for name, labels in groupings.items()}
    sizes = {name: len(set(labels)) for name, labels in kept.items()}
    reasons = {name: "there is one only" if size < 2 else ONE_ANSWER for name, size in sizes.items()}
    used = [name for name, size in sizes.items() if 1 < size < found.n]
    said = [f"{name}s are taken as they are: {reasons[name]}" for name in kept if name not in used]
    return {name: kept[name] for name in used}, said


def _wins(found: PreferenceArrays, criterion: str, confidence: float) -> tuple[PairedComparison | None, list[str]]:
    two = found.between_two
    left, first, second = (two(labels) for labels in (found.left, found.first, found.second))
    other = np.where(left == first, second, first)
    for_left = np.where(left == first, 1.0, -1.0) * np.sign(first_minus_second(two(found.values)))
    try:
        model = bradley_terry(left, other, for_left, order_effect=found.sides_tell_apart, confidence=confidence)
    except DataError as error:
        return None, [f"Bradley–Terry: there is none ({error})"]
    return model.about(criterion), [f"Bradley–Terry: {text}" for text in model.warnings]
