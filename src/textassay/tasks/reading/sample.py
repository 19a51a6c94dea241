"""Reading times for power: (a start-up time + a time for each character) × system × item × text × participant × noise.

The model is that of `simulate.py` with two sources of variation more: single texts are read faster or
slower than those of their system are, and people differ in how much a system slows them down. The standard deviations
are those of the logarithms of all words in Experiment 1 of Grodner and Gibson (2005), 42 people and 16 items, by
R: `lmer(log(rt) ~ condition + (1 | subject) + (1 | item) + (1 | item:condition) + (1 | subject:condition))`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from textassay.seeds import Stream
from textassay.tasks.reading.preparation import prepare
from textassay.tasks.reading.settings import YES_OR_NO, ReadingSettings, choices_of
from textassay.tasks.reading.simulate import CHARACTER_MS, DISTRACTED, RIGHT, RIGHT_LOST, START_MS
from textassay.tasks.samples import EFFECT, Assumption, CrossedFactors, Floats, Sample, spreads

if TYPE_CHECKING:
    import pandas as pd

    from textassay.tasks.contract import Task


SLOWER = 10.0
"""Per cent."""
PARTICIPANT_SD, ITEM_SD, TEXT_SD, LIKING_SD, NOISE_SD = 0.28, 0.02, 0.03, 0.05, 0.38
_WRONG = "—"
"""The answer to a question that has only one choice."""


class ReadingSample(Sample[ReadingSettings]):
    """Times of units, and answers to the questions after them."""

    def __init__(self, task: Task[ReadingSettings], table: pd.DataFrame, assumed: Mapping[str, float]) -> None:
        super().__init__(task, table, assumed)
        self.systems = self.system_codes("system")
        self.is_unit = table["unit"].fillna("").to_numpy() != ""
        self.crossed = CrossedFactors(
            table,
            trial=["participant", "trial"],
            participant=["participant"],
            item=["item"],
            text=["item", "system"],
            liking=["participant", "system"],
        )
        lengths = table["length"].fillna(0).to_numpy(dtype=float)
        # The time to answer a question is never looked at here, so it is left at that of a unit without characters.
        self.plain_ms = START_MS + CHARACTER_MS * lengths
        self.right, self.wrong = self._answers(table)

    @classmethod
    @override
    def assumptions(cls, task: Task[ReadingSettings]) -> Sequence[Assumption]:
        unit = "of the logarithm of a time"
        slower = "how much longer the slowest system takes than the fastest"
        return [
            Assumption(EFFECT, SLOWER, "per cent", slower, 0, 500, 0),
            Assumption("participant_sd", PARTICIPANT_SD, unit, "how much participants differ in pace"),
            Assumption("item_sd", ITEM_SD, unit, "how much items differ, whichever system writes"),
            Assumption("text_sd", TEXT_SD, unit, "how much texts of one system differ beyond their items"),
            Assumption("liking_sd", LIKING_SD, unit, "how much participants differ in what a system costs them"),
            Assumption("noise_sd", NOISE_SD, unit, "what is left from one unit to the next"),
        ]

    @classmethod
    @override
    def pilot_assumptions(cls, task: Task[ReadingSettings], table: pd.DataFrame) -> Mapping[str, float]:
        """From the logarithms of unit times, made ready as the analysis does."""
        units = prepare(table, task.settings.cutoff_sd).units
        # Longer units take longer; that is no noise.
        plain = START_MS + CHARACTER_MS * units["length"].to_numpy(dtype=float)
        times = units["rt_ms"].to_numpy(dtype=float)
        known = times > 0
        return spreads(units.assign(value=np.log(np.where(known, times, 1.0) / plain))[known])

    @override
    def draw(self, stream: Stream) -> Mapping[str, npt.NDArray[Any]]:
        slowness = self._slowness() * self.places(stream)[self.systems]
        sds = {name.removesuffix("_sd"): sd for name, sd in self.assumed.items() if name != EFFECT}
        times = self.plain_ms * (1 + slowness) * np.exp(self.crossed.summed(sds, stream))
        looks_up, how_long = stream.child("distraction").uniforms(2 * len(times)).reshape(2, -1)
        times *= np.where(looks_up < DISTRACTED, 3 + 4 * how_long, 1.0)
        return {"rt_ms": times, **self._answered(slowness, stream)}

    def _slowness(self) -> float:
        """Slowest less fastest system, as a share of the mean of the two."""
        more = self.assumed[EFFECT] / 100
        return 2 * more / (2 + more)

    def _answered(self, slowness: Floats, stream: Stream) -> dict[str, npt.NDArray[Any]]:
        """The columns `correct` and `answer`; a unit's row tells whether all questions of its text were answered so."""
        if self.is_unit.all():
            return {}
        knows = stream.child("answers").uniforms(len(slowness)) < RIGHT - RIGHT_LOST * slowness
        knows |= self.is_unit
        trial = self.crossed.levels["trial"]
        mistakes = np.bincount(trial, weights=~knows)[trial]
        asked = np.bincount(trial, weights=~self.is_unit)[trial] > 0
        correct = np.where(self.is_unit, mistakes == 0, knows).astype(object)
        correct[~asked] = None
        answers = np.where(knows, self.right, self.wrong)
        answers[self.is_unit] = None
        return {"correct": correct, "answer": answers}

    def _answers(self, table: pd.DataFrame) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """A right and a wrong answer to the question of each row."""
        known: dict[tuple[str, str], tuple[str, str]] = {}
        for row in self.task.block.tables.get("questions", ()):
            others = [each for each in choices_of(row) or YES_OR_NO if each != row["correct"]]
            known[row["item"], row["question"]] = (row["correct"], others[0] if others else _WRONG)
        questions = table["question"] if "question" in table else [""] * len(table)
        found = [known.get(key, ("", "")) for key in zip(table["item"], questions, strict=True)]
        right, wrong = zip(*found, strict=True)
        return np.array(right, dtype=object), np.array(wrong, dtype=object)
