"""The form of a study file. Strict: no unknown keys, no silent conversions.

Each field's docstring is its description in the JSON Schema that editors use. The keys of one kind of block are in
that task's folder; here are only those that all blocks share.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, field_validator

from textassay.study.form import Faults, FilePath, Model, Name, Problems, Text
from textassay.study.origin import checked_origin
from textassay.study.study_tables import StudyTables

# Tasks and checks take these from here; beside them this module exports what it defines.
__all__ = ["Faults", "FilePath", "Model", "Name", "Problems", "StudyTables", "Text"]

Outcome = Literal["completed", "screened_out", "no_consent", "withdrawn"]
"""How participation can end."""

LANGUAGE_TAG = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"
"""A language as BCP 47 writes it."""
MOST_PARTICIPANTS = 100_000
"""In one cohort; a plan for more would not fit in memory."""
MOST_SEED = 2**53 - 1
"""The greatest whole number that every program reads from JSON without loss."""


def _origin(text: str) -> str:
    try:
        return checked_origin(text)
    except ValueError as error:
        raise Faults(((), str(error))) from None


class Cohort(Model):
    """A group of participants with its own join link."""

    name: Name
    """Its name in the tables."""
    wanted: int = Field(ge=1, le=MOST_PARTICIPANTS)
    """Number of participants who are to complete the study."""


class Participants(Model):
    """How many participants are wanted, and how they are handled."""

    wanted: int | None = Field(default=None, ge=1, le=MOST_PARTICIPANTS)
    """Number of participants who are to complete the study; with cohorts, each has its own number instead."""
    cohorts: list[Cohort] = Field(default_factory=list)
    """Groups with their own links and balance, such as experts and lay people."""
    release_after_minutes: int = Field(default=60, ge=1, le=525_600)
    """Minutes of inactivity after which the participant's slot is assigned again."""
    hours_between_sittings: float = Field(default=0, ge=0, le=8760)
    """Hours that must pass before the next sitting, where a block has `sittings`."""
    days_reserved: int = Field(default=30, ge=1, le=3650)
    """Days for which a slot stays reserved between two sittings; then it is assigned again."""
    when_full: Literal["close", "continue"] = "close"
    """When every slot has a valid completion: turn new participants away, or assign slots a second time."""
    may_go_back: bool = False
    """Whether participants may see and change earlier answers; the earlier versions are kept."""
    platform: Literal["prolific", "mturk"] | None = None
    """Recruiting platform that passes its ids in the link and to which the last page leads back."""
    id_parameter: Name | None = None
    """Name of the link's parameter in which any other platform passes its id for the participant."""


class _Field(Model):
    name: Name
    """Column in the participants table."""
    question: Text
    """What the participant is asked."""
    required: bool = False
    """Whether it must be answered."""


class ChoiceField(_Field):
    """One of several answers."""

    type: Literal["choice"]
    choices: list[Text] = Field(min_length=2)
    """The answers to choose from."""
    exclude: list[Text] = Field(default_factory=list)
    """Answers that exclude a participant from the study."""


class NumberField(_Field):
    """A number."""

    type: Literal["number"]
    min: float | None = None
    """Minimum that is accepted."""
    max: float | None = None
    """Maximum that is accepted."""
    exclude_below: float | None = None
    """Smaller numbers exclude a participant from the study."""
    exclude_above: float | None = None
    """Greater numbers exclude a participant from the study."""


class TextField(_Field):
    """A short text."""

    type: Literal["text"]
    max_length: int = Field(default=200, ge=1, le=5000)
    """Maximum number of characters."""
    exclude: list[Text] = Field(default_factory=list)
    """Answers that exclude a participant; upper and lower case are not distinguished."""


class EmailField(_Field):
    """An e-mail address, stored only as a keyed hash."""

    type: Literal["email"]
    exclude: list[Text] = Field(default_factory=list)
    """Domains of addresses that exclude a participant, such as example.org."""


QuestionnaireField = Annotated[ChoiceField | NumberField | TextField | EmailField, Field(discriminator="type")]


class Design(Model):
    """Who sees what in this block."""

    order: Literal["random", "williams", "fixed"] = "random"
    """Random for each participant; balanced for carry-over by Williams squares; or as in the items table."""
    items_per_participant: int | None = Field(default=None, ge=1)
    """Number of items that one participant sees; by default all."""
    everyone: Literal["all"] | None = None
    """`all`: every participant sees every text, such as three experts who judge all outputs."""
    judgements_per_text: int | None = Field(default=None, ge=1)
    """How many participants judge each text; with `texts_per_participant`. The number of participants follows."""
    texts_per_participant: int | None = Field(default=None, ge=1)
    """How many texts (or comparisons, or pages of several texts) one participant judges at most; with
    `judgements_per_text`."""
    items_twice: bool = False
    """Whether a participant may see several texts of one item; with `judgements_per_text`."""
    plan: FilePath | None = None
    """Table `participant, item, system` (and `position`) that says exactly who sees what: one row per trial, with the
    systems of a comparison separated by `|`. The number of participants follows."""
    between: Literal["systems"] | None = None
    """`systems`: each participant sees the texts of one system only, all or `items_per_participant` of them."""
    stratify: Text | None = None
    """Column of the items table: of each of its values a participant sees its share of items, the systems evenly in
    each."""
    group_by: Text | None = None
    """Column of the items table: a participant sees all items of one group in the same condition."""
    repeats: int = Field(default=0, ge=0)
    """Number of trials that each participant sees a second time, to measure self-consistency."""
    break_every: int | None = Field(default=None, ge=1)
    """Number of trials after which a break is offered."""
    sittings: int = Field(default=1, ge=1)
    """Number of visits over which the block's trials are spread. After each, participants are told how to come back,
    and their slot stays reserved."""


class Labels(Model):
    """Words that participants see instead of those of the interface, in the language of the study."""

    @property
    def words(self) -> dict[str, str]:
        """The labels that are given, by name."""
        given: dict[str, str] = self.model_dump(exclude_none=True)
        return given


class BlockSettings(Model):
    """The keys that every block has; each kind of task adds its own."""

    unseen: ClassVar[frozenset[str]] = frozenset({"task", "name", "design", "instructions", "practice"})
    """Keys that do not change what participants see; the content of files is compared separately."""

    task: str
    """The kind of trial."""
    name: Name = ""
    """Name of the block in the tables; by default that of the task."""
    instructions: FilePath | None = None
    """Markdown file that is shown before the block."""
    practice: FilePath | None = None
    """Table `item, text` of practice trials, shown first and marked as such."""
    texts_are: Literal["text", "markdown", "html"] = "text"
    """How the texts are written: as plain text; in Markdown, with code, tables, lists and formulas as written; or as
    HTML, which is sanitised. Links are shown as words, images by their description, and nothing is loaded."""
    labels: Labels = Labels()
    """Words on the page in place of those of the interface, such as `{context: Article, text: Summary}`."""
    design: Design = Design()
    """Who sees what in this block."""

    @property
    def marks_events(self) -> bool:
        """Whether participants see which events of a text are annotated."""
        return False


class MetricChoice(Model):
    """A metric to score the texts with; further keys are the metric's own settings."""

    model_config = ConfigDict(extra="allow")

    metric: str
    """Name of the metric."""
    label: Text | None = None
    """Its name in tables, to distinguish one metric with several settings; by default the metric's name."""

    @property
    def settings(self) -> dict[str, Any]:
        """The metric's own settings."""
        return dict(self.model_extra or {})


class AnalysisOptions(Model):
    """How the answers are analysed."""

    alpha: float = Field(default=0.05, gt=0, lt=1)
    """Level of significance."""
    confidence: float = Field(default=0.95, gt=0, lt=1)
    """Level of confidence intervals."""
    smallest_difference: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    """By criterion or measure the smallest difference between systems that matters, in its own unit (reading time in
    per cent); decide before you look at the answers. Pairs of systems are then tested for equivalence within it."""
    published_tables: Literal["c09", "g10"] | None = None
    """A paper whose tables of metrics and people the report has as well, in the paper's layout: `c09` is Cahill (2009),
    `g10` Gatt & Portet (2010). They need metrics."""


LARGEST_EFFECT = 10.0
"""In simulations; ten times as far from the average as the best of systems is."""
Effect = Annotated[float, Field(ge=-LARGEST_EFFECT, le=LARGEST_EFFECT)]


class SimulateOptions(Model):
    """What simulated participants react to.

    A quality of 1 is that of the best system in a rehearsal without this section, -1 that of the worst.
    """

    effects: dict[str, Effect] = Field(default_factory=dict)
    """By property of a text how much quality changes with one standard deviation of it over the study's texts.
    Properties are `length` (in words), the metrics of this study by their names in tables, and columns of the texts
    table that hold numbers. More quality is better: texts are rated higher, read faster. A quality of 1 is 0.15 of a
    rating scale's range, 0.2 of half a preference slider, 1.25 logits in rankings, 0.6 in decisions, 15 % of a reading
    time."""
    systems: dict[str, Effect] | None = None
    """Quality by system, beside what properties of texts add; 0 for systems not named. By default an order is drawn
    from the seed, evenly spaced from -1 to 1."""


class RegistrationOptions(Model):
    """What a registration (`textassay prereg`) says beyond the rest of the study file."""

    hypotheses: list[Text] = Field(default_factory=list)
    """What you expect, one sentence each. Without any, the registered hypothesis is that systems differ on each
    criterion or measure, in either direction."""
    exploratory: list[Text] = Field(default_factory=list)
    """What you will look at without a hypothesis."""
    remarks: Text | None = None
    """Anything else that is to be registered, such as why this number of participants."""


class ReturnCodes(Model):
    """Codes that tell a recruiting platform how participation ended."""

    completed: Text | None = None
    """For participants who pass all pages, even if screening excludes them later; the same as `completion_code`."""
    screened_out: Text | None = None
    """For participants whom an answer in the questionnaire excludes."""
    no_consent: Text | None = None
    """For people who do not agree to take part."""
    withdrawn: Text | None = None
    """For participants who agree and stop before the end."""


class Finish(Model):
    """The last page."""

    message: FilePath | None = None
    """Markdown file with the closing words."""
    completion_code: Text | None = None
    """Code that shows a recruiting platform that the study was completed."""
    codes: ReturnCodes = ReturnCodes()
    """Codes for this and the other ways in which participation can end."""

    @property
    def every_code(self) -> list[str]:
        """All codes, which are worth money and shown to no reader; the longest first, as it may contain another."""
        codes = {self.completion_code, *self.codes.model_dump().values()}
        return sorted(filter(None, codes), key=lambda code: (-len(code), code))

    def code(self, outcome: Outcome) -> str | None:
        """The code for that outcome, if there is one."""
        if outcome == "completed":
            return self.completion_code or self.codes.completed
        code: str | None = getattr(self.codes, outcome)
        return code


DEFAULT_RULE = "incomplete"
"""The screening rule that applies unless the study file says `incomplete: false`."""


class StudyFile(Model):
    """A study of textassay."""

    format: Literal[1]
    """Version of the format of this file."""
    title: Text
    """What participants and the report call the study."""
    language: str = Field(default="en", pattern=LANGUAGE_TAG)
    """Language of the texts and questions, as a BCP 47 tag."""
    interface: str | None = Field(default=None, pattern=LANGUAGE_TAG)
    """Language of the buttons and hints; by default that of the study where there are messages for it, else en."""
    messages: FilePath | None = None
    """File (.yaml) with your own words for buttons and hints, such as `page.next: Continue`: another wording, or a
    language that is not shipped. The page of messages in the reference lists them."""
    seed: int = Field(default=1, ge=0, le=MOST_SEED)
    """The seed of everything random."""
    public_address: Annotated[str, AfterValidator(_origin)] | None = None
    """Address at which participants reach the server where a proxy stands before it, such as
    https://study.example.org: for links, cookies and the check of where forms come from. `serve --public` beats it."""
    contact: Text | None = None
    """Contact for questions, shown on the start page."""
    welcome: FilePath | None = None
    """Markdown file for the start page."""
    tables: StudyTables
    """The tables of the study."""
    participants: Participants = Participants()
    """How many participants are wanted, and how they are handled."""
    consent: FilePath | None = None
    """Markdown file to which participants must agree."""
    questionnaire: list[QuestionnaireField] = Field(default_factory=list)
    """Questions about the person."""
    blocks: list[dict[str, Any]] = Field(min_length=1)
    """What participants do, block after block."""
    block_order: Literal["fixed", "balanced"] = "fixed"
    """The same order for all participants, as listed here, or orders that balance position and sequence of blocks."""
    screening: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Rules by name, each with its settings; participants who break one are marked, never deleted. Those who did not
    finish are excluded unless `incomplete` is false."""
    metrics: list[MetricChoice] = Field(default_factory=list)
    """Metrics to score the texts with."""
    analysis: AnalysisOptions = AnalysisOptions()
    """How the answers are analysed."""
    registration: RegistrationOptions = RegistrationOptions()
    """What a registration says beyond the rest of this file; participants do not see it."""
    finish: Finish = Finish()
    """What a participant gets at the end."""
    simulate: SimulateOptions = SimulateOptions()
    """What simulated participants react to, for rehearsals; real participants do not notice it."""
    store: Text | None = None
    """Address of the database with the answers, such as `postgresql://user@host/database`; without a password. By
    default the file `answers.db` in the study directory. `--db` and the environment variable `TEXTASSAY_DB` come
    first."""

    @field_validator("screening", mode="before")
    @classmethod
    def _turned_off(cls, rules: Any) -> Any:
        off = isinstance(rules, dict) and rules.get(DEFAULT_RULE) is False
        return {name: settings for name, settings in rules.items() if name != DEFAULT_RULE} if off else rules
