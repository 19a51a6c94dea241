"""The criteria by which texts are judged, all on one page, and the values that are given on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from textassay.study.model import Model, Name, Problems, Text
from textassay.tasks.contract import Payload


class Criterion(Model):
    """One thing that is asked about the texts of a trial."""

    name: Name
    """Its name in the tables."""
    question: Text
    """What the participant is asked."""


def criteria_faults(criteria: Sequence[Criterion]) -> Problems:
    """Criteria that go by the same name."""
    names = [criterion.name for criterion in criteria]
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("criteria", index, "name"), f"duplicate criterion {name!r}; rename one"


class AllowedValues(NamedTuple):
    """The whole numbers that can be given on one criterion."""

    criterion: str
    holds: Callable[[int], bool]
    initial: int | None
    """Initial position of the slider, which must be confirmed to count as an answer; None where there is no slider."""


def value_faults(
    payload: Payload, key: str, values: Iterable[AllowedValues], task: str, *, without: Collection[str] = ()
) -> dict[str, str]:
    """What is wrong with the values that a payload has under the key: criterion, and key of the message.

    Args:
        payload: The answer as the browser sent it.
        key: Where its values are.
        values: Those that are allowed.
        task: Prefix of the messages.
        without: Criteria that need no value, because they could not be judged.
    """
    given, confirmed = payload.get(key), payload.get("confirmed") or {}
    if not isinstance(given, Mapping) or not isinstance(confirmed, Mapping):
        given = confirmed = {}
    wrong = {}
    for criterion, holds, initial in values:
        value = given.get(criterion)
        if value is None and criterion in without:
            continue
        if value is None:
            wrong[criterion] = f"{task}.missing"
        elif type(value) is not int or not holds(value):
            wrong[criterion] = f"{task}.outside"
        elif value == initial and confirmed.get(criterion) is not True:
            wrong[criterion] = f"{task}.unconfirmed"
    return wrong
