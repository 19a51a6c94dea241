"""What a report is made from, as plain values: the study's summary, and its sections with their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from textassay.results import Analysis, Table


@dataclass(frozen=True)
class QuestionSummary:
    """A question that participants were asked about each text."""

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
    questions: tuple[QuestionSummary, ...] = ()
    notes: tuple[str, ...] = ()
    """Further sentences: practice items, attention checks, repeats, context shown …"""


@dataclass(frozen=True)
class BalanceRow:
    """How often something occurs over all cases; the balance is exact if least and most are equal."""

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
    """How many participants the main results are based on."""
    excluded: int
    """How many participants were excluded by screening."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """How many participants each rule or status excluded; one may be excluded by several."""
    wanted: int | None = None
    minutes: float | None = None
    """Median duration in minutes."""
    minutes_range: tuple[float, float] | None = None
    demographics: tuple[Table, ...] = ()
    """One table per questionnaire field that is not personal; counts in the last column."""


@dataclass(frozen=True)
class Reference:
    """A work that the methods cite: facts only."""

    cited: str
    """As the text cites it, for example `Holm 1979`."""
    authors: tuple[str, ...]
    """First names first."""
    year: int
    title: str
    venue: str

    @property
    def text(self) -> str:
        """One line of a list of references."""
        authors = " and ".join(filter(None, [", ".join(self.authors[:-1]), *self.authors[-1:]]))
        return f"{authors} ({self.year}). {self.title}. {self.venue}."


@dataclass(frozen=True)
class MethodsParagraph:
    """One paragraph of the methods."""

    heading: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """All sentences."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class MethodsText:
    """The methods of a study as a paper has them."""

    paragraphs: tuple[MethodsParagraph, ...] = ()
    references: tuple[Reference, ...] = ()
    """What the paragraphs cite, by author."""
    metrics: Table | None = None
    """The metrics with their signatures."""
    unsaid: tuple[str, ...] = ()
    """What a reviewer asks and only the researcher knows."""


@dataclass(frozen=True)
class ShownPage:
    """A page as participants saw it."""

    title: str
    html: str
    """Safe HTML, in the study's language."""


@dataclass(frozen=True)
class SettingsSummary:
    """What is needed to reproduce every number."""

    study_file: str
    """The text of the study file."""
    seed: int
    versions: Mapping[str, str]
    """Version by name: textassay, Python, NumPy, SciPy …"""
    signatures: tuple[str, ...] = ()
    """Signatures of the methods and metrics used."""
    commands: tuple[str, ...] = ()
    """What to type to get the same page again."""
    checksums: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by name of the study file and the tables that it names."""


@dataclass(frozen=True)
class ScreenPicture:
    """A picture of a page that participants saw."""

    title: str
    """Which page, for example `Instructions`."""
    description: str
    """What is on the page, for readers who do not see the picture."""
    file: Path
    """The picture, as WebP."""
    width: int
    height: int
    """Its size on the page, in CSS pixels."""


@dataclass(frozen=True)
class ScreensSummary:
    """The participants' pages in pictures."""

    pictures: tuple[ScreenPicture, ...] = ()
    missing: str = ""
    """Which pictures there are none of, and why, as a sentence."""


@dataclass(frozen=True)
class RegistrationSummary:
    """What was registered before the study, and what is different now."""

    sentences: tuple[str, ...]
    """When it was registered, what, and whether anything has changed."""
    deviates: bool
    """Whether anything is different, or the registration cannot be relied on."""
    changes: Table | None = None
    """What was added, changed or removed: as registered, and now."""


@dataclass(frozen=True)
class StudySummary:
    """The study in plain values."""

    title: str
    language: str
    """BCP 47 tag of the language of questions and texts."""
    participants: ParticipantsSummary
    settings: SettingsSummary
    made_at: datetime | None
    """When the report was made, with its time zone; nothing where the same study is to give the same page."""
    description: str = ""
    blocks: tuple[BlockSummary, ...] = ()
    designs: tuple[DesignSummary, ...] = ()
    exclusions: Table | None = None
    """Excluded participants with reasons: one row per participant, or one row per reason."""
    systems: tuple[str, ...] = ()
    """Those that are compared."""
    registration: RegistrationSummary | None = None
    """Nothing where the study was not registered."""
    alerts: tuple[str, ...] = ()
    """What a reader must know before the first figure: the data are not what they seem."""
    warnings: tuple[str, ...] = ()
    """What a reader must know before trusting the figures."""
    methods: MethodsText = MethodsText()
    pages: tuple[ShownPage, ...] = ()
    """Welcome, consent, instructions and last page, as participants saw them."""
    questionnaire: tuple[QuestionSummary, ...] = ()
    """What participants were asked about themselves."""
    screens: ScreensSummary | None = None
    """The participants' pages; None where nobody asked for pictures."""


@dataclass(frozen=True)
class Section:
    """One section of the report."""

    heading: str
    analysis: Analysis
    block: str = ""
    """The block that it is about, where a study has several."""


@dataclass(frozen=True)
class Findings:
    """All that comes out of a study."""

    summary: StudySummary
    sections: tuple[Section, ...]
    """The analyses, in the order of the report."""
    scores: tuple[Mapping[str, Any], ...] = ()
    """Rows of the scores table: one per text and metric."""
