"""A study as the program holds it: the file's settings, its tables and texts, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textassay.errors import Problem, StudyError
from textassay.results import Table, frame_of_records
from textassay.study.content import StudyContent
from textassay.study.interface_messages import OwnMessages
from textassay.study.model import BlockSettings, Cohort, StudyFile
from textassay.study.store_address import FILE_NAME, file_address
from textassay.study.true_effects import TrueEffects
from textassay.tables.reader import Row, Rows

if TYPE_CHECKING:
    import pandas as pd

    from textassay.screening.contract import Rule
    from textassay.tasks.contract import Task


@dataclass(frozen=True)
class Unit:
    """A part of a text that is shown or moved as one: a sentence, a line, a word."""

    id: str
    """Its name in the data; pages must not show it, for it may tell the original place."""
    text: str


@dataclass(frozen=True)
class Block:
    """One block: a task, its settings, and what it shows before the first trial."""

    name: str
    task_class: type[Task[Any]]
    """The kind of trial."""
    settings: BlockSettings
    instructions: str | None
    """Markdown."""
    practice: Mapping[str, Row]
    """Practice rows by item, in the order in which they are shown; units of a text are joined to one row."""
    tables: Mapping[str, Rows] = field(default_factory=dict)
    """The block's own tables by the key of its settings that names them; see `Task.block_tables`."""
    practice_units: Mapping[str, tuple[Unit, ...]] = field(default_factory=dict)
    """Units of the practice texts by item, where their table has a row for each."""
    plan_rows: Rows | None = None
    """Who sees what, where the design has a table of it."""
    study: Study | None = field(default=None, repr=False, compare=False)
    """The study that it belongs to; `Study` sets it on its own copy of the block."""

    @cached_property
    def task(self) -> Task[Any]:
        """The task, bound to this block and its study."""
        if self.study is None:
            raise ValueError(f"block {self.name!r} belongs to no study yet; take it from `Study.blocks`")
        return self.task_class(self, self.study)


@dataclass(frozen=True, repr=False)
class Study:
    """A study, ready to be planned, served and analysed."""

    directory: Path
    file: StudyFile
    blocks: tuple[Block, ...]
    texts: Mapping[tuple[str, str], str]
    """What is judged, by item and system; units are joined by a space."""
    items: Mapping[str, Row]
    """Properties of the items, where there is an items table."""
    references: Mapping[str, tuple[str, ...]]
    """What metrics compare with, by item."""
    pages: Mapping[str, str]
    """Markdown of `welcome`, `consent` and `finish`, where given."""
    rules: tuple[Rule, ...]
    """The screening rules, with their settings."""
    units: Mapping[tuple[str, str], tuple[Unit, ...]] = field(default_factory=dict)
    """Units of each text by item and system, where the texts table has a row for each."""
    text_rows: Mapping[tuple[str, str], tuple[Row, ...]] = field(default_factory=dict)
    """The rows of the texts table by item and system, with all their columns."""
    reference_units: Mapping[str, tuple[tuple[Unit, ...], ...]] = field(default_factory=dict)
    """By item the units of each of its references, where the references table has a row for each unit."""
    content: StudyContent = field(default_factory=StudyContent)
    """What is known of what the texts say: annotations, parses, relevance."""
    messages: OwnMessages = field(default_factory=dict)
    """Words of the interface that the study brings itself, by key."""
    files: tuple[str, ...] = ()
    """Files that the study file names, as it writes them: tables, pages, annotations …"""
    store: str = field(default="", repr=False)
    """Address of the database with the answers; empty for the file in the study directory."""
    true_effects: TrueEffects = field(default_factory=TrueEffects)
    """What simulated participants react to; `rehearsal.true_effects` works it out, and nobody else needs it."""

    def __post_init__(self) -> None:
        """Bind the blocks: each copy knows this study, so that a changed study never changes the one it came from."""
        object.__setattr__(self, "blocks", tuple(replace(block, study=self) for block in self.blocks))

    def __repr__(self) -> str:
        size = f"{len(self.items_in_order)} items × {len(self.systems)} systems"
        return f"<Study {self.file.title!r} in {str(self.directory)!r}: {size}>"

    def _repr_html_(self) -> str:
        return self.facts()._repr_html_()

    def facts(self) -> Table:
        """What the study is, in a few lines: where, how large, what is asked, how it is screened and scored."""
        tasks = "; ".join(dict.fromkeys(block.task.title for block in self.blocks))
        lines = (
            ("directory", str(self.directory)),
            ("blocks", ", ".join(block.name for block in self.blocks)),
            ("kinds of trial", tasks),
            ("items", len(self.items_in_order)),
            ("systems", ", ".join(self.systems)),
            ("participants wanted", sum(cohort.wanted for cohort in self.cohorts)),
            ("screening rules", ", ".join(rule.name for rule in self.rules) or "none"),
            ("metrics", ", ".join(choice.label or choice.metric for choice in self.file.metrics) or "none"),
        )
        return Table("study", self.file.title, ("study", "value"), lines)

    def to_frame(self) -> pd.DataFrame:
        """The texts, one row per text, with the properties of their items."""
        rows = [
            {"item": item, "system": system, "text": text, **(self.items[item].values if item in self.items else {})}
            for (item, system), text in self.texts.items()
        ]
        return frame_of_records(rows)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """All systems, in the order in which the texts table names them."""
        return tuple(dict.fromkeys(system for _, system in self.texts))

    @cached_property
    def items_in_order(self) -> tuple[str, ...]:
        """All items that have texts, in the order of the texts table."""
        return tuple(dict.fromkeys(item for item, _ in self.texts))

    @cached_property
    def cohorts(self) -> tuple[Cohort, ...]:
        """The cohorts; a study without any has one without a name in its tables."""
        if self.file.participants.cohorts:
            return tuple(self.file.participants.cohorts)
        wanted = self.file.participants.wanted
        if wanted is None:  # then it follows from the design
            wanted = max((block.task.scheme().participants or 0 for block in self.blocks), default=0)
        return (Cohort.model_construct(name="", wanted=wanted),)

    @cached_property
    def sittings(self) -> int:
        """In how many visits a participant takes part: those of all blocks, one after the other."""
        return 1 + sum(block.settings.design.sittings - 1 for block in self.blocks)

    def groups(self, column: str | None) -> Mapping[str, tuple[str, ...]] | None:
        """The items that have texts by their value in a column of the items table; nothing without a column."""
        if column is None:
            return None
        found: dict[str, list[str]] = {}
        for item in self.items_in_order:
            found.setdefault(str(self.items[item].get(column)), []).append(item)
        return {group: tuple(items) for group, items in found.items()}

    def block(self, name: str) -> Block:
        """The block of that name."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, Block]:
        return {block.name: block for block in self.blocks}

    @property
    def plan_path(self) -> Path:
        """Where the plan is stored."""
        return self.directory / "plan.json"

    @property
    def simulated_path(self) -> Path:
        """A note that is there when simulated participants have taken the study."""
        return self.directory / "SIMULATED.txt"

    @property
    def bundle_path(self) -> Path:
        """What a bundle says of itself; it is there where the study directory is an unpacked bundle."""
        return self.directory / "bundle.json"

    @cached_property
    def bundled(self) -> Mapping[str, Any]:
        """What a bundle says of itself; empty where the study directory is no unpacked bundle.

        Raises:
            StudyError: it cannot be read.
        """
        try:
            return dict(json.loads(self.bundle_path.read_bytes())) if self.bundle_path.is_file() else {}
        except (OSError, ValueError, TypeError):
            message = "not what a bundle says of itself; unpack the bundle again"
            raise StudyError([Problem(self.bundle_path.name, 0, 0, "", message)]) from None

    @property
    def scores_path(self) -> Path:
        """Where a report puts the scores that it uses; a file of the researcher is never there."""
        return self.directory / "report" / "metric-scores.csv"

    @property
    def store_url(self) -> str:
        """Where the answers are stored, as a database address; it may hold a password, so it is never shown."""
        return self.store or file_address(self.directory / FILE_NAME)
