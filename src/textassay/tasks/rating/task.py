"""The contract of the rating task: what it asks and what it yields."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.model import AnalysisOptions, BlockSettings
from textassay.study.planning import WORDS_A_SECOND
from textassay.study.texts import as_html
from textassay.tables.schema import JUDGEMENTS, TableSchema
from textassay.tasks.contract import Asked, Payload, Player, Task
from textassay.tasks.rating.checks import block_problems
from textassay.tasks.rating.settings import RatingSettings, Scale

if TYPE_CHECKING:
    import pandas as pd

    from textassay.results import Analysis
    from textassay.seeds import Stream
    from textassay.study.study import Block, Study

_CHECK = "check-"
_COMMENT_LENGTH = 5000
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""What no file can hold: NUL, and half an emoji, which is left where a browser cuts a comment that is too long."""
_SECONDS_A_RATING = 4.0


class Rating(Task):
    """Rate one text on one or more scales."""

    name: ClassVar[str] = "rating"
    title: ClassVar[str] = "Rating scales"
    Settings: ClassVar[type[BlockSettings]] = RatingSettings
    schema: ClassVar[TableSchema] = JUDGEMENTS

    # --- before the study -------------------------------------------------------------------------------------

    def check(self, block: Block, study: Study) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """See `Task.check`."""
        return block_problems(_settings(block), block, study)

    def seconds(self, block: Block, trial: Trial, study: Study) -> float:
        """See `Task.seconds`."""
        settings = _settings(block)
        text, row = self._shown(block, trial, study)
        words = len(text.split()) + len(_context(settings, row).split())
        return words / WORDS_A_SECOND + _SECONDS_A_RATING * len(settings.criteria)

    def checks(self, block: Block) -> Sequence[str]:
        """See `Task.checks`."""
        return [f"{_CHECK}{number}" for number, _ in enumerate(_settings(block).attention_checks, 1)]

    # --- while it runs ----------------------------------------------------------------------------------------

    def view(self, block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
        """See `Task.view`."""
        settings = _settings(block)
        text, row = self._shown(block, trial, study)
        context = _context(settings, row)
        return {
            "text": as_html(text, settings.texts_are),
            "context": as_html(context, settings.texts_are) if context else "",
            "image": (row.get(settings.image) or "") if settings.image else "",
            "image_description": (row.get(settings.image_description) or "") if settings.image_description else "",
            "criteria": settings.criteria,
            "comment": settings.comment,
            "comment_length": _COMMENT_LENGTH,
        }

    def _shown(self, block: Block, trial: Trial, study: Study) -> tuple[str, Mapping[str, Any]]:
        """The trial's text, and the row that holds its context."""
        if trial.kind == "practice":
            row = block.practice[trial.item]
            return row["text"], row.values
        if trial.kind == "check":
            check = _settings(block).attention_checks[int(trial.item.removeprefix(_CHECK)) - 1]
            column = _settings(block).context
            return check.text, {column: check.context} if column else {}
        item = study.items.get(trial.item)
        return study.texts[trial.item, trial.systems[0]], item.values if item else {}

    def media(self, block: Block, study: Study) -> Iterable[str]:
        """See `Task.media`."""
        column = _settings(block).image
        rows = [*study.items.values(), *block.practice.values()] if column else []
        return [str(row.get(column)) for row in rows if column and row.get(column)]

    def read(self, block: Block, trial: Trial, payload: Payload) -> Payload:
        """See `Task.read`."""
        del trial  # all trials of a block are answered alike
        settings = _settings(block)
        ratings, confirmed = payload.get("ratings"), payload.get("confirmed") or {}
        if not isinstance(ratings, Mapping) or not isinstance(confirmed, Mapping):
            raise AnswerError({criterion.name: "rating.missing" for criterion in settings.criteria})
        wrong: dict[str, str] = {}
        for criterion in settings.criteria:
            value, scale = ratings.get(criterion.name), criterion.scale
            if value is None:
                wrong[criterion.name] = "rating.missing"
            elif type(value) is not int or value not in scale.values:
                wrong[criterion.name] = "rating.outside"
            elif scale.widget == "slider" and value == scale.middle and confirmed.get(criterion.name) is not True:
                wrong[criterion.name] = "rating.unconfirmed"
        comment = payload.get("comment", "")
        if not isinstance(comment, str) or len(comment) > _COMMENT_LENGTH:
            wrong["comment"] = "rating.comment_too_long"
        if wrong:
            raise AnswerError(wrong)
        answer: dict[str, Any] = {
            "ratings": {criterion.name: ratings[criterion.name] for criterion in settings.criteria}
        }
        return (
            {**answer, "comment": _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", comment).strip()}
            if settings.comment
            else answer
        )

    # --- after it ---------------------------------------------------------------------------------------------

    def rows(self, block: Block, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        """See `Task.rows`."""
        system = trial.systems[0] if trial.systems else ""
        common = {"item": trial.item, "system": system}
        comment = {"comment": payload.get("comment", "")} if _settings(block).comment else {}
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
        number = int(str(rows[0]["item"]).removeprefix(_CHECK))
        given = {row["criterion"]: row["value"] for row in rows}
        expected = _settings(block).attention_checks[number - 1].expected
        return all(given.get(name) == value for name, value in expected.items())

    def asked(self, block: Block) -> Sequence[Asked]:
        """See `Task.asked`."""
        return [Asked(each.name, each.question, _in_words(each.scale)) for each in _settings(block).criteria]

    # --- its own participant, its own statistics --------------------------------------------------------------

    def player(self, block: Block, study: Study, number: int, stream: Stream) -> Player:
        """See `Task.player`."""
        from textassay.tasks.rating.simulate import RatingPlayer  # noqa: PLC0415 -- not needed to serve

        return RatingPlayer(block, study, number, stream)

    def analyse(
        self, block: Block, study: Study, table: pd.DataFrame, participants: pd.DataFrame
    ) -> Sequence[Analysis]:
        """See `Task.analyse`."""
        from textassay.tasks.rating.analysis import analyse  # noqa: PLC0415 -- pandas and scipy, not needed to serve

        return analyse(block, study, table, participants)

    def analyse_table(self, table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
        """See `Task.analyse_table`."""
        from textassay.tasks.rating.analysis import analyse_table  # noqa: PLC0415 -- pandas and scipy

        return analyse_table(table, options)

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


def _context(settings: RatingSettings, row: Mapping[str, Any]) -> str:
    return str(row.get(settings.context) or "") if settings.context else ""
