"""The contract of the decision task: what it asks and what it yields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from textassay.content.expert_sets import SETS, ExpertSets
from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.errors import AnswerError
from textassay.study.model import BlockSettings, Problems
from textassay.study.planning import WORDS_A_SECOND
from textassay.tables.schema import DECISIONS, TARGETS, TableSchema
from textassay.tasks.attention import check_items, check_of
from textassay.tasks.context import context_images, context_row
from textassay.tasks.contract import Payload, Systems, Task, TrialQuestion
from textassay.tasks.decision.plot import make_plot
from textassay.tasks.decision.settings import (
    ACTIONS,
    SERIES,
    DecisionSettings,
    block_problems,
    block_warnings,
    ids,
    suitable_actions,
    written,
)
from textassay.tasks.elicitation import Elicitation
from textassay.tasks.event_marks import legend_view, shown_text

if TYPE_CHECKING:
    import pandas as pd

    from textassay.seeds import Stream
    from textassay.study.study import Block

_SECONDS_A_PLOT = 20.0
_SECONDS_AN_ACTION = 1.5
"""To read it and to think whether it fits."""
_NOTHING = ExpertSets()
ANNOUNCED = (30, 10)
"""Seconds before the end at which the time left is announced to screen readers."""


class Decision(Task[DecisionSettings]):
    """Read a text or look at a plot, then choose what to do."""

    name: ClassVar[str] = "decision"
    title: ClassVar[str] = "Decisions under a time limit"
    Settings: ClassVar[type[BlockSettings]] = DecisionSettings
    schema: ClassVar[TableSchema] = DECISIONS
    block_tables: ClassVar[Mapping[str, TableSchema]] = {"actions": ACTIONS, "targets": TARGETS, "series": SERIES}
    error_criteria: ClassVar[frozenset[str]] = frozenset({"P_INAP"})

    @override
    def shows_text(self, system: str) -> bool:
        return self.settings.shows.get(system, "text") == "text"

    # --- before the study -------------------------------------------------------------------------------------

    @override
    def validate(self) -> Problems:
        return block_problems(self)

    @override
    def warnings(self) -> Iterable[str]:
        return block_warnings(self)

    @override
    def expected_seconds(self, trial: Trial) -> float:
        text, row, shows = self._shown(trial)
        words = len(self.settings.context_of(row).split()) + (len(text.split()) if shows == "text" else 0)
        looking = 0.0 if shows == "text" else _SECONDS_A_PLOT
        needed = words / WORDS_A_SECOND + looking + _SECONDS_AN_ACTION * len(self.block.tables["actions"])
        return min(needed, self.limit_seconds() or needed)

    @override
    def limit_seconds(self) -> float | None:
        return self.settings.limit_seconds

    @override
    def attention_items(self) -> Sequence[str]:
        return check_items(self.settings.attention_checks)

    @override
    def trials(self, slots: Sequence[Sequence[Cell[Systems]]], stream: Stream) -> list[list[Trial]]:
        """Each participant has one order of the actions for all trials, so that it becomes known."""
        planned = super().trials(slots, stream)
        if self.settings.action_order == "fixed":
            return planned
        orders = [self._random_order(stream.child("actions", number)) for number, _ in enumerate(planned)]
        return [
            [replace(trial, randomised={**trial.randomised, "actions": order}) for trial in trials]
            for trials, order in zip(planned, orders, strict=True)
        ]

    def _random_order(self, stream: Stream) -> list[str]:
        nothing = self.settings.no_action
        order = stream.shuffled([action for action in _labels(self.block) if action != nothing])
        return [*order, nothing] if nothing is not None else order

    # --- while it runs ----------------------------------------------------------------------------------------

    @override
    def view(self, trial: Trial) -> Mapping[str, Any]:
        settings, labels = self.settings, _labels(self.block)
        text, row, shows = self._shown(trial)
        return {
            **settings.context_view(row),
            "shows": shows,
            "text": shown_text(self, trial, trial.systems[0] if trial.systems else "", text) if shows == "text" else "",
            **legend_view(self),
            # What cannot be seen by everybody is told in words.
            "description": "" if shows == "text" else text,
            "plot": make_plot(_series(self.block, trial.item), settings.plot_ranges) if shows == "plot" else None,
            "plot_table": settings.plot_table,
            "time_label": settings.time_label or "",
            "shown_image": self._image(trial, row) if shows == "image" else "",
            "question": settings.question,
            "actions": [(action, labels[action]) for action in self._order(trial)],
            "alone": (settings.no_action or "") if settings.no_action_alone else "",
            "limited": settings.limit_seconds is not None,
            "announced": ANNOUNCED,
        }

    def _shown(self, trial: Trial) -> tuple[str, Mapping[str, Any], str]:
        """The trial's text, the row that holds its context, and whether a text, a plot or an image is shown."""
        row = context_row(self, trial)
        if trial.kind == "practice":
            return row["text"], row, str(row.get("shows") or "text")
        if trial.kind == "check":
            check = check_of(self.settings.attention_checks, trial.item)
            return check.text, row, check.shows
        system = trial.systems[0]
        return self.study.texts[trial.item, system], row, self.settings.shows.get(system, "text")

    def _image(self, trial: Trial, row: Mapping[str, Any]) -> str:
        if trial.kind == "check":
            return check_of(self.settings.attention_checks, trial.item).shown_image or ""
        column = "shown_image" if trial.kind == "practice" else self.settings.shown_images[trial.systems[0]]
        return str(row.get(column) or "")

    def _order(self, trial: Trial) -> list[str]:
        """All actions in the order in which they are on the page, whatever was added since the plan was drawn."""
        known = _labels(self.block)
        drawn = [action for action in trial.randomised.get("actions", ()) if action in known]
        return list(dict.fromkeys([*drawn, *known]))

    @override
    def media(self) -> Iterable[str]:
        settings = self.settings
        columns = settings.shown_images.values()
        named = [row.get(column) for row in self.study.items.values() for column in columns]
        named += [row.get("shown_image") for row in self.block.practice.values() if row.get("shows") == "image"]
        named += [check.shown_image for check in settings.attention_checks]
        return dict.fromkeys([*context_images(self), *(str(name) for name in named if name)])

    @override
    def read(self, trial: Trial, payload: Payload) -> Payload:
        settings, chosen = self.settings, payload.get("chosen")
        timed_out = settings.limit_seconds is not None and payload.get("timed_out") is True
        if not isinstance(chosen, list) or (not chosen and not timed_out):
            raise AnswerError({"chosen": "decision.missing"})
        order = self._order(trial)
        if len(chosen) > len(order) or any(action not in order for action in chosen):
            raise AnswerError({"chosen": "decision.unknown"})
        kept = [action for action in order if action in chosen]
        if settings.no_action_alone and settings.no_action in kept and len(kept) > 1:
            raise AnswerError({"chosen": "decision.not_alone"})
        return {"chosen": kept, "timed_out": timed_out}

    @cached_property
    def _suitable(self) -> Mapping[str, ExpertSets]:
        """Which actions suit each item."""
        return suitable_actions(self.block.tables["targets"], self.settings.experts)

    # --- after it ---------------------------------------------------------------------------------------------

    @override
    def rows(self, trial: Trial, payload: Payload) -> list[dict[str, Any]]:
        suitable = self._suitable.get(trial.item, _NOTHING) if trial.kind != "check" else _NOTHING
        sets = {name: written(getattr(suitable, name)) for name in SETS}
        return [
            {
                "item": trial.item,
                "system": trial.systems[0] if trial.systems else "",
                "chosen": written(payload["chosen"]),
                "shown": written(self._order(trial)),
                **sets,
            }
        ]

    @override
    def response(self, rows: Sequence[Mapping[str, Any]]) -> Hashable:
        return tuple(sorted(tuple(sorted(ids(row["chosen"]))) for row in rows))

    @override
    def invalid_reason(self, row: Mapping[str, Any]) -> str | None:
        unknown = [action for action in ids(row["chosen"]) if action not in _labels(self.block)]
        if unknown:
            return f"{unknown[0]!r} is not an action of this block"
        settings = self.settings
        if settings.no_action_alone and settings.no_action in ids(row["chosen"]) and len(ids(row["chosen"])) > 1:
            return f"{settings.no_action!r} was chosen together with other actions"
        return None

    @override
    def passed_attention_check(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        expected = check_of(self.settings.attention_checks, str(rows[0]["item"])).expected
        return set(ids(rows[0]["chosen"])) == set(expected)

    @override
    def largest_differences(self) -> Mapping[str, float]:
        return {"P": 2.0, "P_AP": 1.0, "P_INAP": 1.0, "SP_AP": 1.0}

    @override
    def questions(self) -> Sequence[TrialQuestion]:
        settings, labels = self.settings, _labels(self.block)
        alone = f"; {settings.no_action} only alone" if settings.no_action_alone else ""
        limit = f"; at most {settings.limit_seconds:g} seconds" if settings.limit_seconds is not None else ""
        actions = ", ".join(f"{action} ({label})" for action, label in labels.items())
        return [
            TrialQuestion(
                "chosen",
                settings.question,
                f"one or more of {len(labels)} actions: {actions}{alone}{limit}",
                Elicitation(
                    form="performance",
                    instrument="boxes",
                    size=f"{len(labels)} actions, of which any number can be chosen",
                    values=f"{actions}{alone}",
                    scores="Chosen actions are scored against those that experts find appropriate and inappropriate",
                    objective=True,
                    extrinsic=True,
                ),
            )
        ]

    @classmethod
    @override
    def judgements(cls, table: pd.DataFrame) -> pd.DataFrame:
        """The scores P, P_AP, P_INAP and SP_AP, each as a criterion."""
        from textassay.tasks.decision.scores import as_judgements  # noqa: PLC0415 -- pandas

        return as_judgements(table)

    @override
    def block_judgements(self, table: pd.DataFrame) -> pd.DataFrame:
        """The same, with a column `no_action`: whether to do nothing is what the item asks for."""
        judged = self.judgements(table)
        nothing = self.settings.no_action
        if nothing is None or "target" not in judged:
            return judged
        return judged.assign(no_action=[set(ids(cell)) == {nothing} for cell in judged["target"]])


def _labels(block: Block) -> dict[str, str]:
    return {str(row["action"]): str(row["label"]) for row in block.tables["actions"]}


def _series(block: Block, item: str) -> list[Mapping[str, Any]]:
    return [row.values for row in block.tables["series"] if row["item"] == item]
