"""The texts on one page of a rating block: one, or those of several systems, in an order drawn for each trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textassay.design.assignment import Cell
from textassay.design.plan import Trial
from textassay.design.sets import cut_into_pages, page_sizes, system_sets
from textassay.seeds import Stream
from textassay.study.model import Problems
from textassay.tasks.attention import check_of, several_texts_problems
from textassay.tasks.context import told_apart
from textassay.tasks.rating.settings import MOST_TEXTS, Criterion, RatingSettings

if TYPE_CHECKING:
    from textassay.tasks.contract import Systems, Task

MOST_BUTTONS_IN_COLUMN = 7
"""Radio buttons that fit one of three or four columns."""


@dataclass(frozen=True)
class PageText:
    """One text of a page."""

    name: str
    """In column `system`: the system; the practice table's unit; the number of a check's text, which has the
    instruction if it is 1. Empty for practice and checks where a page shows one text."""
    text: str
    place: int
    """On the page, from 1."""


@dataclass(frozen=True)
class PageScale:
    """One question about one text of a page."""

    field: str
    """Its name in the page and in the payload, which tells nothing but the place."""
    name: str
    """Of the text, as in `PageText`."""
    place: int
    criterion: Criterion

    @property
    def asked(self) -> Criterion:
        """The criterion under the name of the field."""
        named = self.field == self.criterion.name
        return self.criterion if named else self.criterion.model_copy(update={"name": self.field})


def texts_of(task: Task[RatingSettings], trial: Trial) -> list[PageText]:
    """The texts of a trial in the order in which they are shown."""
    if task.settings.together:
        named = _named_texts(task, trial.item, trial.systems)
        shown = [named[index] for index in trial.randomised["order"]]
        return [PageText(name, text, place) for place, (name, text) in enumerate(shown, 1)]
    if trial.kind == "check":
        return [PageText("", check_of(task.settings.attention_checks, trial.item).text, 1)]
    if trial.kind == "practice":
        return [PageText("", task.block.practice[trial.item].values["text"], 1)]
    (system,) = trial.systems
    return [PageText(system, task.study.texts[trial.item, system], 1)]


def scales_of(task: Task[RatingSettings], trial: Trial) -> list[PageScale]:
    """All questions of a page: text by text where there are several."""
    criteria = task.settings.criteria
    if not task.settings.together:
        system = trial.systems[0] if trial.systems else ""
        return [PageScale(each.name, system, 1, each) for each in criteria]
    texts = texts_of(task, trial)
    return [PageScale(f"{x.place}.{each.name}", x.name, x.place, each) for x in texts for each in criteria]


def asked_in(task: Task[RatingSettings], trial: Trial, field: str) -> dict[str, Any]:
    """Which text and criterion a field of the payload is about, as columns of its row."""
    if not task.settings.together:
        return {"system": trial.systems[0] if trial.systems else "", "criterion": field}
    place, _, criterion = field.partition(".")
    text = texts_of(task, trial)[int(place) - 1]
    return {"system": text.name, "criterion": criterion, "page_position": text.place}


def number_of_texts(task: Task[RatingSettings], item: str, systems: Systems) -> int:
    """How many texts a trial shows where several share a page."""
    return len(_named_texts(task, item, systems))


def _named_texts(task: Task[RatingSettings], item: str, systems: Systems) -> list[tuple[str, str]]:
    """Name and text, in the order of the data; trials without systems are practice or checks."""
    if systems:
        return [(system, task.study.texts[item, system]) for system in systems]
    if item in task.block.practice:
        return [(unit.id, unit.text) for unit in task.block.practice_units.get(item, ())]
    check = check_of(task.settings.attention_checks, item)
    return [(str(number), text) for number, text in enumerate([check.text, *check.other_texts], 1)]


def columns_for(task: Task[RatingSettings], texts: int) -> int:
    """In how many columns a wide screen shows so many texts; long scales need wide columns.

    Five or six texts come in rows of three, more in rows of three or four.
    """
    buttons = [len(each.scale.values) for each in task.settings.criteria if each.scale.widget == "radio"]
    most = 2 if max(buttons, default=0) > MOST_BUTTONS_IN_COLUMN else 4
    return min(most, texts if texts <= most else 3 if texts in (5, 6, 9) else 4)


# --- which texts share a page ---------------------------------------------------------------------------------


def texts_on_a_page(task: Task[RatingSettings]) -> int:
    """How many texts a page shows where all systems have one."""
    systems = len(task.study.systems)
    return systems if task.settings.together == "all" else min(task.settings.together or 1, systems)


def sets_of_systems(task: Task[RatingSettings]) -> list[Systems]:
    """The sets of systems whose texts of an item share a page."""
    if shows_every_text(task):
        return list(dict.fromkeys(cell.condition for cell in pages(task)))
    stream = Stream(task.study.file.seed, "rating", "sets", task.block.name)
    return system_sets(task.study.systems, texts_on_a_page(task), stream)


def pages(task: Task[RatingSettings]) -> list[Cell[Systems]]:
    """Pages on which every text is once, for designs in which every text gets its judgements."""
    study = task.study
    own = [
        (item, tuple(system for system in study.systems if (item, system) in study.texts))
        for item in study.items_in_order
    ]
    present = tuple((item, systems) for item, systems in own if systems)
    return list(cut_into_pages(present, texts_on_a_page(task), study.file.seed, task.block.name))


def page_problems(task: Task[RatingSettings]) -> Problems:
    """Why these texts cannot share pages."""
    settings, study = task.settings, task.study
    n, size = len(study.systems), texts_on_a_page(task)
    if settings.together is None:
        return
    if n < 2:
        yield ("together",), f"there is only one system ({study.systems[0]!r}), so no texts share a page; remove it"
    elif settings.together == "all" and n > MOST_TEXTS:
        yield ("together",), f"{n} texts do not fit a page (at most {MOST_TEXTS}); say how many are to share one"
    elif isinstance(settings.together, int) and settings.together > n:
        yield ("together",), f"got {settings.together}, but there are only {n} systems; lower it, or write 'all'"
    elif shows_every_text(task) and 1 in page_sizes(n, size):
        yield (
            ("together",),
            f"{n} texts of an item cannot be put on pages of {size} without leaving one alone; use {size + 1} or 'all'",
        )
    if settings.design.between is not None:
        yield ("design", "between"), "texts of several systems share a page, so that everybody sees several; remove one"
    yield from several_texts_problems(task, "to show together")


def page_warnings(task: Task[RatingSettings]) -> Iterator[str]:
    """What tells attention checks from other pages, and texts that are alone on their page."""
    if task.settings.together is None:
        return
    size = texts_on_a_page(task)
    for number, check in enumerate(task.settings.attention_checks, 1):
        texts = 1 + len(check.other_texts)
        if texts != size:
            why = f"its page has {texts} {'text' if texts == 1 else 'texts'}, and the other pages have {size}"
            yield told_apart(task, number, why, "give it as many, in 'other_texts'")
    alone = [cell.item for cell in pages(task) if len(cell.condition) == 1] if shows_every_text(task) else []
    if alone:
        which = f"item {alone[0]!r}" if len(alone) == 1 else f"{len(alone)} items (the first is {alone[0]!r})"
        yield f"block {task.block.name!r}: a text of {which} is alone on its page, since other systems have none"


def shows_every_text(task: Task[RatingSettings]) -> bool:
    """Whether the design gives every text its judgements, rather than showing each participant an item once."""
    design = task.settings.design
    return design.everyone is not None or design.judgements_per_text is not None


def page_numbers(task: Task[RatingSettings]) -> Sequence[int]:
    """How many texts practice and checks show: what is drawn for them depends on it."""
    return [number_of_texts(task, item, ()) for item in (*task.block.practice, *task.attention_items())]
