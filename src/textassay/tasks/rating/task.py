"""The contract of the rating task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.seeds import Stream
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.tables.schema import JUDGEMENTS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.cannot_judge import cannot_be_judged, with_unjudged
from textassay.tasks.comments import kept_why, why_cells, why_faults
from textassay.tasks.context import context_images, context_problems, context_row, context_warnings
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.criteria import AllowedValues, value_faults
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.event_marks import event_mark_problems, event_mark_warnings, legend_view, shown_text
from textassay.tasks.rating.page_texts import (
    asked_in,
    columns_for,
    number_of_texts,
    page_numbers,
    page_problems,
    page_warnings,
    pages,
    scales_of,
    sets_of_systems,
    shows_every_text,
    texts_of,
    texts_on_a_page,
)
from textassay.tasks.rating.settings import RatingSettings, Scale

if TYPE_CHECKING:
    import pandas as pd


_SECONDS_A_RATING = 4.0


class Rating(Task[RatingSettings]):
    """Rate one text, or several systems' texts of an item on one page, on one or more scales."""

    name: ClassVar[str] = "rating"
    title: ClassVar[str] = "Rating scales"
    Settings: ClassVar[type[BlockSettings]] = RatingSettings
    schema: ClassVar[TableSchema] = JUDGEMENTS

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        yield from context_problems(self)
        yield from event_mark_problems(self)
        yield from page_problems(self)

    @override
    def warnings(self) -> Iterable[str]:
        return [*context_warnings(self), *event_mark_warnings(self), *page_warnings(self)]

    @property
    @override
    def condition_label(self) -> str:
        return "set of systems" if self.settings.together else "system"

    @override
    def conditions(self) -> Sequence[Systems]:
        """Each system by itself, or the sets of systems whose texts share a page."""
        return sets_of_systems(self) if self.settings.together else super().conditions()

    @override
    def judged(self, item: str, systems: Systems) -> Sequence[tuple[str, Systems]]:
        return [(item, (system,)) for system in systems]

    @override
    def cells(self) -> list[Cell[Systems]]:
        return pages(self) if self.settings.together and shows_every_text(self) else super().cells()

    @override
    def randomise(self, cell: Cell[Systems], stream: Stream) -> Mapping[str, Any]:
        """The order of the texts on the page."""
        if self.settings.together is None:
            return {}
        return {"order": stream.child("order").permutation(number_of_texts(self, cell.item, cell.condition))}

    @override
    def _randomised(self, trials: list[Trial], stream: Stream) -> list[Trial]:
        return super()._randomised(trials, stream) if self.settings.together else trials

    @override
    def plan_inputs(self) -> object:
        return page_numbers(self) if self.settings.together else None

    @override
    def expected_seconds(self, trial: Trial) -> float:
        settings, scales = self.settings, scales_of(self, trial)
        shown = [text.text for text in texts_of(self, trial)]
        words = sum(len(text.split()) for text in (*shown, settings.context_of(context_row(self, trial))))
        return words / WORDS_A_SECOND + _SECONDS_A_RATING * len(scales)

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings = self.settings
        shown, scales = texts_of(self, trial), scales_of(self, trial)
        return {
            "texts": [
                {
                    "place": each.place,
                    "html": shown_text(self, trial, each.name, each.text),
                    "criteria": [scale.asked for scale in scales if scale.place == each.place],
                }
                for each in shown
            ],
            "together": settings.together is not None,
            "columns": columns_for(self, len(shown)),
            **legend_view(self),
            **settings.context_view(context_row(self, trial)),
            "cannot_judge": settings.cannot_judge,
            **settings.comment_box(),
        }

    @override
    def media(self) -> Iterable[str]:
        return context_images(self)

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        settings = self.settings
        asked = [each.asked for each in scales_of(self, trial)]
        scales = {each.name: each.scale for each in asked}
        values = [
            AllowedValues(name, scale.values.__contains__, scale.middle if scale.widget == "slider" else None)
            for name, scale in scales.items()
        ]
        unjudged = cannot_be_judged(payload)
        wrong = {
            **value_faults(payload, "ratings", values, self.name, without=unjudged),
            **settings.cannot_judge_faults(payload, scales, "ratings"),
            **why_faults(payload, asked, self.name),
            **settings.comment_faults(payload),
        }
        if wrong:
            raise AnswerError(wrong)
        kept = {name: payload["ratings"][name] for name in scales if name not in unjudged}
        written = {**kept_why(payload, asked), **settings.kept_comment(payload)}
        return {"ratings": kept, **settings.kept_cannot_judge(payload, scales), **written}

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        settings, comment = self.settings, self.settings.comment_cell(payload)
        return [
            {
                "item": trial.item,
                **place,
                "value": value,
                **settings.cannot_judge_cell(payload, field),
                **why_cells(payload, field),
                **comment,
            }
            for field, value in with_unjudged(payload, "ratings").items()
            for place in [asked_in(self, trial, field)]
        ]

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """The ratings; of several texts by their places on the page, and all the same where none is told from another.

        A participant who does not read gives all texts of a page the same, or always the same by their places.
        """
        if not self.settings.together:
            return tuple(sorted((row["criterion"], row["value"]) for row in rows))
        given: dict[str, set[float]] = {}
        for row in rows:
            given.setdefault(row["criterion"], set()).add(row["value"])
        if len(rows) > len(given) and all(len(values) == 1 for values in given.values()):
            return "all texts alike"
        placed = ((row["criterion"], str(row.get("page_position") or row["system"]), row["value"]) for row in rows)
        return tuple(sorted(placed))

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
        """What the text with the instruction says; answers about other texts on its page may be any."""
        asked = [row for row in rows if str(row["system"]) in ("", "1")]
        given = {row["criterion"]: row["value"] for row in asked}
        expected = check_of(self.settings.attention_checks, str(rows[0]["item"])).expected
        return all(given.get(name) == value for name, value in expected.items())

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {each.name: float(each.scale.high - each.scale.low) for each in self.settings.criteria}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        unjudged = self.settings.or_cannot_judge()
        together = f"; {texts_on_a_page(self)} texts on one page" if self.settings.together else ""
        return [
            TrialQuestion(
                each.name,
                each.question,
                f"{_in_words(each.scale)}{unjudged}{together}",
                _elicitation(each.scale, unjudged),
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
