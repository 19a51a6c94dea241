"""What a screening rule is given, and what it returns.

A finding is a message with its values, so that it can be shown in every language of the interface. The messages are in
`messages/`, one file per language. Reports and exports are in English; the board shows the same findings in the
language of the study's pages.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textassay.study.model import EmailField, Model

if TYPE_CHECKING:
    from textassay.design.plan import Plan
    from textassay.study.study import Block, Study

MESSAGES = Path(__file__).parent / "messages"
PREFIX = "screening."
"""Prefix of all keys in the message files, so that they can be merged with others."""
NO_EMAIL_FIELD = "the questionnaire has no field of type email; add one or remove this rule"

Need = Literal["checks", "address", "plausible", "elsewhere", "answers"]
"""What tables collected elsewhere may lack: attention checks, hashes of e-mail addresses, whether these are plausible
or known in another study, answers that may exclude."""


@dataclass(frozen=True)
class AnsweredTrial:
    """One trial that a participant answered, as rows of its task's table."""

    block: Block
    kind: str
    """main, repeat, check or practice."""
    rows: Sequence[Mapping[str, Any]]
    rt_ms: float | None


@dataclass(frozen=True)
class Case:
    """One participant with everything that a rule may look at."""

    participant: str
    status: str
    """active, completed, withdrawn or excluded."""
    questionnaire: Mapping[str, Any]
    """Answers by field; an e-mail address only as `{"hash": …, "plausible": bool, "elsewhere": [studies]}`."""
    trials: Sequence[AnsweredTrial]
    planned: int | None = None
    """The number of trials in the participant's slot; unknown for tables collected elsewhere."""
    earlier: frozenset[str] = frozenset()
    """This participant's e-mail hashes that an earlier participant of the study had given."""
    carried: Mapping[str, str] = field(default_factory=dict)
    """Rules that cannot be applied here, for the tables were shared without what they need; each with the reason that
    it gave where it could be applied, or an empty text."""
    simulated: bool = False
    """A simulated participant of a study that real people have completed."""

    def emails(self, study: Study) -> dict[str, Mapping[str, Any]]:
        """The stored form of each e-mail address that the participant gave, by field."""
        fields = [field.name for field in study.file.questionnaire if isinstance(field, EmailField)]
        answers = {name: self.questionnaire.get(name) for name in fields}
        return {name: answer for name, answer in answers.items() if isinstance(answer, Mapping)}


@dataclass(frozen=True)
class RuleFinding:
    """A reason of one rule to exclude a participant.

    >>> str(RuleFinding("attention_checks", {"failed": 2, "total": 3}))
    '2 of 3 attention checks failed'
    """

    message: str
    """Key in the message files, without their common prefix; `text` for a text that is in none of them."""
    values: Mapping[str, object] = field(default_factory=dict)
    """Values that are inserted into the message."""

    @property
    def key(self) -> str:
        """Key of the message, with its prefix."""
        return PREFIX + self.message

    def __str__(self) -> str:
        return _english()[self.key].format_map(self.values)


def untranslated(text: str) -> RuleFinding:
    """A finding with a text that is the same in every language; for rules of other packages."""
    return RuleFinding("text", {"text": text})


def in_english(findings: Iterable[RuleFinding]) -> str:
    """Findings in one line, for reports and exports."""
    return "; ".join(map(str, findings))


class Rule(Model):
    """A screening rule: its fields are its settings in the study file."""

    name: ClassVar[str]
    """Its name in study files."""
    outcome: ClassVar[str] = ""
    """What an excluded participant did, for counts in a methods section: `failed attention checks`."""
    needs: ClassVar[Need | None] = None
    """What the rule cannot work without; a warning names it where imported tables lack it."""

    def check(self, study: Study) -> str | None:  # noqa: ARG002 -- for rules that need something
        """Why the rule cannot work in this study (the questionnaire lacks a field …), or nothing."""
        return None

    def warnings(self, study: Study, plan: Plan) -> Iterable[str]:  # noqa: ARG002 -- for rules that need them
        """What the researcher should know of the rule in this study before it starts."""
        return ()

    def criterion(self, study: Study) -> str:  # noqa: ARG002 -- for rules that need it
        """What excludes a participant, with its limits, as the end of "Participants were excluded if they …"."""
        settings = ", ".join(f"{name} {value}" for name, value in self.model_dump().items())
        return f"{self.outcome or f'broke the rule {self.name}'}{f' ({settings})' if settings else ''}"

    @abstractmethod
    def findings(self, case: Case, study: Study) -> Iterator[RuleFinding]:
        """The reasons to exclude this participant; none if the participant passed."""

    def judge(self, case: Case, study: Study) -> str | None:
        """The findings as English text for the report, or nothing."""
        return in_english(self.findings(case, study)) or None


def asks_for_email(study: Study) -> bool:
    """Whether the questionnaire has an e-mail field."""
    return any(isinstance(field, EmailField) for field in study.file.questionnaire)


@cache
def _english() -> Mapping[str, str]:
    texts: dict[str, str] = json.loads((MESSAGES / "en.json").read_text(encoding="utf-8"))
    return texts
