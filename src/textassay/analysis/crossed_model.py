"""Linear mixed models with crossed participants and items: the valid answer beside analyses by subjects and items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay.analysis.random_part import GROUPS, RandomPart, of_predictor, of_systems, settled
from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.results import Result
from textassay.stats import MarginalMeans, MixedModel, mixed_model


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

    def rows(self, *, of: str = "", test: str = "mixed model") -> list[tuple[object, ...]]:
        """The test of the systems as a row under `by_subjects_items.RATIOS`, if there is one.

        Args:
            of: What the row calls the measure; by default its name.
            test: What it calls the test.
        """
        if self.model is None:
            return []
        found = self.model.test("system")
        return [(of or self.of, test, found.f, *found.df, found.p, None, None, self.model.n)]


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

    R: `lmer(value ~ system + (1 | participant) + (1 | participant:system) + (1 | item) + (1 | item:system))`.

    Args:
        frame: Columns `participant, item, system` and that of the measure; rows without a value are left out.
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
    return f"mixed model on {', '.join(fixed)}"
