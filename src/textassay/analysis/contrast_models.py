"""Systems on one scale by values that compare them (preferences, rankings): the mixed model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from textassay.errors import DataError
from textassay.pairwise import Better
from textassay.results import Result
from textassay.stats import ContrastModel, contrast_model

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Values that each compare systems."""

    values: Floats
    rows: Floats
    """Shape (values, systems); each sums to 0."""
    systems: tuple[str, ...]
    participants: Labels
    items: Labels
    covariates: Mapping[str, Floats] = field(default_factory=dict)
    """Such as the side; participants may differ in what they do."""

    @property
    def groupings(self) -> dict[str, Labels]:
        """Whose tastes differ."""
        return {"participant": self.participants, "item": self.items}

    def tell_apart(self, name: str) -> bool:
        """Whether the effect of a covariate is identifiable from those of the systems."""
        both = np.column_stack([self.rows, self.covariates[name]])
        return bool(np.linalg.matrix_rank(both) > np.linalg.matrix_rank(self.rows))


@dataclass(frozen=True)
class ContrastSystems:
    """Systems compared on one criterion; where they cannot be, the reason."""

    of: str
    model: ContrastModel | None = None
    warnings: tuple[str, ...] = ()
    """Without the criterion's name."""

    @property
    def results(self) -> tuple[Result, ...]:
        """The model, if there is one."""
        return () if self.model is None else (self.model,)


def contrast_systems(
    found: Contrasts, *, of: str, better: Better = "none", alpha: float = 0.05, confidence: float = 0.95
) -> ContrastSystems:
    """Whether systems differ, with tastes of participants and of items as random, as far as the data can tell them.

    Args:
        found: Values that compare systems.
        of: What they are called in results.
        better: Which of the values are the better ones.
        alpha: Level at which pairs count as different.
        confidence: Of the intervals.
    """
    if len(found.systems) < 2 or not np.any(found.rows):
        return ContrastSystems(of, warnings=("no mixed model: no two systems are compared",))
    covariates = {name: column for name, column in found.covariates.items() if found.tell_apart(name)}
    said = [f"the {name} is not identifiable from the systems" for name in found.covariates if name not in covariates]
    reasons: dict[str, str] = {}
    for names in (("participant", "item"), ("participant",), ("item",)):
        try:
            model = contrast_model(
                found.values,
                found.rows,
                {name: found.groupings[name] for name in names},
                systems=found.systems,
                covariates=covariates,
                slopes={"participant": list(covariates)} if "participant" in names else {},
                alpha=alpha,
                confidence=confidence,
            )
        except (DataError, np.linalg.LinAlgError) as error:
            reasons.setdefault(str(error), "")
            continue
        why = "; ".join(reasons)
        said += [f"{name}s are taken as they are ({why})" for name in found.groupings if name not in names]
        return ContrastSystems(of, model.about(of, better=better), _prefixed([*said, *model.warnings]))
    return ContrastSystems(of, warnings=_prefixed([*said, f"there is none ({next(iter(reasons))})"]))


def _prefixed(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"mixed model: {text}" for text in dict.fromkeys(texts))
