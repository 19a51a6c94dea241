"""What a report is made from, as plain values: the study's summary, and the parts with their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from textassay.results import Analysis, Table


@dataclass(frozen=True)
class Question:
    """One thing that participants were asked about each text."""

    name: str
    """Its name in the tables, for example the criterion."""
    text: str
    """The question in the words that participants saw."""
    scale: str = ""
    """How it could be answered, for example `1 (not clear at all) to 7 (perfectly clear), radio buttons`."""


@dataclass(frozen=True)
class BlockSummary:
    """What was asked in one block."""

    name: str
    task: str
    """The kind of trial in words, for example `Rating scales`."""
    questions: tuple[Question, ...] = ()
    notes: tuple[str, ...] = ()
    """Further sentences: practice items, attention checks, repeats, context shown …"""


@dataclass(frozen=True)
class BalanceRow:
    """How often something happens over all cases; exact when least and most are equal."""

    what: str
    least: int
    most: int


@dataclass(frozen=True)
class DesignSummary:
    """Who saw what, for one block in one cohort."""

    name: str
    """The block, and the cohort where there are several."""
    squares: str
    """The plan in the words of the literature, for example `3 Latin squares of 10 × 10`."""
    trials: int
    """Trials over all slots, without practice, checks and repeats."""
    balance: tuple[BalanceRow, ...] = ()
    remedies: tuple[str, ...] = ()
    """Where the balance is inexact: numbers that would make it exact."""


@dataclass(frozen=True)
class ParticipantsSummary:
    """Who answered."""

    by_status: Mapping[str, int]
    """How many have each status, such as completed, active, withdrawn, excluded."""
    included: int
    """How many the main results rest on."""
    left_out: int
    """How many of those who answered were screened out."""
    wanted: int | None = None
    minutes: float | None = None
    """The median of the minutes that a participant took."""
    minutes_range: tuple[float, float] | None = None
    demographics: tuple[Table, ...] = ()
    """One table a questionnaire field that is not personal; a count in the last column."""


@dataclass(frozen=True)
class SettingsSummary:
    """All that is needed to get every number again."""

    study_file: str
    """The text of the study file."""
    seed: int
    versions: Mapping[str, str]
    """Version by name: textassay, Python, NumPy, SciPy …"""
    signatures: tuple[str, ...] = ()
    """Signatures of the methods and metrics used."""


@dataclass(frozen=True)
class StudySummary:
    """The study in plain values."""

    title: str
    language: str
    """BCP 47 tag of the language of questions and texts."""
    participants: ParticipantsSummary
    settings: SettingsSummary
    made_at: datetime
    """When the report was made; with its time zone."""
    description: str = ""
    blocks: tuple[BlockSummary, ...] = ()
    designs: tuple[DesignSummary, ...] = ()
    left_out: Table | None = None
    """Who was left out and why: one row a participant, or one row a reason."""
    warnings: tuple[str, ...] = ()
    """What a reader must know before trusting the figures."""


@dataclass(frozen=True)
class Part:
    """One part of the report: an analysis, and the same with nobody left out."""

    heading: str
    valid: Analysis
    """The analysis of the participants who passed the screening."""
    everyone: Analysis | None = None
    """The same analysis of all who answered; nothing where nobody was left out."""
    comparison: Table | None = None
    """The two side by side; made from their records if not given."""
    about: tuple[str, ...] = field(default=())
    """Sentences under the heading: what was analysed, on how many answers."""
