"""The contract of the rating task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.model import BlockSettings
from textassay.study.texts import as_html
from textassay.tables.schema import JUDGEMENTS, TableSchema
from textassay.tasks.contract import Payload, Player, Task
from textassay.tasks.rating.settings import Criterion, RatingSettings

if TYPE_CHECKING:
    import pandas as pd

    from textassay.results import Analysis
    from textassay.seeds import Stream
    from textassay.study.study import Block, Study

_CHECK = "check-"
_COMMENT_LENGTH = 5000
_IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg")
_WORDS_A_SECOND = 3.5
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
        settings = _settings(block)
        names = [criterion.name for criterion in settings.criteria]
        for index, name in enumerate(names):
            if name in names[:index]:
                yield ("criteria", index, "name"), f"criterion {name!r} stands there twice; rename one"
        yield from _column_problems(settings, study)
        yield from _image_problems(settings, study)
        scales = {criterion.name: criterion.scale for criterion in settings.criteria}
        for index, attention in enumerate(settings.attention_checks):
            for name, value in attention.expected.items():
                where = ("attention_checks", index, "expected", name)
                if name not in scales:
                    yield where, f"{name!r} is not a criterion of this block; known: {', '.join(names)}"
                elif value not in scales[name].values:
                    yield where, f"{value} is outside the scale from {scales[name].low} to {scales[name].high}"

    def seconds(self, block: Block, trial: Trial, study: Study) -> float:
        """See `Task.seconds`."""
        shown = self.view(block, trial, study)
        words = len(f"{shown['plain']} {shown['context_plain']}".split())
        return words / _WORDS_A_SECOND + _SECONDS_A_RATING * len(_settings(block).criteria)

    def checks(self, block: Block) -> Sequence[str]:
        """See `Task.checks`."""
        return [f"{_CHECK}{number}" for number, _ in enumerate(_settings(block).attention_checks, 1)]

    # --- while it runs ----------------------------------------------------------------------------------------

    def view(self, block: Block, trial: Trial, study: Study) -> Mapping[str, Any]:
        """See `Task.view`."""
        settings = _settings(block)
        text, row = self._shown(block, trial, study)
        context = str(row.get(settings.context) or "") if settings.context else ""
        return {
            "text": as_html(text, settings.texts_are),
            "plain": text,
            "context": as_html(context, settings.texts_are) if context else "",
            "context_plain": context,
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
            return _settings(block).attention_checks[int(trial.item.removeprefix(_CHECK)) - 1].text, {}
        item = study.items.get(trial.item)
        return study.texts[trial.item, trial.systems[0]], item.values if item else {}

    def media(self, block: Block, study: Study) -> Iterable[str]:
        """See `Task.media`."""
        column = _settings(block).image
        rows = [*study.items.values(), *block.practice.values()] if column else []
        return [str(row.get(column)) for row in rows if column and row.get(column)]

    def read(self, block: Block, trial: Trial, payload: Payload) -> Payload:
        """See `Task.read`."""
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
        comment = payload.get("comment") or ""
        if not isinstance(comment, str) or len(comment) > _COMMENT_LENGTH:
            wrong["comment"] = "rating.comment_too_long"
        if wrong:
            raise AnswerError(wrong)
        answer: dict[str, Any] = {
            "ratings": {criterion.name: ratings[criterion.name] for criterion in settings.criteria}
        }
        return {**answer, "comment": comment.strip()} if settings.comment else answer

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

    def criteria(self, block: Block) -> Mapping[str, str]:
        """See `Task.criteria`."""
        return {criterion.name: _in_words(criterion) for criterion in _settings(block).criteria}

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

    def judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """See `Task.judgements`: ratings are judgements already."""
        return table


def _settings(block: Block) -> RatingSettings:
    return cast("RatingSettings", block.settings)


def _in_words(criterion: Criterion) -> str:
    scale = criterion.scale
    labels = ", ".join(f"{value} = {label}" for value, label in sorted(scale.labels.items()))
    return f"{criterion.question} ({scale.low} to {scale.high}{', ' if labels else ''}{labels})"


def _column_problems(settings: RatingSettings, study: Study) -> Iterator[tuple[tuple[str | int, ...], str]]:
    columns = list(next(iter(study.items.values())).values) if study.items else []
    for key in ("context", "image", "image_description"):
        column = getattr(settings, key)
        if column is not None and not study.items:
            yield (key,), f"column {column!r} is to be in the items table, but there is none; add tables.items"
        elif column is not None and column not in columns:
            yield (key,), f"the items table has no column {column!r}; columns there: {', '.join(columns)}"
    if settings.image is not None and settings.image_description is None:
        message = (
            "an image needs words for those who cannot see it; name the column that holds them in 'image_description'"
        )
        yield ("image",), message


def _image_problems(settings: RatingSettings, study: Study) -> Iterator[tuple[tuple[str | int, ...], str]]:
    column = settings.image
    for item, row in study.items.items() if column else ():
        name = str(row.get(column) or "")
        if not name:
            continue
        path = (study.directory / name).resolve()
        if not path.is_relative_to(study.directory.resolve()):
            yield (
                ("image",),
                f"image {name!r} of item {item!r} is outside the study directory; copy it into the directory",
            )
        elif not path.is_file():
            yield ("image",), f"image {name!r} of item {item!r} is not there; create it or correct the items table"
        elif path.suffix.lower() not in _IMAGES:
            yield ("image",), f"image {name!r} of item {item!r} is not an image; use one of {', '.join(_IMAGES)}"
