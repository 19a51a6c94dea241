"""The contract of the rating task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.tables.schema import JUDGEMENTS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.cannot_judge import cannot_be_judged, with_unjudged
from textassay.tasks.comments import kept_why, why_cells, why_faults
from textassay.tasks.context import context_images, context_problems, context_row, context_warnings
from textassay.tasks.contract import Payload, Task, TrialQuestion
from textassay.tasks.criteria import AllowedValues, value_faults
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.event_marks import event_mark_problems, event_mark_warnings, legend_view, shown_text
from textassay.tasks.rating.settings import RatingSettings, Scale

if TYPE_CHECKING:
    import pandas as pd


_SECONDS_A_RATING = 4.0


class Rating(Task[RatingSettings]):
    """Rate one text on one or more scales."""

    name: ClassVar[str] = "rating"
    title: ClassVar[str] = "Rating scales"
    Settings: ClassVar[type[BlockSettings]] = RatingSettings
    schema: ClassVar[TableSchema] = JUDGEMENTS

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        yield from context_problems(self)
        yield from event_mark_problems(self)

    @override
    def warnings(self) -> Iterable[str]:
        return [*context_warnings(self), *event_mark_warnings(self)]

    @override
    def expected_seconds(self, trial: Trial) -> float:
        settings = self.settings
        text, row = self._shown(trial)
        words = len(text.split()) + len(settings.context_of(row).split())
        return words / WORDS_A_SECOND + _SECONDS_A_RATING * len(settings.criteria)

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings = self.settings
        text, row = self._shown(trial)
        return {
            "text": shown_text(self, trial, trial.systems[0] if trial.systems else "", text),
            **legend_view(self),
            **settings.context_view(row),
            "criteria": settings.criteria,
            "cannot_judge": settings.cannot_judge,
            **settings.comment_box(),
        }

    def _shown(self, trial: Trial) -> tuple[str, Mapping[str, Any]]:
        """The trial's text, and the row that holds its context."""
        row = context_row(self, trial)
        if trial.kind == "check":
            return check_of(self.settings.attention_checks, trial.item).text, row
        return row["text"] if trial.kind == "practice" else self.study.texts[trial.item, trial.systems[0]], row

    @override
    def media(self) -> Iterable[str]:
        return context_images(self)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        del trial  # all trials of a block are answered alike
        settings = self.settings
        scales = {criterion.name: criterion.scale for criterion in settings.criteria}
        values = [
            AllowedValues(name, scale.values.__contains__, scale.middle if scale.widget == "slider" else None)
            for name, scale in scales.items()
        ]
        unjudged = cannot_be_judged(payload)
        wrong = {
            **value_faults(payload, "ratings", values, self.name, without=unjudged),
            **settings.cannot_judge_faults(payload, scales, "ratings"),
            **why_faults(payload, settings.criteria, self.name),
            **settings.comment_faults(payload),
        }
        if wrong:
            raise AnswerError(wrong)
        kept = {name: payload["ratings"][name] for name in scales if name not in unjudged}
        written = {**kept_why(payload, settings.criteria), **settings.kept_comment(payload)}
        return {"ratings": kept, **settings.kept_cannot_judge(payload, scales), **written}

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        system = trial.systems[0] if trial.systems else ""
        common = {"item": trial.item, "system": system}
        settings, comment = self.settings, self.settings.comment_cell(payload)
        return [
            {
                **common,
                "criterion": name,
                "value": value,
                **settings.cannot_judge_cell(payload, name),
                **why_cells(payload, name),
                **comment,
            }
            for name, value in with_unjudged(payload, "ratings").items()
        ]

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        return tuple(sorted((row["criterion"], row["value"]) for row in rows))

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        scales = {criterion.name: criterion.scale for criterion in self.settings.criteria}
        scale = scales.get(row["criterion"])
        if scale is None:
            return f"criterion {row['criterion']!r} is not asked in this block"
        if row["value"] is None:
            return self.settings.cannot_judge_reason(row)
        if row["value"] not in scale.values:
            return f"{row['criterion']} {row['value']:g} is outside {scale.low} to {scale.high}"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        given = {row["criterion"]: row["value"] for row in rows}
        expected = check_of(self.settings.attention_checks, str(rows[0]["item"])).expected
        return all(given.get(name) == value for name, value in expected.items())

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {each.name: float(each.scale.high - each.scale.low) for each in self.settings.criteria}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        unjudged = self.settings.or_cannot_judge()
        return [
            TrialQuestion(
                each.name, each.question, _in_words(each.scale) + unjudged, _elicitation(each.scale, unjudged)
            )
            for each in self.settings.criteria
        ]

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """Ratings are judgements already, but for texts that could not be judged."""
        from textassay.analysis.judgements import without_unjudged  # noqa: PLC0415 -- pandas

        return without_unjudged(table)


def _elicitation(scale: Scale, unjudged: str) -> Elicitation:
    labels = "".join(f"; {value} is “{words}”" for value, words in sorted(scale.labels.items()))
    return Elicitation(
        form="direct",
        instrument="choices" if scale.widget == "radio" else "slider",
        size=str(len(scale.values)),
        begins=scale.low,
        values=f"whole numbers from {scale.low} to {scale.high}{labels}{unjudged}",
        scores="Ratings count as given; a system's score is its mean, adjusted for participants and items",
        extrinsic=False,
        agreement=("alpha", "mean r with the others", "mean rho with the others"),
    )


def _in_words(scale: Scale) -> str:
    low, high = (
        f"{value} ({scale.labels[value]})" if value in scale.labels else f"{value}" for value in (scale.low, scale.high)
    )
    widget = "radio buttons" if scale.widget == "radio" else "unmarked slider"
    numbers = ", numbers not shown" if scale.widget == "radio" and not scale.numbers else ""
    return f"{low} to {high}, {widget}{numbers}"
