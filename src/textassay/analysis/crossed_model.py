"""Linear mixed models with crossed participants and items: the valid answer beside analyses by subjects and items.

The effect of a system may differ between participants and between items: each participant and each item has a random
effect of its own for each system, all with the same variance (participant × system, item × system). That is what the
repeated-measures analyses assume, and takes two variances however many systems there are. Where participants see
several systems of an item, they may answer higher on some items than others do, whatever the system (participant ×
item): that is common to the systems that are compared, and not part of the error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.results import Result
from textassay.stats import MarginalMeans, MixedModel, VarianceComponent, mixed_model

GROUPS = ("participant", "item")
BOTH = "participant × item"
"""Where participants see several systems of an item."""
ABOUT_MIXED = (
    "The mixed model has participants and items as random, by themselves and with each system, and participant × item "
    "where participants see several systems of an item"
)
_INTERCEPT = "(intercept)"
_SHARED = 0.1
"""Share of texts that are one of several of an item for their participant, from which on participant × item is told."""
NOTHING = 1e-4
"""A standard deviation below this share of the yardstick is none."""
Labels = npt.NDArray[Any]


@dataclass(frozen=True)
class RandomPart:
    """Groupings with random intercepts, and slopes that differ between their levels."""

    groupings: Mapping[str, Labels]
    slopes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    """What is not in it that one would look for, and why."""

    def without(self, gone: Sequence[VarianceComponent], why: str) -> RandomPart:
        """The same without these effects."""
        groups = {each.group for each in gone if each.name == _INTERCEPT}
        sloped = {each.group for each in gone if each.name != _INTERCEPT} | groups
        names = [each.group if each.name == _INTERCEPT else f"{each.name} by {each.group}" for each in gone]
        return RandomPart(
            {name: labels for name, labels in self.groupings.items() if name not in groups},
            {name: terms for name, terms in self.slopes.items() if name not in sloped},
            (*self.said, f"without random effects of {' and '.join(names)}: {why}"),
        )

    def borne_by(self, rarer: int) -> RandomPart:
        """The same without what has more levels than the rarer outcome of a yes and no has cases, which is said."""
        sizes = {name: len(set(labels)) for name, labels in self.groupings.items() if name not in GROUPS}
        gone = [name for name, size in sizes.items() if size > rarer]
        said = [f"without random effects of {' and '.join(gone)}: the rarer outcome has {rarer} cases only"]
        kept = {name: labels for name, labels in self.groupings.items() if name not in gone}
        return replace(self, groupings=kept, said=(*self.said, *said)) if gone else self


def of_systems(known: pd.DataFrame) -> RandomPart:
    """Participants and items, each by itself, with each system, and with each other as far as that can be told."""
    own = {f"{name} × system": (name, (known[name] + " × " + known["system"]).to_numpy()) for name in GROUPS}
    return _told_apart(known, own)


def of_predictor(known: pd.DataFrame, predictor: str) -> RandomPart:
    """Participants and items with slopes of a number, and texts."""
    numbers = {name: int(known.groupby(name)[predictor].nunique().max()) for name in GROUPS}
    # Through two texts of an item goes a line of its own: then its slope says all that is particular to them.
    finer = {} if numbers["item"] == 2 else {"text": ("item", (known["item"] + " × " + known["system"]).to_numpy())}
    part = _told_apart(known, finer)
    varies = [name for name in GROUPS if name in part.groupings and numbers[name] > 1]
    return replace(part, slopes={name: [predictor] for name in varies})


def _told_apart(known: pd.DataFrame, finer: Mapping[str, tuple[str, Labels]]) -> RandomPart:
    """Participants, items and what is finer, as far as the data can tell them from each other and from what is left.

    Participant × item is among them where participants see several systems of an item; otherwise it is part of what is
    left. So it is where texts were drawn at random and a few met by chance: hardly anything would tell them apart.

    Args:
        known: The data.
        finer: Name of a grouping → the one of `GROUPS` within whose levels it lies, and its labels.
    """
    sizes = {name: known[name].nunique() for name in GROUPS}
    used = {name: known[name].to_numpy() for name in GROUPS if 1 < sizes[name] < len(known)}
    used |= {name: labels for name, (base, labels) in finer.items() if 1 < sizes[base] < len(set(labels)) < len(known)}
    systems = known[[*GROUPS, "system"]].drop_duplicates().groupby(list(GROUPS), sort=False).size()
    shared = systems[systems > 1].sum() / systems.sum() if len(systems) else 0.0
    if min(sizes.values()) > 1 and max(sizes.values()) < len(systems) and shared >= _SHARED:
        used[BOTH] = (known["participant"] + " × " + known["item"]).to_numpy()
    said = [
        f"{name} is no random effect ({'there is one only' if sizes[name] < 2 else 'each has one answer only'}): "
        f"nothing is said about other {name}s"
        for name in GROUPS
        if name not in used
    ]
    return RandomPart(used, said=tuple(said))


def apart(known: pd.DataFrame) -> str:
    """Why systems cannot all be compared; empty where they can.

    Systems are compared by the participants, and by the items, that they have in common. Where each participant has one
    system, all are compared between participants, and likewise for items; where each has some, and no chain of them
    leads from one system to another, the two are in different parts, and nothing is said about their difference.

    Args:
        known: Columns `participant, item, system`.
    """
    for unit in GROUPS:
        seen = known[[unit, "system"]].drop_duplicates()
        if seen[unit].is_unique:
            continue
        parts = _connected(seen[unit].to_numpy(), seen["system"].to_numpy())
        if len(parts) > 1:
            named = " | ".join(", ".join(part) for part in parts)
            return f"the design falls into parts that share no {unit} ({named}), and their systems are not compared"
    return ""


def _connected(units: Labels, systems: Labels) -> list[list[str]]:
    """Systems that a chain of units connects, part by part."""
    part: dict[str, list[str]] = {name: [name] for name in dict.fromkeys(systems.tolist())}
    met: dict[str, str] = {}
    for unit, system in zip(units.tolist(), systems.tolist(), strict=True):
        one, other = part[met.setdefault(unit, system)], part[system]
        if one is not other:
            one += other
            part.update(dict.fromkeys(other, one))
    return list({id(each): sorted(each) for each in part.values()}.values())


class _Fitted(Protocol):
    """What every mixed model has."""

    @property
    def components(self) -> tuple[VarianceComponent, ...]: ...

    @property
    def converged(self) -> bool: ...


_Model = TypeVar("_Model", bound=_Fitted)


def settled(
    part: RandomPart, fit: Callable[[RandomPart], _Model], yardstick: Callable[[_Model], float]
) -> tuple[_Model, RandomPart]:
    """The model with as many random effects as the data bear; those of participants and items by themselves stay.

    A variance that the data put at 0 is omitted, which changes no estimate but the degrees of freedom; so is
    everything beyond participants and items where the fit does not converge. Both are said.

    Args:
        part: With everything that one would have in it.
        fit: From a random part to a model.
        yardstick: What the standard deviations of a model are measured by.
    """
    while True:
        model = fit(part)
        gone = [each for each in model.components if each.group not in GROUPS or each.name != _INTERCEPT]
        if model.converged:
            gone = [each for each in gone if not each.sd > NOTHING * yardstick(model)]
        if not gone:
            return model, part
        part = part.without(gone, "their variance is 0" if model.converged else "the fit does not converge with them")


@dataclass(frozen=True)
class CrossedModel:
    """A mixed model of one measure; where it cannot be fitted, the reason."""

    of: str
    model: MixedModel | None
    means: MarginalMeans | None
    """Of the systems; nothing in a regression."""
    warnings: tuple[str, ...]
    """Without the measure's name."""

    @property
    def results(self) -> tuple[Result, ...]:
        """Model and means, as far as there are any."""
        return tuple(result for result in (self.model, self.means) if result is not None)

    @property
    def answer_sd(self) -> float | None:
        """Standard deviation of a single answer, over participants, items and error: what d is measured by."""
        if self.model is None:
            return None
        return math.sqrt(self.model.sigma**2 + sum(each.sd**2 for each in self.model.components))


def crossed_model(
    frame: pd.DataFrame,
    value: str,
    *,
    of: str,
    better: Better = "none",
    alpha: float = 0.05,
    confidence: float = 0.95,
    settings: Mapping[str, Any] | None = None,
) -> CrossedModel:
    """The means of systems with participants and items as random.

    R: `lmer(value ~ system + (1 | participant) + (1 | participant:system) + (1 | item) + (1 | item:system))`, and
    `(1 | participant:item)` where participants see several systems of an item.

    Args:
        frame: Columns `participant, item, system` and that of the measure; rows without a value are omitted.
        value: The measure's column.
        of: What it is called in results.
        better: Which of its values are the better ones.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
        settings: What else the result says about the values, such as a transformation.
    """
    known = known_rows(frame, [value])
    if known["system"].nunique() < 2:
        return CrossedModel(of, None, None, ("there is one system only, so nothing is compared",))
    fixed = {"system": known["system"].to_numpy()}
    if reason := apart(known):
        return CrossedModel(of, None, None, (f"no {_name(fixed)}: {reason}",))
    found = _crossed(known[value].to_numpy(dtype=float), fixed, of_systems(known), of, confidence, settings or {})
    if found.model is None:
        return found
    means = found.model.marginal_means("system", confidence=confidence, alpha=alpha).about(of, better=better)
    said = [f"{_name(fixed)}: {text}" for text in means.warnings]
    return replace(found, means=means, warnings=tuple(dict.fromkeys([*found.warnings, *said])))


def crossed_regression(
    frame: pd.DataFrame,
    value: str,
    predictor: str,
    *,
    of: str,
    confidence: float = 0.95,
    settings: Mapping[str, Any] | None = None,
) -> CrossedModel:
    """The slope of a measure over a property of texts, with participants, items and texts as random.

    R: `lmer(value ~ x + (1 + x || participant) + (1 + x || item) + (1 | text))`, x less its mean.

    Args:
        frame: Columns `participant, item, system`, and those of the measure and the predictor.
        value: The measure's column.
        predictor: The predictor's column; numbers.
        of: What the measure is called in results.
        confidence: Of the intervals.
        settings: What else the result says about the values.
    """
    known = known_rows(frame, [value, predictor])
    x = known[predictor].to_numpy(dtype=float)
    # Less its mean, so that slopes and intercepts may be taken as uncorrelated.
    fixed = {predictor: x - x.mean()}
    random = of_predictor(known, predictor)
    return _crossed(known[value].to_numpy(dtype=float), fixed, random, of, confidence, settings or {})


def known_rows(frame: pd.DataFrame, numbers: Sequence[str]) -> pd.DataFrame:
    """The rows in which these columns hold numbers, with the labels as text."""
    labels = [*GROUPS, "system"]
    known = frame[[*labels, *numbers]].assign(**{name: frame[name].astype(str) for name in labels})
    fit = np.isfinite(known[list(numbers)].to_numpy(dtype=float)).all(axis=1)
    return known[pd.Series(fit, index=known.index)]


def _crossed(
    values: npt.NDArray[np.float64],
    fixed: Mapping[str, npt.NDArray[Any]],
    random: RandomPart,
    of: str,
    confidence: float,
    settings: Mapping[str, Any],
) -> CrossedModel:
    name = _name(fixed)
    if not random.groupings:
        return CrossedModel(of, None, None, (f"no {name}: nobody, and no item, has several answers",))

    def fit(part: RandomPart) -> MixedModel:
        return mixed_model(
            values,
            fixed,
            part.groupings,
            slopes=part.slopes,
            correlated=False,
            factors={"system"} & set(fixed),
            confidence=confidence,
        )

    try:
        model, used = settled(random, fit, lambda fitted: fitted.sigma)
    except DataError as error:
        return CrossedModel(of, None, None, (f"no {name}: {error}",))
    model = replace(model, of=of, settings={**model.settings, **settings})
    warnings = dict.fromkeys([*used.said, *model.warnings])
    return CrossedModel(of, model, None, tuple(f"{name}: {text}" for text in warnings))


def _name(fixed: Mapping[str, object]) -> str:
    return f"mixed model on {', '.join(fixed)}" if fixed else "mixed model"
