"""What several experts find appropriate and inappropriate for a case, as one pair of sets, and how far they agree.

- `majority`: what more than half of the experts say;
- `union`: what any of them says; an action that one finds appropriate and another inappropriate is neither;
- `adjudicated`: what stands under the expert `adjudicated`, who decided after all had spoken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textassay.errors import DataError

Combining = Literal["majority", "union", "adjudicated"]
ADJUDICATED = "adjudicated"
SETS = ("appropriate", "inappropriate", "target")
"""The columns of the targets table, and the fields of `ExpertSets`."""
_CODES = {"neutral": 0, "appropriate": 1, "inappropriate": 2}


@dataclass(frozen=True)
class ExpertSets:
    """One expert's, or the combined, view of a case."""

    appropriate: tuple[str, ...] = ()
    inappropriate: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    """What the expert would do."""


def sets_by_item(rows: Iterable[Any]) -> dict[str, dict[str, ExpertSets]]:
    """What each expert says of each item, by item and expert, from rows of the targets table."""
    found: dict[str, dict[str, ExpertSets]] = {}
    for row in rows:
        sets = (tuple(dict.fromkeys(str(row.get(name) or "").split())) for name in SETS)
        found.setdefault(str(row["item"]), {})[str(row.get("expert") or "")] = ExpertSets(*sets)
    return found


def combined_sets(experts: Mapping[str, ExpertSets], how: Combining = "majority") -> ExpertSets:
    """The sets of several experts as one; those of a single expert are taken as they are.

    Raises:
        DataError: nobody adjudicated.

    >>> views = {"Ann": ExpertSets(("call", "wait")), "Ben": ExpertSets(("call",), ("wait",))}
    >>> combined_sets(views).appropriate, combined_sets(views, "union").appropriate
    (('call',), ('call',))
    """
    if how == ADJUDICATED:
        if ADJUDICATED not in experts:
            raise DataError(f"no row of the expert {ADJUDICATED!r}; add what was decided, or combine by majority")
        return experts[ADJUDICATED]
    views = [sets for name, sets in experts.items() if name != ADJUDICATED] or list(experts.values())
    if len(views) == 1:
        return views[0]
    least = len(views) // 2 + 1 if how == "majority" else 1
    appropriate, inappropriate, target = (
        _named_by([getattr(view, name) for view in views], least) for name in ("appropriate", "inappropriate", "target")
    )
    disputed = set(appropriate) & set(inappropriate)
    return ExpertSets(
        tuple(action for action in appropriate if action not in disputed),
        tuple(action for action in inappropriate if action not in disputed),
        tuple(action for action in target if action not in inappropriate),
    )


def _named_by(sets: Sequence[Sequence[str]], least: int) -> tuple[str, ...]:
    """What at least so many name, in the order in which it was first named."""
    counts = Counter(action for each in sets for action in dict.fromkeys(each))
    return tuple(action for action, count in counts.items() if count >= least)


def expert_ratings(items: Mapping[str, Mapping[str, ExpertSets]], actions: Collection[str]) -> dict[str, list[float]]:
    """Each expert's verdict on every action of every item, for coefficients of agreement; nan where one is silent.

    Coded 0 neutral, 1 appropriate, 2 inappropriate. Who adjudicated is none of the experts.
    """
    experts = dict.fromkeys(name for views in items.values() for name in views if name != ADJUDICATED)
    return {
        name: [_verdict(views.get(name), action) for views in items.values() for action in actions] for name in experts
    }


def _verdict(sets: ExpertSets | None, action: str) -> float:
    if sets is None:
        return float("nan")
    verdict = (
        "appropriate" if action in sets.appropriate else "inappropriate" if action in sets.inappropriate else "neutral"
    )
    return float(_CODES[verdict])
