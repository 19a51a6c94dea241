"""What a screening rule gets to see, and what it says."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textassay.screening.finding import Finding, in_english
from textassay.study.model import Model

if TYPE_CHECKING:
    from textassay.design.plan import Plan
    from textassay.study.study import Block, Study


Need = Literal["checks", "address", "plausible", "elsewhere", "answers"]
"""What not every table collected elsewhere holds: attention checks, hashes of e-mail addresses, whether these are
plausible or known elsewhere, answers that may exclude."""


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
    """How many trials this participant's slot has; unknown for tables collected elsewhere."""
    earlier: frozenset[str] = frozenset()
    """E-mail hashes of everybody who began this study before this participant."""


class Rule(Model):
    """A screening rule: its fields are its settings in the study file."""

    name: ClassVar[str]
    """Its name in study files."""
    needs: ClassVar[Need | None] = None
    """What the rule can do nothing without; whoever imports tables without it is told."""

    def check(self, study: Study) -> str | None:  # noqa: ARG002 -- for rules that need something
        """Why the rule cannot work in this study (it needs a field that the questionnaire lacks …), or nothing."""
        return None

    def warnings(self, study: Study, plan: Plan) -> Iterable[str]:  # noqa: ARG002 -- for rules that need them
        """What should be known of the rule in this study before anybody takes part."""
        return ()

    @abstractmethod
    def findings(self, case: Case, study: Study) -> Iterator[Finding]:
        """Why this participant is to be left out; nothing where all is well."""

    def judge(self, case: Case, study: Study) -> str | None:
        """The same in words for the report."""
        return in_english(self.findings(case, study)) or None
