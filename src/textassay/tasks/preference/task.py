"""The contract of the preference task: what it asks and what it yields.

In the plan and in the tables a pair of systems has a fixed order, and a negative value prefers its first system. On the
page, and in what the browser sends, there is only left and right, and a negative value prefers the left text. Which
system stood left is drawn for each trial; `rows` turns the one into the other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.seeds import Stream
from textassay.study.markup import Span, as_html, compare_texts, find_spans, marked
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.tables.schema import PREFERENCES, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.cannot_judge import cannot_be_judged, with_unjudged
from textassay.tasks.comments import kept_why, why_cells, why_faults
from textassay.tasks.context import context_images, context_row
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.criteria import AllowedValues, value_faults
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.event_marks import event_mark_problems, event_mark_warnings, legend_view, shown_text
from textassay.tasks.preference.settings import OTHER, PreferenceSettings, block_problems, block_warnings

if TYPE_CHECKING:
    import pandas as pd


_SECONDS_A_CRITERION = 5.0
_BETWEEN_SPANS = "|"
_SIGNS = {"left": -1, "neither": 0, "right": 1}


class Preference(Task[PreferenceSettings]):
    """Compare two texts of one item: which is the better one, and by how much."""

    name: ClassVar[str] = "preference"
    title: ClassVar[str] = "Preference between two texts"
    Settings: ClassVar[type[BlockSettings]] = PreferenceSettings
    schema: ClassVar[TableSchema] = PREFERENCES

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        yield from block_problems(self)
        yield from event_mark_problems(self, key="marks")

    @override
    def warnings(self) -> Iterable[str]:
        return [*block_warnings(self), *event_mark_warnings(self)]

    @override
    def expected_seconds(self, trial: Trial) -> float:
        settings = self.settings
        left, right, row = self._shown(trial)
        words = sum(len(text.split()) for text in (left, right, settings.context_of(row)))
        return words / WORDS_A_SECOND + _SECONDS_A_CRITERION * len(settings.criteria)

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    @property
    @override
    def condition_label(self) -> str:
        return "pair of systems"

    @override
    def conditions(self) -> Sequence[Systems]:
        """The pairs of the scheme."""
        return self.settings.pairs.of(self.study.systems, Stream(self.study.file.seed, "pairs", self.block.name))

    @override
    def trials_per_participant(self) -> int:
        """Every item and every pair at least once, unless the study wants less."""
        try:
            pairs = len(self.conditions())
        except ValueError:  # which `check` reports
            pairs = 0
        return self.block.settings.design.items_per_participant or max(len(self.study.items_in_order), pairs)

    @override
    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """The system on the left; practice and checks are shown as they were written."""
        return {"left": stream.choice(cell.condition)} if cell.condition else {}

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings = self.settings
        left, right, row = self._shown(trial)
        return {
            "texts": self._marked(trial, left, right, row),
            "marks": settings.marks in ("differences", "given"),
            **legend_view(self),
            **settings.context_view(row),
            "criteria": settings.criteria,
            "form": settings.form,
            "reach": settings.reach,
            "cannot_judge": settings.cannot_judge,
            **settings.comment_box(),
        }

    def _marked(self, trial: Trial, left: str, right: str, row: Mapping[str, Any]) -> Sequence[str]:
        if not self.settings.marks_events or not trial.systems:
            return both_marked(self.settings, left, right, row)
        sides = zip(_sides(trial), (left, right), strict=True)
        return [shown_text(self, trial, system, text) for system, text in sides]

    def _shown(self, trial: Trial) -> tuple[str, str, Mapping[str, Any]]:
        """The trial's texts, left and right, and the row that holds their context."""
        row = context_row(self, trial)
        if trial.kind == "practice":
            return str(row["text"]), str(row.get(OTHER) or ""), row
        if trial.kind == "check":
            attention = check_of(self.settings.attention_checks, trial.item)
            marked_spans = {self.settings.spans: _BETWEEN_SPANS.join(attention.spans)} if self.settings.spans else {}
            return attention.left, attention.right, {**row, **marked_spans}
        left, right = _sides(trial)
        return self.study.texts[trial.item, left], self.study.texts[trial.item, right], row

    @override
    def media(self) -> Iterable[str]:
        return context_images(self)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        del trial  # all trials of a block are answered alike
        settings = self.settings
        names = [criterion.name for criterion in settings.criteria]
        values = [AllowedValues(name, settings.holds, 0 if settings.form == "slider" else None) for name in names]
        unjudged = cannot_be_judged(payload)
        wrong = {
            **value_faults(payload, "preferences", values, self.name, without=unjudged),
            **settings.cannot_judge_faults(payload, names, "preferences"),
            **why_faults(payload, settings.criteria, self.name),
            **settings.comment_faults(payload),
        }
        if wrong:
            raise AnswerError(wrong)
        kept = {name: payload["preferences"][name] for name in names if name not in unjudged}
        written = {**kept_why(payload, settings.criteria), **settings.kept_comment(payload)}
        return {"preferences": kept, **settings.kept_cannot_judge(payload, names), **written}

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """From left and right to the first and the second system of the pair.

        Where there is no pair (practice, checks), or a system is compared with itself, negative prefers the left.
        """
        first, second = trial.systems or ("", "")
        left = trial.randomised.get("left", "")
        sign = 1 if left == first else -1
        common = {"item": trial.item, "system_a": first, "system_b": second, "left": left}
        common |= self.settings.comment_cell(payload)
        return [
            {
                **common,
                "criterion": name,
                "value": None if value is None else sign * value,  # 0 times -1 is a plain 0: they are whole numbers
                **self.settings.cannot_judge_cell(payload, name),
                **why_cells(payload, name),
            }
            for name, value in with_unjudged(payload, "preferences").items()
        ]

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """In terms of left and right, as a participant sees it who does not read."""
        return tuple(sorted((row["criterion"], None if row["value"] is None else towards_right(row)) for row in rows))

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        settings = self.settings
        if row["criterion"] not in [criterion.name for criterion in settings.criteria]:
            return f"criterion {row['criterion']!r} is not asked in this block"
        if row["value"] is None:
            return settings.cannot_judge_reason(row)
        if not settings.holds(row["value"]):
            values = f"a whole number from {-settings.furthest} to {settings.furthest}"
            return f"{row['criterion']} {row['value']:g} is not {values if settings.ties else '-1 or 1'}"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Preferring the right side is enough, however strongly."""
        expected = check_of(self.settings.attention_checks, str(rows[0]["item"])).expected
        given = {row["criterion"]: _sign(towards_right(row)) for row in rows if row["value"] is not None}
        return all(given.get(name) == _SIGNS[side] for name, side in expected.items())

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {each.name: float(self.settings.furthest) for each in self.settings.criteria}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        settings = self.settings
        answer = {
            "slider": f"-{settings.reach} (first system) to {settings.reach} (second system), unmarked slider",
            "choice": "-1 (first system) or 1 (second system)",
            "choice-with-tie": "-1 (first system), 0 (neither) or 1 (second system)",
        }[settings.form]
        answer += settings.or_cannot_judge()
        return [TrialQuestion(each.name, each.question, answer, self._elicitation()) for each in settings.criteria]

    def _elicitation(self) -> Elicitation:
        slider, tie = self.settings.form == "slider", self.settings.form == "choice-with-tie"
        reach = self.settings.reach
        return Elicitation(
            form="relative",
            instrument="slider" if slider else "choices",
            size=str(2 * reach + 1) if slider else str(2 + tie),
            values=(f"-{reach} to {reach}" if slider else f"left text, {'neither, ' if tie else ''}right text")
            + self.settings.or_cannot_judge(),
            scores="What is said for one text of a pair is said against the other; systems are put on one scale",
            begins=-float(reach) if slider else -1.0,
            relative=True,
            extrinsic=False,
            agreement=("W",),
        )

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """What a trial says for one system, it says against the other."""
        from textassay.tasks.preference.answers import as_judgements  # noqa: PLC0415 -- pandas

        return as_judgements(table)


def towards_right(row: Mapping[str, Any]) -> float:
    """The value of a row as the participant gave it: negative prefers the left text."""
    value = float(row["value"])
    return value if row.get("left") in (row["system_a"], None, "") else -value


def _sides(trial: Trial) -> tuple[str, str]:
    """The systems on the left and on the right."""
    first, second = trial.systems
    return (first, second) if trial.randomised["left"] == first else (second, first)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def both_marked(settings: PreferenceSettings, left: str, right: str, row: Mapping[str, Any]) -> tuple[str, str]:
    """Both texts as safe HTML, with what the block wants to be marked in them."""
    match settings.marks:
        case "differences":
            of_left, of_right = compare_texts(left, right)
        case "given":
            spans = str(row.get(settings.spans or "") or "").split(_BETWEEN_SPANS)
            named = [part.strip() for part in spans if part.strip()]
            same = [part for part in named if part in left and part in right]
            different = [part for part in named if part not in same]
            of_left, of_right = find_spans(left, same, different), find_spans(right, same, different)
        case _:
            return as_html(left, settings.texts_are), as_html(right, settings.texts_are)
    return marked(left, _with_words(left, of_left)), marked(right, _with_words(right, of_right))


def _with_words(text: str, spans: Sequence[Span]) -> list[Span]:
    """Without those that hold nothing but punctuation: that two texts share a full stop tells nobody anything."""
    return [span for span in spans if any(character.isalnum() for character in text[span.start : span.end])]
