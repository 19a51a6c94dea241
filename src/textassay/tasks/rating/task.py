"""The contract of the rating task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.model import BlockSettings
from textassay.study.planning import WORDS_A_SECOND
from textassay.study.texts import as_html
from textassay.tables.schema import JUDGEMENTS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.beside import beside_problems, row_of
from textassay.tasks.contract import Asked, Found, Payload, Task
from textassay.tasks.criteria import Values, value_faults
from textassay.tasks.rating.settings import RatingSettings, Scale

if TYPE_CHECKING:
    import pandas as pd

    from textassay.study.study import Block, Study

_SECONDS_A_RATING = 4.0


class Rating(Task):
    """Rate one text on one or more scales."""

    name: ClassVar[str] = "rating"
    title: ClassVar[str] = "Rating scales"
    Settings: ClassVar[type[BlockSettings]] = RatingSettings
    schema: ClassVar[TableSchema] = JUDGEMENTS

    # --- before the study -------------------------------------------------------------------------------------

    def check(self, block: Block, study: Study) -> Found:
        """See `Task.check`."""
        return beside_problems(_settings(block), block, study)

    def seconds(self, block: Block, trial: Trial, study: Study) -> float:
        """See `Task.seconds`."""
        settings = _settings(block)
        text, row = self._shown(block, trial, study)
        words = len(text.split()) + len(settings.context_of(row).split())
        return words / WORDS_A_SECOND + _SECONDS_A_RATING * len(settings.criteria)

    def checks(self, block: Block) -> Sequence[str]:
        """See `Task.checks`."""
        return check_items(_settings(block).attention_checks)

    # --- while it runs ----------------------------------------------------------------------------------------

    def view(self, block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
        """See `Task.view`."""
        settings = _settings(block)
        text, row = self._shown(block, trial, study)
        return {
            "text": as_html(text, settings.texts_are),
            **settings.beside(row),
            "criteria": settings.criteria,
            **settings.comment_box(),
        }

    def _shown(self, block: Block, trial: Trial, study: Study) -> tuple[str, Mapping[str, Any]]:
        """The trial's text, and the row that holds its context."""
        if trial.kind == "check":
            check, column = check_of(_settings(block).attention_checks, trial.item), _settings(block).context
            return check.text, {column: check.context} if column else {}
        practice = trial.kind == "practice"
        text = block.practice[trial.item]["text"] if practice else study.texts[trial.item, trial.systems[0]]
        return text, row_of(block, trial, study)

    def media(self, block: Block, study: Study) -> Iterable[str]:
        """See `Task.media`."""
        return _settings(block).images(block, study)

    def read(self, block: Block, trial: Trial, payload: Payload) -> Payload:
        """See `Task.read`."""
        del trial  # all trials of a block are answered alike
        settings = _settings(block)
        scales = {criterion.name: criterion.scale for criterion in settings.criteria}
        values = [
            Values(name, scale.values.__contains__, scale.middle if scale.widget == "slider" else None)
            for name, scale in scales.items()
        ]
        wrong = {**value_faults(payload, "ratings", values, self.name), **settings.comment_faults(payload)}
        if wrong:
            raise AnswerError(wrong)
        kept = {name: payload["ratings"][name] for name in scales}
        return {"ratings": kept, **settings.kept_comment(payload)}

    # --- after it ---------------------------------------------------------------------------------------------

    def rows(self, block: Block, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """See `Task.rows`."""
        system = trial.systems[0] if trial.systems else ""
        common = {"item": trial.item, "system": system}
        comment = _settings(block).comment_cell(payload)
        return [{**common, "criterion": name, "value": value, **comment} for name, value in payload["ratings"].items()]

    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        """See `Task.response`."""
        return tuple(sorted((row["criterion"], row["value"]) for row in rows))

    def outside(self, block: Block, row: Mapping[str, Any]) -> str | None:
        """See `Task.outside`."""
        scales = {criterion.name: criterion.scale for criterion in _settings(block).criteria}
        scale = scales.get(row["criterion"])
        if scale is None:
            return f"criterion {row['criterion']!r} is not asked in this block"
        if row["value"] not in scale.values:
            return f"{row['criterion']} {row['value']:g} is outside {scale.low} to {scale.high}"
        return None

    def passed(self, block: Block, rows: Sequence[Mapping[str, Any]]) -> bool:
        """See `Task.passed`."""
        given = {row["criterion"]: row["value"] for row in rows}
        expected = check_of(_settings(block).attention_checks, str(rows[0]["item"])).expected
        return all(given.get(name) == value for name, value in expected.items())

    def asked(self, block: Block) -> Sequence[Asked]:
        """See `Task.asked`."""
        return [Asked(each.name, each.question, _in_words(each.scale)) for each in _settings(block).criteria]

    def judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """See `Task.judgements`: ratings are judgements already."""
        return table


def _settings(block: Block) -> RatingSettings:
    return cast("RatingSettings", block.settings)


def _in_words(scale: Scale) -> str:
    low, high = (
        f"{value} ({scale.labels[value]})" if value in scale.labels else f"{value}" for value in (scale.low, scale.high)
    )
    widget = "radio buttons" if scale.widget == "radio" else "unmarked slider"
    numbers = ", numbers not shown" if scale.widget == "radio" and not scale.numbers else ""
    return f"{low} to {high}, {widget}{numbers}"
