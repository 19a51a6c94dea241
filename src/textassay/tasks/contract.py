"""What a kind of trial has to say of itself.

A task is a folder: `task.py` (this contract), `simulate.py` (its own participant), `sample.py` (answers of many of
them at once, for power), `analysis.py` (its statistics), `view.html` and `view.js` (its page), `messages/` (the words
on it). The rest of the program asks the task and never which task it is. What several tasks share stands beside their
folders.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textassay.design.assignment import Cell, assign
from textassay.design.order import ordered, repeated, spread
from textassay.design.plan import Trial, TrialKind
from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.study.model import AnalysisOptions, BlockSettings

if TYPE_CHECKING:
    import pandas as pd

    from textassay.results import Analysis
    from textassay.study.study import Block, Study
    from textassay.tables.schema import TableSchema
    from textassay.tasks.samples import Sample

Systems = tuple[str, ...]
"""The systems whose texts a trial shows: the condition that an item is shown in."""
Payload = Mapping[str, Any]
"""An answer as the browser sends it and the store keeps it: plain JSON."""
Found = Iterator[tuple[tuple[str | int, ...], str]]
"""What is wrong: path below the part that is checked, and message with remedy."""
SHARED = Path(__file__).parent
"""Where the templates are that the pages of several tasks share."""


@dataclass(frozen=True)
class Played:
    """What a simulated participant does with a trial."""

    payload: Payload
    rt_ms: float


@dataclass(frozen=True)
class Asked:
    """One question of a trial, in words."""

    name: str
    """As in column `criterion`, where the task's table has one."""
    question: str
    answer: str
    """How it can be answered, for example `1 (not at all) to 7 (perfectly), radio buttons`."""


class Player(ABC):
    """A simulated participant of one task; knows the effects that are put in, so that analysis can find them again."""

    @abstractmethod
    def play(self, trial: Trial, position: int) -> Played:
        """Answer one trial as this person would."""

    def again(self, payload: Payload, trial: Trial) -> Payload:
        """The same answer given to another trial, as somebody does who does not look.

        Override it where a payload names things that only its own trial has, such as ids of texts.
        """
        del trial
        return payload


class Task(ABC):
    """A kind of trial: what it asks, what it yields."""

    name: ClassVar[str]
    """Its name in study files."""
    title: ClassVar[str]
    """Its name in prose."""
    Settings: ClassVar[type[BlockSettings]]
    """What a block of this kind may say."""
    schema: ClassVar[TableSchema]
    """The table that its answers become, each column described."""
    block_tables: ClassVar[Mapping[str, TableSchema]] = {}
    """Tables that a block has of its own: key of its settings (a `FilePath`) to what the table holds."""

    @property
    def folder(self) -> Path:
        """Where its page, script and messages are."""
        return Path(inspect.getfile(type(self))).parent

    # --- before the study -------------------------------------------------------------------------------------

    @abstractmethod
    def check(self, block: Block, study: Study) -> Found:
        """What is wrong with the block beyond its form: path below the block, and message with remedy."""

    @abstractmethod
    def seconds(self, block: Block, trial: Trial, study: Study) -> float:
        """About how long the trial takes a person, for the estimate that `check` prints."""

    def checks(self, block: Block) -> Sequence[str]:
        """Items of the block's attention checks, in order."""
        del block
        return ()

    condition: ClassVar[str] = "system"
    """What the block counterbalances over items, in words: a system, a pair of systems …"""

    def conditions(self, block: Block, study: Study) -> Sequence[Systems]:  # noqa: ARG002 -- for tasks that need it
        """What items are shown in: each system by itself, unless the task compares several at once."""
        return [(system,) for system in study.systems]

    def per_slot(self, block: Block, study: Study) -> int:
        """How many main trials one participant has."""
        return block.settings.design.items_per_participant or len(study.items_in_order)

    def slots(self, block: Block, study: Study, slots: int, stream: Stream) -> list[list[Cell[Systems]]]:
        """Who sees what: the block's main trials for each slot, before they are put in order."""
        items, conditions = study.items_in_order, self.conditions(block, study)
        groups = study.groups(block.settings.design.group_by)
        if groups is not None:
            dealt = assign(list(groups), conditions, slots, len(groups), stream.child("assignment"))
            return [[Cell(item, cell.condition) for cell in slot for item in groups[cell.item]] for slot in dealt]
        return assign(items, conditions, slots, self.per_slot(block, study), stream.child("assignment"))

    def drawn(self, block: Block, study: Study, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:  # noqa: ARG002
        """What else is drawn for a trial (which text stands left, in which order units begin), kept in the plan."""
        return {}

    def rests_on(self, block: Block, study: Study) -> object:
        """What of its texts a stored plan rests on, as plain JSON: if that changes, the plan does not fit any more.

        Nothing, for most tasks: texts may be corrected while a study runs.
        """
        del block, study
        return None

    def trials(
        self, block: Block, study: Study, slots: Sequence[Sequence[Cell[Systems]]], stream: Stream
    ) -> list[list[Trial]]:
        """The block's trials for each slot in the order in which they are shown, practice first."""
        items, conditions = study.items_in_order, self.conditions(block, study)
        design = block.settings.design
        planned = []
        for number, main in enumerate(ordered(slots, design.order, items, conditions, stream.child("order"))):
            again = repeated(main, design.repeats, stream.child("repeats", number))
            # Repeats come last: at least half of the trials then lie between the two times.
            shown = [*(_Shown("main", cell) for cell in main), *(_Shown("repeat", cell) for cell in again)]
            checks = [_Shown("check", Cell(item, ())) for item in self.checks(block)]
            numbered = _numbered(block, spread(shown, checks))
            planned.append(self._with_drawn(block, study, numbered, stream.child("drawn", number)))
        return planned

    def _with_drawn(self, block: Block, study: Study, trials: list[Trial], stream: Stream) -> list[Trial]:
        if type(self).drawn is Task.drawn:
            return trials  # a stream for each trial of a large study takes its time
        found = [self.drawn(block, study, Cell(trial.item, trial.systems), stream.child(trial.key)) for trial in trials]
        return [replace(trial, drawn=each) if each else trial for trial, each in zip(trials, found, strict=True)]

    # --- while it runs ----------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
        """What the page template needs. Nothing in it may tell system, condition or right answer."""

    def limit_seconds(self, block: Block) -> float | None:
        """How long a trial may take, counted from its page being opened first; nothing: as long as one likes."""
        del block
        return None

    @abstractmethod
    def read(self, block: Block, trial: Trial, payload: Payload) -> Payload:
        """The answer, checked against the trial and put into its one form.

        Raises:
            AnswerError: with the name of each field that is wrong and the key of the message to show beside it.
        """

    def media(self, block: Block, study: Study) -> Iterable[str]:
        """Files of the study that its pages show, as paths relative to the study directory."""
        del block, study
        return ()

    # --- after it ---------------------------------------------------------------------------------------------

    @abstractmethod
    def rows(self, block: Block, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """The answer as rows of the task's table: its own columns; those of every trial are added by the export."""

    @abstractmethod
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """What was answered in one trial, so that two trials answered alike compare equal."""

    def right_responses(self, block: Block) -> Mapping[str, Hashable]:
        """The response of whoever answers rightly, by item; items that have no right answer are not in it."""
        del block
        return {}

    @abstractmethod
    def outside(self, block: Block, row: Mapping[str, Any]) -> str | None:
        """Why a row cannot be an answer to this block (a value outside the scale …), or nothing."""

    @abstractmethod
    def passed(self, block: Block, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Whether an attention check was answered as it had to be."""

    @abstractmethod
    def asked(self, block: Block) -> Sequence[Asked]:
        """What is asked in a trial, for the codebook and the report."""

    # --- its own participant, its own statistics (imported only when used) ------------------------------------

    def player(self, block: Block, study: Study, number: int, stream: Stream) -> Player:
        """A simulated participant; `number` tells participants apart, effects of systems and items are shared.

        It is `<class of the task>Player` in the task's module `simulate`, made with the same arguments.
        """
        player: Player = getattr(self._module("simulate"), f"{type(self).__name__}Player")(block, study, number, stream)
        return player

    def analyse(
        self, block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame
    ) -> Sequence[Analysis]:
        """The statistics of the block's answers: `analyse` in the task's module `analysis`.

        Args:
            block: The block.
            study: Its study.
            table: Answers of everybody; those of other blocks, which column `block` tells, are ignored.
            participants: Whose column `verdict`, if there is one, says `excluded` is left out of the results.
        """
        found: Sequence[Analysis] = self._module("analysis").analyse(block, study, table, participants)
        return found

    def analyse_table(self, table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
        """The statistics of a table that belongs to no study: `analyse_table` in the task's module `analysis`."""
        found: Sequence[Analysis] = self._module("analysis").analyse_table(table, options)
        return found

    def system_test(self, block: Block, study: Study, table: pd.DataFrame) -> Mapping[str, float]:
        """The p of a quick and valid test that the systems differ, by criterion or measure: what power is asked of.

        It is `system_test` in the task's module `analysis`. Undefined is nan. The first one is what the block is for.
        """
        found: Mapping[str, float] = self._module("analysis").system_test(block, study, table)
        return found

    def sample(self) -> type[Sample]:
        """How all answers are drawn at once, for power: `<class of the task>Sample` in the task's module `sample`.

        Raises:
            UsageError: the task has no such module.
        """
        try:
            found: type[Sample] = getattr(self._module("sample"), f"{type(self).__name__}Sample")
        except ModuleNotFoundError as error:
            if not str(error.name).endswith(".sample"):
                raise
            raise UsageError(f"answers of the task {self.name!r} cannot be drawn: it has no module 'sample'") from None
        return found

    def _module(self, name: str) -> ModuleType:
        """A module of the task's folder; it may need pandas and scipy, and whoever only serves never asks for it."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")

    @abstractmethod
    def judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """The answers as judgements (`participant, item, system, criterion, value`), for metrics against people."""


class _Shown(NamedTuple):
    """What is shown in one place of the order."""

    kind: TrialKind
    cell: Cell[Systems]


def _numbered(block: Block, shown: Sequence[_Shown]) -> list[Trial]:
    """Trials with their places: practice first, counted by itself. Keys tell nothing but the place."""
    name = block.name
    practice = [
        Trial(f"{name}-p{place}", name, "practice", place, item) for place, item in enumerate(block.practice, 1)
    ]
    main = [
        Trial(f"{name}-{place}", name, kind, place, cell.item, cell.condition)
        for place, (kind, cell) in enumerate(shown, 1)
    ]
    return practice + main
