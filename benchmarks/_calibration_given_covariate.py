"""A metric given length: decisions of people who react to the length of texts alone, or to the metric as well.

Each of 36 participants decides on every item after one of its texts (a Latin square). An appropriate action is picked
with logit .4 + effects, an inappropriate one with -1.6 - effects; the effects are those of participant, item, text,
participant × system, system, and of the text's length and relevance, which correlate. P is averaged over the
participants who saw the same text.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
from _calibration import Check
from _calibration_claims import rejects, size_within
from _calibration_theory import ALPHA, FloatArray

from textassay import ready_studies
from textassay.meta.given_covariate import given_covariate
from textassay.rehearsal.power import answered
from textassay.rehearsal.true_effects import property_values, with_true_effects
from textassay.seeds import Stream
from textassay.study.load import load_study
from textassay.study.planning import draw_plan
from textassay.study.study import Study
from textassay.tasks.decision.sample import DecisionSample
from textassay.tasks.samples import EFFECT, resolve_assumptions

_SDS = {"item": 0.4, "text": 0.3, "system": 0.3, "participant": 0.4, "liking": 0.2}
"""In logits; those of `tasks/decision/sample.py`."""
_PARTICIPANTS = 36
_READY = "the ready study g10-decisions, 36 participants, 24 items × 2 texts and a plot"
_NOTHING = {"relevance": 0.0, "length": 0.0, "systems.H": 0.0, "systems.C": 0.0, "systems.G": 0.0}
_BRADLEY = "must not be liberal; Bradley's liberal criterion above, no bound below"
_LINEAR = "known to be liberal where length has a curved effect on P: only its linear effect is taken out"


def checks() -> tuple[Check, ...]:
    """All of this family."""
    null = size_within("given_covariate", high=1.5 * ALPHA, why=_BRADLEY)
    plain = size_within("given_covariate", "without the square", low=ALPHA, high=1, why=_LINEAR)
    seen = size_within("given_covariate", low=0.5, high=1, why="people react to relevance: more often than not")
    alone = "people react to length alone"
    return (
        Check(f"{_texts(24, 2)}; {alone}, .8 logits per SD; relevance r = .6 with length",
              partial(_draw, 24, 2, 0.8, 0.0, 0.6), (null,)),
        Check(f"{_texts(24, 2)}; {alone}, 2 logits per SD; relevance r = .9 with length",
              partial(_draw, 24, 2, 2.0, 0.0, 0.9), (null, plain)),
        Check(f"{_texts(24, 4)}; {alone}, 2 logits per SD; relevance r = .9 with length",
              partial(_draw, 24, 4, 2.0, 0.0, 0.9), (null, plain)),
        Check(f"{_texts(8, 2)}; {alone}, .8 logits per SD; relevance r = .6 with length",
              partial(_draw, 8, 2, 0.8, 0.0, 0.6), (null,)),
        Check(f"{_texts(24, 3)}; a fifth of the cells missing; {alone}, 2 logits per SD; relevance r = .6 with length",
              partial(_draw, 24, 3, 2.0, 0.0, 0.6, missing=0.2), (null,)),
        Check(f"{_READY}; people react to length alone, .48 logits per SD",
              partial(_ready, (("length", 0.8),)), (null,), cost=4),
        Check(f"{_READY}; people react to length alone, 1.2 logits per SD",
              partial(_ready, (("length", 2.0),)), (null,), cost=4),
        Check(f"{_READY}; people react to relevance alone, .48 logits per SD",
              partial(_ready, (("relevance", 0.8),)), (seen,), cost=4),
        Check(f"{_texts(24, 2)}; length .8, relevance .6 logits per SD; r = .6 between them",
              partial(_draw, 24, 2, 0.8, 0.6, 0.6), (seen,)),
    )  # fmt: skip


@cache
def _answered() -> tuple[Study, pd.DataFrame]:
    """The study, and a table of who saw what in it."""
    study = load_study(Path(ready_studies.__file__).parent / "g10-decisions")
    return study, answered(study, draw_plan(study), study.blocks[0])


@cache
def _ready_study(effects: tuple[tuple[str, float], ...]) -> tuple[DecisionSample, FloatArray, FloatArray]:
    """All answers to the study, drawn at once; the relevance and the length of its texts."""
    plain, table = _answered()
    study = with_true_effects(plain, {**_NOTHING, **dict(effects)})
    task = study.blocks[0].task
    assumed = resolve_assumptions(DecisionSample.assumptions(task), {EFFECT: 0.0})
    sample = DecisionSample(task, table, assumed)
    values = property_values(study, ["relevance", "length"])
    grids = (
        [[values[name].get((item, system), np.nan) for system in study.systems] for item in study.items_in_order]
        for name in ("relevance", "length")
    )
    relevance, length = (np.array(grid) for grid in grids)
    return sample, relevance, length


def _ready(effects: tuple[tuple[str, float], ...], random: np.random.Generator) -> list[float]:
    sample, relevance, length = _ready_study(effects)
    drawn = sample.draw(Stream(int(random.integers(2**53)), "given length"))
    chosen = np.array([[action in cell for action in sample.actions] for cell in map(str.split, drawn["chosen"])])
    right, wrong = ((chosen & kind).sum(axis=1) / np.maximum(kind.sum(axis=1), 1) for kind in (sample.good, sample.bad))
    answers = sample.table[["item", "system"]].assign(value=right - wrong)
    means = answers.groupby(["item", "system"])["value"].mean().unstack()
    people = means.loc[list(sample.task.study.items_in_order), list(sample.task.study.systems)].to_numpy()
    return [rejects(given_covariate(people, relevance, length).p)]


def _texts(items: int, systems: int) -> str:
    return f"{_PARTICIPANTS} participants, {items} items × {systems} systems"


def _draw(
    items: int, systems: int, by_length: float, by_relevance: float, together: float, random: np.random.Generator,
    missing: float = 0.0,
) -> list[float]:  # fmt: skip
    length, relevance = _properties(items, systems, together, random)
    people = _performance(by_length * length + by_relevance * relevance, random)
    people[random.random(people.shape) < missing] = np.nan
    forms = (given_covariate(people, relevance, length, curved=curved) for curved in (True, False))
    answers = [rejects(found.p) for found in forms]
    return answers if by_length > 1 and not missing else answers[:1]


def _properties(
    items: int, systems: int, together: float, random: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Lengths, which are lognormal and differ between systems, and relevances from 0 to 1; both standardised."""
    of_item, of_text, apart = random.normal(size=(items, 1)), random.normal(size=(items, systems)), 1.5
    log_length = 0.6 * of_item + 0.8 * of_text + apart * np.linspace(-0.5, 0.5, systems)
    own = random.normal(size=(items, systems))
    latent = together * _standardised(log_length) + np.sqrt(1 - together**2) * own
    return _standardised(np.exp(0.4 * log_length)), _standardised(_logistic(1.2 * latent))


def _performance(of_texts: FloatArray, random: np.random.Generator) -> FloatArray:
    """Mean P of each text over those who saw it."""
    items, systems = of_texts.shape
    shift = (
        of_texts + _SDS["item"] * random.normal(size=(items, 1)) + _SDS["text"] * random.normal(size=(items, systems))
    )
    shift += _SDS["system"] * random.normal(size=systems)
    shown = (np.arange(_PARTICIPANTS)[:, None] + random.permutation(items)) % systems
    liking = _SDS["liking"] * random.normal(size=(_PARTICIPANTS, systems))
    logit = shift[np.arange(items), shown] + np.take_along_axis(liking, shown, axis=1)
    logit += _SDS["participant"] * random.normal(size=(_PARTICIPANTS, 1))
    appropriate, inappropriate = random.integers(1, 5, items), random.integers(0, 5, items)
    right = random.binomial(appropriate, _logistic(0.4 + logit)) / appropriate
    wrong = random.binomial(inappropriate, _logistic(-1.6 - logit)) / np.maximum(inappropriate, 1)
    seen = shown[..., None] == np.arange(systems)
    found: FloatArray = np.sum((right - wrong)[..., None] * seen, axis=0) / seen.sum(axis=0)
    return found


def _standardised(values: FloatArray) -> FloatArray:
    return np.asarray((values - values.mean()) / values.std())


def _logistic(logit: FloatArray) -> FloatArray:
    return np.asarray(1 / (1 + np.exp(-logit)))
