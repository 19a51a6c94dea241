"""The leading test of every kind of trial, where no system is better: all systems together, and any pair after Holm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
import numpy.typing as npt
from _calibration import Check
from _calibration_claims import ANY_REJECTED, rejects, rejects_any, size_within

from textassay.design.assignment import Cell
from textassay.design.between import Between
from textassay.design.dealing import deal, even_sizes
from textassay.design.own_plan import OwnPlan
from textassay.design.schemes import Rotation, Scheme
from textassay.design.strata import Strata
from textassay.seeds import Stream
from textassay.stats import AnovaTypeTest, anova_type_contrasts, anova_type_test

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_MOST = 0.075
_WHY = "must not be liberal; Bradley's liberal criterion above, no bound below"
_SIZES = {"8 × 8": (8, 8), "30 × 6": (30, 6), "20 × 110": (20, 110), "70 × 20": (70, 20), "5 × 200": (5, 200),
          "3 × 300": (3, 300)}  # fmt: skip
_UNEQUAL = (0.03, 0.9)
"""SD of item × system: of all systems but one, and of that one."""


@dataclass(frozen=True)
class Situation:
    """A design, and what varies in it."""

    people: int
    items: int
    systems: int
    by_person: float = 0.0
    """SD of participant × system; those of what is left is 1."""
    by_item: float = 0.0
    by_both: float = 0.0
    """SD of participant × item, where everyone judges everything."""
    unequal: bool = False
    missing: bool = False
    crowded: bool = False
    everyone: bool = False

    @cached_property
    def design(self) -> tuple[Ints, Ints, Ints]:
        """Participant, item and system of each answer."""
        if self.everyone:
            person, item, system = (each.ravel() for each in np.indices((self.people, self.items, self.systems)))
        else:
            person, item = np.divmod(np.arange(self.people * self.items), self.items)
            system = (person + item) % self.systems
        kept = np.random.default_rng(1).random(person.size) >= 0.2 * self.missing
        return person[kept], item[kept], system[kept]

    def values(self, random: np.random.Generator) -> Floats:
        """One value per answer."""
        person, item, system = self.design
        of_items = np.full(self.systems, self.by_item)
        if self.unequal:
            of_items[:-1], of_items[-1] = _UNEQUAL
        shape = (self.people, self.systems), (self.items, self.systems)
        y = random.normal(size=self.people)[person] + 0.7 * random.normal(size=self.items)[item]
        y += (self.by_person * random.normal(size=shape[0]))[person, system]
        y += (self.by_both * random.normal(size=(self.people, self.items)))[person, item] if self.by_both else 0.0
        y += (of_items * random.normal(size=shape[1]))[item, system] + random.normal(size=person.size)
        return np.clip(np.round(y + 4.5), 1, 5) if self.crowded else y

    def draw(self, random: np.random.Generator) -> list[float]:
        """Whether the test rejects, and any pair."""
        person, item, system = self.design
        return _answers(anova_type_test(self.values(random), system, person, item))

    @property
    def words(self) -> str:
        """What is drawn."""
        said = [f"{self.people} participants × {self.items} items, {self.systems} systems"]
        said += ["everyone judges everything"] if self.everyone else []
        said += ["20 % missing"] if self.missing else []
        said += ["five-point scale crowded at its end"] if self.crowded else []
        spread = f"SD of item × system {_UNEQUAL[0]:g}, of one system {_UNEQUAL[1]:g}" if self.unequal else ""
        both = f", of participant × item {self.by_both:g}" if self.by_both else ""
        said += [spread or f"SD of participant × system {self.by_person:g}, of item × system {self.by_item:g}{both}"]
        return "; ".join(said)


def _answers(found: AnovaTypeTest) -> list[float]:
    return [rejects(found.p), rejects_any(pair.p for pair in found.pairs)]


def checks() -> tuple[Check, ...]:
    """All of this family."""
    return (*_ratings(), *_named(), *_others())


def _check(words: str, draw: Callable[[np.random.Generator], Sequence[float]], cost: float, name: str = "") -> Check:
    test = name or "anova_type_test"
    return Check(words, draw, (
        size_within(test, "systems", high=_MOST, why=_WHY),
        size_within(test, "pairs, Holm", high=_MOST, why=_WHY, what=ANY_REJECTED),
    ), cost=cost)  # fmt: skip


def _ratings() -> Iterator[Check]:
    """Every level of every factor meets every size."""
    for people, items in _SIZES.values():
        few, many = (8, 8) if people == items == 8 else (4, 10)
        given = [
            Situation(people, items, few),
            Situation(people, items, many, 0.1, 0.3),
            Situation(people, items, few, 0.3, 0.1, missing=True),
            Situation(people, items, many, 0.3, 0.0, crowded=True),
            Situation(people, items, few, 0.03, unequal=True),
            Situation(people, items, few, 0.1, 0.1, everyone=True),
        ]
        for each in given:
            yield _check(each.words, each.draw, 5 if each.design[0].size < 1500 else 10)


def _named() -> Iterator[Check]:
    """Cases in which an earlier leading test was liberal."""
    unstable = Situation(12, 16, 4, 0.03, unequal=True)
    yield _check(f"ratings, one system less stable than the others: {unstable.words}", unstable.draw, 5)
    for each in (Situation(12, 16, 4, 0.1, 0.1, 0.5, everyone=True), Situation(30, 6, 4, 0.3, 0.3, 0.5, everyone=True)):
        yield _check(each.words, each.draw, 5)
    some = Situation(12, 16, 4, 0.1, 0.1, 0.5, missing=True, everyone=True)
    yield _check(some.words, some.draw, 5)
    yield _check(
        "ratings, 20 participants × 110 items, 4 systems, 3 ratings a text; SD of item × system 0.5", _three_a_text, 10
    )
    for words, cells in _DEALT.items():
        yield _check(f"texts dealt, 4 judgements each, 12 a participant: {words}", partial(_dealt, cells), 5)
    for words in _PLANNED:
        yield _check(f"{words}; SD of participant × system 0.3", partial(_planned, words), 5)
    yield _check(
        "choices, 70 participants × 20 items, 5 systems; SD of tastes 0.5 and 0.8", partial(_choices, 70, 20, 5), 10,
        "anova_type_contrasts",
    )  # fmt: skip


_ITEMS = 60
_PLACES = list(np.ndindex(_ITEMS, 4))
_DEALT = {
    "60 items × 4 systems, a fifth of the texts missing; SD of participant × system 0.3, of item × system 0.3": tuple(
        place for place, kept in zip(_PLACES, np.random.default_rng(1).random(len(_PLACES)) >= 0.2, strict=True) if kept
    ),
    "60 items, one text each, from 4 systems; SD of participant × system 0.3": tuple(
        (item, item % 4) for item in range(_ITEMS)
    ),
}
"""Texts that do not form a complete table: item and system of each."""


@cache
def _hands(cells: tuple[tuple[int, int], ...]) -> tuple[Ints, Ints, Ints]:
    """Participant, item and system of each answer, as a study with such a design has them."""
    texts = [Cell(str(item), system) for item, system in cells]
    hands = deal(texts, even_sizes(len(texts), 4, 12), Stream(1, "calibration"))
    rows = [(person, int(cell.item), cell.condition) for person, hand in enumerate(hands) for cell in hand]
    person, item, system = np.array(rows).T
    return person, item, system


def _dealt(cells: tuple[tuple[int, int], ...], random: np.random.Generator) -> list[float]:
    person, item, system = _hands(cells)
    y = random.normal(size=person.max() + 1)[person] + 0.7 * random.normal(size=_ITEMS)[item]
    y += (0.3 * random.normal(size=(person.max() + 1, 4)))[person, system]
    if len(cells) > _ITEMS:
        y += (0.3 * random.normal(size=(_ITEMS, 4)))[item, system]
    return _answers(anova_type_test(y + random.normal(size=item.size), system, person, item))


_FEWER = [Cell(str(item), system) for item, system in list(np.ndindex(24, 4)) if (item + system) % 5]
_KINDS = Strata("kind", {str(item): "many" if item % 3 else "few" for item in range(24)})
_PLANNED: dict[str, tuple[Scheme[int], int]] = {
    "systems between participants: 32 participants, 12 of the 24 items each, a fifth of the texts missing": (
        Between(_FEWER, 12),
        32,
    ),
    "a table says who sees what: 16 participants, 6 to 21 texts each of 24 items × 4 systems": (
        OwnPlan(
            [
                [Cell(str(text // 4), int(text % 4)) for text in np.random.default_rng(n).permutation(96)[: 6 + n]]
                for n in range(16)
            ]
        ),
        16,
    ),
    "items of two kinds in their share: 24 participants, 12 of 24 items each, 4 systems; SD of kinds 2": (
        Rotation(list(_KINDS.of), range(4), 12, _KINDS),
        24,
    ),
}
"""Designs as a study has them, and how many participants take part."""


@cache
def _plan(words: str) -> tuple[Ints, Ints, Ints]:
    given, people = _PLANNED[words]
    hands = given.assign(people, Stream(1, "calibration"))
    rows = [(person, int(cell.item), cell.condition) for person, hand in enumerate(hands) for cell in hand]
    person, item, system = np.array(rows).T
    return person, item, system


def _planned(words: str, random: np.random.Generator) -> list[float]:
    person, item, system = _plan(words)
    kinds = 2 * random.normal(size=2) if "kinds" in words else np.zeros(2)
    y = random.normal(size=person.max() + 1)[person] + 0.7 * random.normal(size=24)[item] + kinds[(item % 3 > 0) * 1]
    y += (0.3 * random.normal(size=(person.max() + 1, 4)))[person, system]
    return _answers(anova_type_test(y + random.normal(size=item.size), system, person, item))


def _three_a_text(random: np.random.Generator) -> list[float]:
    item, system, turn = (each.ravel() for each in np.indices((110, 4, 3)))
    person = (item * 3 + system * 5 + turn * 7) % 20
    y = 0.5 * random.normal(size=20)[person] + (0.5 * random.normal(size=(110, 4)))[item, system]
    return _answers(anova_type_test(y + random.normal(size=item.size), system, person, item))


def _pairs(people: int, items: int, systems: int) -> tuple[Ints, Ints, Floats]:
    """Who compares which two systems on which item, each pair of systems in turn."""
    person, item = np.divmod(np.arange(people * items), items)
    first, second = np.triu_indices(systems, 1)
    turn = (person * 7 + item) % len(first)
    return person, item, np.eye(systems)[first[turn]] - np.eye(systems)[second[turn]]


def _tastes(random: np.random.Generator, people: int, items: int, systems: int) -> tuple[Ints, Ints, Floats, Floats]:
    person, item, rows = _pairs(people, items, systems)
    tastes = 0.5 * random.normal(size=(people, systems))[person] + 0.8 * random.normal(size=(items, systems))[item]
    return person, item, rows, np.sum(rows * tastes, axis=1)


def _choices(people: int, items: int, systems: int, random: np.random.Generator) -> list[float]:
    person, item, rows, liking = _tastes(random, people, items, systems)
    chosen = np.where(random.random(len(liking)) < 1 / (1 + np.exp(-liking)), 1.0, -1.0)
    return _answers(anova_type_contrasts(chosen, rows, person, item))


def _strengths(random: np.random.Generator) -> list[float]:
    person, item, rows, liking = _tastes(random, 24, 20, 4)
    side = random.choice([-1.0, 1.0], liking.size)
    values = np.clip(np.round(1.5 * liking + 0.4 * side + random.normal(size=liking.size)), -3, 3)
    return _answers(anova_type_contrasts(values, rows, person, item, covariates={"side": side}))


_HELMERT = np.array([[1, -1, 0, 0], [1, 1, -2, 0], [1, 1, 1, -3]]) / np.sqrt([[2], [6], [12]])


def _ranks(random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.arange(15 * 12), 12)
    worth = 0.5 * random.normal(size=(15, 4))[person] + 0.5 * random.normal(size=(12, 4))[item]
    ranks = (worth + random.normal(size=worth.shape)).argsort(axis=1).argsort(axis=1) + 1.0
    rows, who, what = np.tile(_HELMERT, (len(person), 1)), np.repeat(person, 3), np.repeat(item, 3)
    return _answers(anova_type_contrasts((ranks @ _HELMERT.T).ravel(), rows, who, what))


def _decisions(random: np.random.Generator) -> list[float]:
    """Shares of 4 appropriate actions chosen, less shares of 6 inappropriate ones."""
    person, item = np.divmod(np.arange(18 * 24), 24)
    system = (person + item) % 3
    able = 0.6 * random.normal(size=18)[person] + (0.6 * random.normal(size=(24, 3)))[item, system]
    right, wrong = (1 / (1 + np.exp(-sign * able)) for sign in (1, -1))
    score = random.binomial(4, right) / 4 - random.binomial(6, 0.6 * wrong) / 6
    return _answers(anova_type_test(score, system, person, item))


def _times(random: np.random.Generator) -> list[float]:
    """Logarithms of milliseconds per word, of texts of unequal length."""
    person, item = np.divmod(np.arange(24 * 24), 24)
    system = (person + item) % 3
    y = 5.5 + 0.3 * random.normal(size=24)[person] + (0.1 * random.normal(size=(24, 3)))[item, system]
    return _answers(anova_type_test(y + random.gamma(2, 0.15, person.size), system, person, item))


def _nested(what: str, random: np.random.Generator) -> list[float]:
    person, item = np.divmod(np.arange(24 * 24), 24)
    system = (item if what == "items" else person) % 4
    y = random.normal(size=24)[person] + random.normal(size=24)[item] + random.normal(size=person.size)
    return _answers(anova_type_test(y, system, person, item))


def _others() -> Iterator[Check]:
    contrasts = "anova_type_contrasts"
    yield _check("choices, 12 participants × 10 items, 3 systems", partial(_choices, 12, 10, 3), 5, contrasts)
    yield _check("strengths of preference with a side, 24 participants × 20 items, 4 systems", _strengths, 5, contrasts)
    yield _check("rankings, 15 participants × 12 items, 4 systems", _ranks, 5, contrasts)
    yield _check("decisions, 18 participants × 24 items, 3 systems", _decisions, 5)
    yield _check("log times per word, skewed, 24 participants × 24 items, 3 systems", _times, 5)
    yield _check("one text an item: 24 participants × 24 items nested in 4 systems", partial(_nested, "items"), 5)
    yield _check("systems between participants: 24 nested in 4 systems × 24 items", partial(_nested, "participants"), 5)
