"""What a kind of trial has to say of itself.

A task is a folder: `task.py` (this contract), `simulate.py` (its own participant), `sample.py` (answers of many of
them at once, for power), `analysis.py` (its statistics), `methods.py` (what was done, in sentences), `view.html` and
`view.js` (its page), `messages/` (the words on it). The rest of the program asks the task and never which task it is.
What several tasks share is beside their folders.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from textassay.design.assignment import Cell
from textassay.design.between import Between
from textassay.design.order import choose_repeats, order_cells, spread
from textassay.design.own_plan import OwnPlan
from textassay.design.plan import Trial, TrialKind
from textassay.design.schemes import Dealing, Everyone, GroupRotation, Rotation, Scheme
from textassay.design.strata import Strata
from textassay.errors import UsageError
from textassay.seeds import Stream
from textassay.study.model import AnalysisOptions, BlockSettings, Problems
from textassay.study.own_plan import own_lists
from textassay.tasks.elicitation import Elicitation

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
SettingsT = TypeVar("SettingsT", bound=BlockSettings)
"""The settings of a kind of block."""
SHARED = Path(__file__).parent
"""Where the templates are that the pages of several tasks share."""


@dataclass(frozen=True)
class TrialQuestion:
    """One question of a trial, in words."""

    name: str
    """As in column `criterion`, where the task's table has one."""
    question: str
    answer: str
    """How it can be answered, for example `1 (not at all) to 7 (perfectly), radio buttons`."""
    elicitation: Elicitation | None = None
    """The same in the terms of datasheets; without it, a datasheet leaves that to the researcher."""


@dataclass(frozen=True)
class SimulatedResponse:
    """What a simulated participant answers to a trial, and how long it takes."""

    payload: Payload
    rt_ms: float


class SimulatedParticipant(ABC):
    """A simulated participant of one task; knows the effects that are put in, so that analysis can find them again."""

    @abstractmethod
    def respond(self, trial: Trial, position: int) -> SimulatedResponse:
        """Answer one trial as this person would."""

    def repeat_response(self, payload: Payload, trial: Trial) -> Payload:
        """The same answer given to another trial, as an inattentive participant does.

        Override it where a payload names things that only its own trial has, such as ids of texts.
        """
        del trial
        return payload


class Task(ABC, Generic[SettingsT]):
    """A kind of trial: what it asks, what it yields.

    The class says what holds for every block of this kind, and what can be done with a table that belongs to no study.
    An instance is bound to one block: `block.task` makes it.
    """

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
    error_criteria: ClassVar[frozenset[str]] = frozenset()
    """Criteria of its judgements of which less is better."""

    def __init__(self, block: Block, study: Study) -> None:
        self.block = block
        self.study = study
        self.settings = cast("SettingsT", block.settings)

    # --- of the kind itself -----------------------------------------------------------------------------------

    @classmethod
    def folder(cls) -> Path:
        """Where its page, script and messages are."""
        return Path(inspect.getfile(cls)).parent

    @classmethod
    @abstractmethod
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """The answers as judgements (`participant, item, system, criterion, value`), for metrics against people."""

    def block_judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """The answers to this block as judgements; override it where its settings say which answers count, and how."""
        return self.judgements(table)

    @classmethod
    def analyse_table(cls, table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
        """The statistics of a table that belongs to no study: `analyse_table` in the task's module `analysis`."""
        found: Sequence[Analysis] = cls._module("analysis").analyse_table(table, options)
        return found

    @classmethod
    def sample_class(cls) -> type[Sample[Any]]:
        """How all answers are drawn at once, for power: `<class of the task>Sample` in the task's module `sample`.

        Raises:
            UsageError: the task has no such module.
        """
        try:
            found: type[Sample[Any]] = getattr(cls._module("sample"), f"{cls.__name__}Sample")
        except ModuleNotFoundError as error:
            if not str(error.name).endswith(".sample"):
                raise
            raise UsageError(f"answers of the task {cls.name!r} cannot be drawn: it has no module 'sample'") from None
        return found

    @classmethod
    def _module(cls, name: str) -> ModuleType:
        """A module of the task's folder, imported when used: it may need pandas and scipy, and a server never asks."""
        return import_module(f"{cls.__module__.rpartition('.')[0]}.{name}")

    def shows_text(self, system: str) -> bool:
        """Whether participants read the system's texts; not so where they see a plot or an image instead."""
        del system
        return True

    # --- before the study -------------------------------------------------------------------------------------

    @abstractmethod
    def validate(self) -> Problems:
        """What is wrong with the block beyond its form: path below the block, and message with remedy."""

    def warnings(self) -> Iterable[str]:
        """What does not prevent the block but should be known before the study starts."""
        return ()

    @abstractmethod
    def expected_seconds(self, trial: Trial) -> float:
        """About how long the trial takes a person, for the estimate that `check` prints."""

    def attention_items(self) -> Sequence[str]:
        """Items of the block's attention checks, in order."""
        return ()

    def conditions(self) -> Sequence[Systems]:
        """What items are shown in: each system by itself, unless the task compares several at once."""
        return [(system,) for system in self.study.systems]

    @property
    def condition_label(self) -> str:
        """What the block counterbalances over items, in words: a system, a pair of systems, a set of systems."""
        return "system"

    def judged(self, item: str, systems: Systems) -> Sequence[tuple[str, Systems]]:
        """What gets a judgement of its own in a trial: agreement is measured where several participants judge it."""
        return [(item, systems)]

    def trials_per_participant(self) -> int:
        """How many main trials one participant has."""
        return self.settings.design.items_per_participant or len(self.study.items_in_order)

    def cells(self) -> list[Cell[Systems]]:
        """What there is to be shown: each item in each condition of which all systems have a text for it."""
        texts, every = self.study.texts, product(self.study.items_in_order, self.conditions())
        return [Cell(item, shown) for item, shown in every if all((item, system) in texts for system in shown)]

    def scheme(self) -> Scheme[Systems]:
        """How texts are shared out to participants."""
        design, study, strata = self.settings.design, self.study, self._strata()
        if self.block.plan_rows is not None:
            own = own_lists(self.block.plan_rows, study.systems, self.conditions())
            single = self.condition_label == "system"
            return OwnPlan(own.cells, self.cells() if single else (), in_order=own.ordered or design.order == "fixed")
        if design.everyone is not None:
            return Everyone(self.cells())
        if design.between is not None:
            return Between(self.cells(), design.items_per_participant, strata)
        if design.judgements_per_text is not None:
            size = design.texts_per_participant or 1
            return Dealing(self.cells(), design.judgements_per_text, size, design.items_twice, strata)
        groups = study.groups(design.group_by)
        if groups is not None:
            return GroupRotation(groups, self.conditions(), strata)
        return Rotation(study.items_in_order, self.conditions(), self.trials_per_participant(), strata)

    def _strata(self) -> Strata | None:
        column = self.settings.design.stratify
        groups = self.study.groups(column) or {}
        return (
            None if column is None else Strata(column, {item: name for name, items in groups.items() for item in items})
        )

    def assign(self, slots: int, stream: Stream) -> list[list[Cell[Systems]]]:
        """Who sees what: the block's main trials for each slot, before they are put in order."""
        return self.scheme().assign(slots, stream.child("assignment"))

    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:  # noqa: ARG002 -- for tasks that need it
        """What else is drawn for a trial (which text is on the left, in which order units begin), kept in the plan."""
        return {}

    def plan_inputs(self) -> object:
        """What of its texts a stored plan depends on, as plain JSON: if that changes, the plan does not fit any more.

        Nothing, for most tasks: texts may be corrected while a study runs.
        """
        return None

    def trials(self, slots: Sequence[Sequence[Cell[Systems]]], stream: Stream) -> list[list[Trial]]:
        """The block's trials for each slot in the order in which they are shown, practice first."""
        design = self.settings.design
        planned = []
        in_order = slots if self.scheme().ordered else self._in_order(slots, stream.child("order"))
        for number, main in enumerate(in_order):
            again = choose_repeats(main, design.repeats, stream.child("repeats", number))
            # Repeats come last: at least half of the trials then lie between the two times.
            shown = [*(_Shown("main", cell) for cell in main), *(_Shown("repeat", cell) for cell in again)]
            checks = [_Shown("check", Cell(item, ())) for item in self.attention_items()]
            numbered = _numbered(self.block, spread(shown, checks))
            planned.append(self._randomised(numbered, stream.child("drawn", number)))
        return planned

    def _in_order(self, slots: Sequence[Sequence[Cell[Systems]]], stream: Stream) -> Sequence[Sequence[Cell[Systems]]]:
        shown = (cell.condition for slot in slots for cell in slot)  # a table of who sees what may have others
        conditions = list(dict.fromkeys([*self.conditions(), *shown]))
        return order_cells(slots, self.settings.design.order, self.study.items_in_order, conditions, stream)

    def _randomised(self, trials: list[Trial], stream: Stream) -> list[Trial]:
        if type(self).randomise is Task.randomise:
            return trials  # a stream for each trial of a large study takes its time
        found = [self.randomise(Cell(trial.item, trial.systems), stream.child(trial.key)) for trial in trials]
        return [replace(trial, randomised=each) if each else trial for trial, each in zip(trials, found, strict=True)]

    # --- while it runs ----------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, trial: Trial) -> Mapping[str, Any]:
        """What the page template needs. Nothing in it may tell system, condition or right answer."""

    def limit_seconds(self) -> float | None:
        """How long a trial may take, counted from its page being opened first; nothing: no limit."""
        return None

    @abstractmethod
    def read(self, trial: Trial, payload: Payload) -> Payload:
        """The answer, checked against the trial and put into its one form.

        Raises:
            AnswerError: with the name of each field that is wrong and the key of the message to show beside it.
        """

    def media(self) -> Iterable[str]:
        """Files of the study that its pages show, as paths relative to the study directory."""
        return ()

    # --- after it ---------------------------------------------------------------------------------------------

    @abstractmethod
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """The answer as rows of the task's table: its own columns; those of every trial are added by the export."""

    @abstractmethod
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """What was answered in one trial, so that two trials answered alike compare equal."""

    def correct_responses(self) -> Mapping[str, Hashable]:
        """The correct response to each item; items that have no correct answer are not in it."""
        return {}

    @abstractmethod
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        """Why a row cannot be an answer to this block (a value outside the scale …), or nothing."""

    @abstractmethod
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Whether an attention check was answered as it had to be."""

    def largest_differences(self) -> Mapping[str, float]:
        """How far systems can be apart on each measure of which a study may say what the smallest difference is.

        Empty unless the task has such measures: then systems are not tested for equivalence.
        """
        return {}

    @abstractmethod
    def questions(self) -> Sequence[TrialQuestion]:
        """What is asked in a trial, for the codebook and the report."""

    def procedure(self) -> Sequence[str]:
        """What participants did in a trial, as sentences of a methods section: `procedure` in the module `methods`."""
        written = self._methods()
        if written is not None:
            return list(written.procedure(self))
        return [f"Participants were asked: “{each.question}” ({each.answer})." for each in self.questions()]

    def measures(self) -> Sequence[str]:
        """How answers became the numbers that were analysed: `measures` in the task's module `methods`."""
        written = self._methods()
        return [] if written is None else list(written.measures(self))

    def _methods(self) -> ModuleType | None:
        try:
            return self._module("methods")
        except ModuleNotFoundError as error:
            if not str(error.name).endswith(".methods"):
                raise
            return None

    # --- its simulated participant and its statistics (imported only when used) ---------------------------------

    def simulated_participant(self, number: int, stream: Stream) -> SimulatedParticipant:
        """A simulated participant; `number` tells participants apart, effects of systems and items are shared.

        It is `<class of the task>Participant` in the task's module `simulate`, made with the task and the same
        arguments.
        """
        made = getattr(self._module("simulate"), f"{type(self).__name__}Participant")
        participant: SimulatedParticipant = made(self, number, stream)
        return participant

    def analyse(self, table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
        """The statistics of the block's answers: `analyse` in the task's module `analysis`.

        Args:
            table: Answers of all participants; those of other blocks, which column `block` tells, are ignored.
            participants: Those whose `verdict` is `excluded`, if there is such a column, do not count in the results.
        """
        found: Sequence[Analysis] = self._module("analysis").analyse(self, table, participants)
        return found

    def system_test(self, table: pd.DataFrame) -> Mapping[str, float]:
        """The p of a quick and valid test that the systems differ, by criterion or measure: what power is asked of.

        It is `system_test` in the task's module `analysis`. Undefined is nan. The first one is what the block is for.
        """
        found: Mapping[str, float] = self._module("analysis").system_test(self, table)
        return found


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
