"""Whether comparisons tie all systems to one scale, and which systems run off it where they don't."""
# ruff: noqa: PLC0415 -- scipy is imported when first asked

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from textassay.stats.samples import FloatArray

_NAMED = 8
"""How many systems a message names."""


def not_on_one_scale(above: npt.NDArray[np.bool_], systems: Sequence[str]) -> str:
    """Why abilities have no finite estimates; empty where they have.

    Every system must be reachable from every other by steps from winner to loser (Ford 1957; for rankings Hunter
    2004): else some group never lost to the rest, and its estimated ability is infinite.

    >>> never_lost = np.array([[False, True, True], [False, False, True], [False, True, False]])
    >>> not_on_one_scale(never_lost, ["a", "b", "c"])
    'a was never placed below another system, so its estimate is infinite'

    Args:
        above: Shape (systems, systems): whether the row's system was ever placed above the column's; tied systems
            are above each other.
        systems: Their names.
    """
    groups = _groups(_closure(above | above.T))
    if len(groups) > 1:
        named = " and ".join(f"{{{_some([systems[index] for index in group])}}}" for group in groups[:3])
        more = f" and {len(groups) - 3} more" if len(groups) > 3 else ""
        return f"the systems fall into {len(groups)} groups never compared with each other: {named}{more}"
    reached = _closure(above)
    if reached.all():
        return ""
    ahead = [group for group in _groups(reached & reached.T) if not np.any(np.delete(reached[:, group[0]], group))]
    behind = [group for group in _groups(reached & reached.T) if not np.any(np.delete(reached[group[0]], group))]
    group, never = min([(group, "below") for group in ahead] + [(group, "above") for group in behind], key=_size)
    names = [systems[index] for index in group]
    if len(group) == 1:
        return f"{names[0]} was never placed {never} another system, so its estimate is infinite"
    return f"no system of {{{_some(names)}}} was ever placed {never} one of the others, so their distance is infinite"


def without_end(forms: FloatArray, systems: Sequence[str], extras: Sequence[str]) -> str:
    """Which parameters grow without end, in words; empty where the log-likelihood has a maximum.

    >>> without_end(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), ["a", "b", "c"], [])
    'no finite estimate fits best: the likelihood keeps growing as b moves away from the rest'

    Args:
        forms: Linear forms in the parameters (the abilities of all systems but the first, then the extras), none of
            which may fall if the likelihood is to keep growing: one for every outcome that was observed and every other
            that might have been.
        systems: Their names.
        extras: Names of the further parameters.
    """
    grows = "no finite estimate fits best: the likelihood keeps growing"
    abilities = len(systems) - 1
    # The simplest reason first: an order effect or a tie parameter alone.
    direction = _runaway(forms[:, abilities:]) if extras else None
    if direction is not None:
        names = [name for name, change in zip(extras, direction.tolist(), strict=True) if abs(change) > 1e-7]
        return f"{grows} with the {' and the '.join(names)}"
    direction = _runaway(forms)
    if direction is None:
        return ""
    ability = np.concatenate([[0.0], direction[:abilities]])
    top = np.flatnonzero(ability > ability.max() - 1e-7)
    bottom = np.flatnonzero(ability < ability.min() + 1e-7)
    names = [systems[index] for index in min(top, bottom, key=len).tolist()]
    return f"{grows} as {_some(names)} {'moves' if len(names) == 1 else 'move'} away from the rest"


def _runaway(forms: FloatArray) -> FloatArray | None:
    """A direction between -1 and 1 with the largest sum of forms, none negative; none where all of them stay at 0."""
    from scipy.optimize import linprog

    distinct = np.unique(forms, axis=0)
    found = linprog(-distinct.sum(axis=0), A_ub=-distinct, b_ub=np.zeros(len(distinct)), bounds=(-1, 1))
    if not found.success or -found.fun <= 1e-7:
        return None
    return np.asarray(found.x)


def _closure(step: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which system is reached from which in any number of steps."""
    reached = step | np.eye(len(step), dtype=bool)
    while True:
        further = (reached.astype(float) @ reached.astype(float)) > 0
        if np.array_equal(further, reached):
            return np.asarray(reached)
        reached = further


def _groups(equivalent: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.intp]]:
    """The classes of an equivalence."""
    leaders = np.argmax(equivalent, axis=1)
    return [np.flatnonzero(leaders == leader) for leader in np.unique(leaders)]


def _size(group: tuple[npt.NDArray[np.intp], str]) -> int:
    return len(group[0])


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
