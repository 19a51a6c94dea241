"""The slots of the plan: who holds one, whether a newcomer can have one, and which it is.

A participant in progress holds a slot as long as he or she was seen recently, or is between two sittings. When that
ends no write happens, so the database remembers of each holder when to look again (`held_until`), and a newcomer looks
at those that are due. How many hold and fill each slot is counted by the database itself (triggers of migration 0006),
whatever writes to it. So assigning a slot takes as long with a million participants as with ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from sqlalchemy import Connection, bindparam, delete, distinct, func, insert, literal, or_, select, update

from textassay.answers.schema import answers, cohort_uses, participants, slot_uses
from textassay.errors import StoreError, UsageError

if TYPE_CHECKING:
    from textassay.design.plan import Slot

_person = participants.columns
_use = slot_uses.columns
_total = cohort_uses.columns

# Written into the statement, since SQLite uses an index over some rows only where it can see that it applies.
_IN_PROGRESS = _person.status == literal("active", literal_execute=True)
DUE = select(_person.id, _person.slot, _person.last_seen_at, _person.released_at).where(
    _person.cohort == bindparam("cohort"), _IN_PROGRESS, _person.held_until < bindparam("now")
)
"""Holders of a slot at whom to look again."""
_HOLD = update(participants).where(_person.id == bindparam("participant_id")).values(held_until=bindparam("until"))
_ANSWERED = select(func.count(distinct(answers.columns.page))).where(
    answers.columns.participant_id == bindparam("participant_id")
)
_LOOK_AGAIN = (
    update(participants)
    .where(_IN_PROGRESS, or_(_person.released_at.is_(None), _person.released_at < _person.last_seen_at))
    .values(held_until=_person.last_seen_at)
)

USES = select(_total.slots, _total.filled, _total.active).where(_total.cohort == bindparam("cohort"))
"""How many slots a cohort has, how many are filled, and how many participants hold one; real participants only."""
LEAST_USED = (
    select(_use.slot, _use.filled)
    .where(
        _use.cohort == bindparam("cohort"),
        _use.simulated == bindparam("simulated"),
        _use.slot.between(bindparam("first"), bindparam("last")),
    )
    .order_by(_use.filled, _use.active, _use.slot)
    .limit(1)
)
"""The slot that is assigned next. Balance is to hold over participants who complete the study, not
over those who start it: first slots that nobody has filled, then those with the fewest in progress, then the lowest
number, since the first slots of a plan are balanced among themselves."""
LEAST_USED_BY_ANY = (
    select(_use.slot, func.sum(_use.filled).label("filled"))
    .where(_use.cohort == bindparam("cohort"), _use.slot.between(bindparam("first"), bindparam("last")))
    .group_by(_use.slot)
    .order_by(func.sum(_use.filled), func.sum(_use.active), _use.slot)
    .limit(1)
)
"""The same for a simulated newcomer, who takes no slot from a real participant."""
_KNOWN = select(_use.slot).where(_use.cohort == bindparam("cohort"), ~_use.simulated)
_SUMS = select(
    func.count(_use.slot).filter(_use.filled > 0).label("filled"),
    func.coalesce(func.sum(_use.active), 0).label("active"),
).where(_use.cohort == bindparam("cohort"), ~_use.simulated)


@dataclass(frozen=True)
class Reserved:
    """Participants who keep their slot although they are inactive: those between two sittings."""

    waits: Callable[[int, int], bool]
    """From the slot and the number of pages answered so far to whether that is between two sittings."""
    within: timedelta
    """For how long."""


@dataclass(frozen=True)
class Places:
    """The slots of a cohort, and the rules by which newcomers get them."""

    cohort: str
    numbers: Sequence[int]
    """The slots, in ascending order."""
    release_after: timedelta
    """How long an inactive participant holds a slot."""
    reserved: Reserved | None = None
    """Who holds a slot for longer; nothing: nobody."""
    again: bool = False
    """Whether filled slots are assigned again when all are filled."""
    margin: int | None = None
    """How many more participants than unfilled slots may be in progress when a newcomer starts; None: any number."""


def numbers_of(slots: Sequence[Slot] | Sequence[int], cohort: str) -> Sequence[int]:
    """The numbers of the slots of a cohort.

    Raises:
        UsageError: there are none.
    """
    if slots and isinstance(slots[0], int):
        return cast("Sequence[int]", slots)
    plan = cast("Sequence[Slot]", slots)
    numbers = [slot.number for slot in plan if slot.cohort == cohort]
    if not numbers:
        known = ", ".join(sorted({repr(slot.cohort) for slot in plan})) or "none"
        raise UsageError(f"the plan has no slot for cohort {cohort!r}; use one of: {known}")
    return numbers


class StudyFull(StoreError):  # noqa: N818 -- not a mistake
    """Every slot of the cohort has been completed by a valid participant."""

    def __init__(self, cohort: str) -> None:
        self.cohort = cohort
        of = f" of cohort {cohort!r}" if cohort else ""
        super().__init__(f"all slots{of} are filled; raise 'wanted' in a new study to recruit more participants")


class PlacesTaken(StoreError):  # noqa: N818 -- not a mistake
    """As many participants are in progress as are needed; somebody may have to stop before a newcomer can start."""

    def __init__(self, cohort: str) -> None:
        self.cohort = cohort
        of = f" of cohort {cohort!r}" if cohort else ""
        super().__init__(f"all unfilled slots{of} are held by participants in progress; try again later")


Vacancy = Literal["free", "taken", "full"]
"""Whether a newcomer can start now: `taken` may change when somebody stops or is inactive for too long."""


def known_vacancy(connection: Connection, places: Places, now: datetime) -> Vacancy | None:
    """What is known without writing; None if somebody has to be looked at again first."""
    uses = _counted(connection, places)
    found = None if uses is None else _vacancy(places, uses)
    return None if found == "taken" and _due(connection, places, now) else found


def vacancy(connection: Connection, places: Places, now: datetime) -> Vacancy:
    """Whether a newcomer can start now; looks again at holders who are due."""
    due = _due(connection, places, now)
    if due:
        held = [{"participant_id": row.id, "until": _held_until(connection, places, now, row)} for row in due]
        connection.execute(_HOLD, held)
    uses = _counted(connection, places)
    return _vacancy(places, uses if uses is not None else _prepare(connection, places))


def next_slot(connection: Connection, places: Places, now: datetime, *, simulated: bool) -> int:
    """The slot for a newcomer.

    A slot is filled when a valid participant has completed it. If a participant returns whose slot was assigned again,
    both may finish, and the first to complete counts.

    Raises:
        StudyFull: every slot is filled, and they are not assigned again.
        PlacesTaken: too many real participants are in progress; a simulated one takes no place from them.
    """
    found = vacancy(connection, places, now)
    if found == "taken" and not simulated:
        raise PlacesTaken(places.cohort)
    statement = LEAST_USED_BY_ANY if simulated else LEAST_USED
    first, last = places.numbers[0], places.numbers[-1]
    row = connection.execute(
        statement, {"cohort": places.cohort, "simulated": simulated, "first": first, "last": last}
    ).one()
    if row.filled and not places.again:
        raise StudyFull(places.cohort)
    return int(row.slot)


def look_again(connection: Connection) -> None:
    """Look again at everybody in progress when the next newcomer comes: the rules may be others than before."""
    connection.execute(_LOOK_AGAIN)


class _Uses(NamedTuple):
    """How many of a cohort's slots are filled, and how many participants hold one."""

    filled: int
    active: int


def _counted(connection: Connection, places: Places) -> _Uses | None:
    """The counts of the cohort; None if the slots have not been counted."""
    row = connection.execute(USES, {"cohort": places.cohort}).first()
    return None if row is None or row.slots != len(places.numbers) else _Uses(row.filled, row.active)


def _due(connection: Connection, places: Places, now: datetime) -> Sequence[Any]:
    return connection.execute(DUE, {"cohort": places.cohort, "now": now}).all()


def _vacancy(places: Places, uses: _Uses) -> Vacancy:
    unfilled = len(places.numbers) - uses.filled
    if places.again:
        return "free"
    if unfilled <= 0:
        return "full"
    return "free" if places.margin is None or uses.active < unfilled + places.margin else "taken"


def _prepare(connection: Connection, places: Places) -> _Uses:
    """Count the slots of the cohort that nobody has had, too; once for each plan."""
    cohort = {"cohort": places.cohort}
    known = set(connection.execute(_KNOWN, cohort).scalars())
    missing = [
        {**cohort, "slot": number, "simulated": False, "filled": 0, "active": 0}
        for number in places.numbers
        if number not in known
    ]
    if missing:
        connection.execute(insert(slot_uses), missing)
    uses = _Uses(*connection.execute(_SUMS, cohort).one())
    connection.execute(delete(cohort_uses).where(_total.cohort == places.cohort))
    connection.execute(insert(cohort_uses), {**cohort, "slots": len(places.numbers), **uses._asdict()})
    return uses


def _held_until(connection: Connection, places: Places, now: datetime, person: Any) -> datetime | None:
    """When to look again at a participant in progress, a row of `DUE`; None if the slot is no longer held."""
    if person.released_at is not None and person.released_at >= person.last_seen_at:
        return None
    inactive_at: datetime = person.last_seen_at + places.release_after
    if inactive_at >= now:
        return inactive_at
    reserved = places.reserved
    if reserved is None or person.last_seen_at + reserved.within < now:
        return None
    answered = connection.execute(_ANSWERED, {"participant_id": person.id}).scalar_one()
    if not reserved.waits(person.slot, int(answered)):
        return None
    # Not for as long as it is reserved: who comes back and stops within the next sitting is inactive before.
    reserved_until: datetime = person.last_seen_at + reserved.within
    return min(reserved_until, now + places.release_after)
