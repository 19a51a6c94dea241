"""Why comparisons may have no finite estimates: nothing compared, groups apart, a system that won everything."""

from __future__ import annotations

import numpy as np

from textassay.stats.newton import Maximum
from textassay.stats.preferences.comparisons import LOSS, TIE, WIN
from textassay.stats.preferences.pair_likelihood import PairModel, advantages
from textassay.stats.preferences.pair_task import PairTask
from textassay.stats.preferences.separation import not_on_one_scale, without_end
from textassay.stats.samples import FloatArray

_REMEDY = "leave out what has no finite estimate, collect more comparisons, or add a little of each (smoothing=0.5)"
_RARE = 1e-5
"""An outcome estimated to be rarer than this is looked into before it is believed: it may be one that runs to 0."""


def unidentified(task: PairTask, model: PairModel) -> str:
    """Why there are no estimates, as far as it can be told before fitting; empty where nothing speaks against them."""
    k = len(task.data.systems)
    if k < 2 or not task.n:
        ties = " that is not a tie" if task.data.n else ""
        return f"abilities are undefined: there is no comparison{ties} of two systems"
    if task.ties != "none" and task.data.ties == task.data.n and task.family.ties:
        return f"abilities are undefined: all {task.data.n} comparisons are ties"
    if not task.options.smoothing:
        won = task.counts[WIN] + task.counts[LOSS].T
        above = won > 0
        if task.family.ties:
            above |= (task.counts[TIE] + task.counts[TIE].T) > 0
        reason = not_on_one_scale(above, task.data.systems)
        if reason:
            return f"abilities are undefined: {reason}; {_REMEDY}"
    if task.options.order_effect and _singular(model):
        return (
            "the order effect cannot be told from the abilities: in every pair the same system stands first, or the "
            "pairs form such a pattern; show pairs in both orders, or set order_effect=False"
        )
    return ""


def without_maximum(model: PairModel, found: Maximum, systems: tuple[str, ...]) -> str:
    """Why the estimates found are none; empty where they are the maximum."""
    k = len(systems)
    parameters = model.full(found.parameters)
    compared = model.counts.sum(axis=0) > 0
    log_p = model.family.outcomes(advantages(parameters)[compared], float(parameters[-1])).log_p
    if found.converged and log_p.min() > np.log(_RARE):
        return ""
    extras = [name for name, at in (("order effect", k), ("tie parameter", k + 1)) if at in model.free]
    reason = without_end(_forms(model), systems, extras)
    if reason:
        remedy = "; set order_effect=False, or " if "order effect" in reason else "; "
        return f"abilities are undefined: {reason}{remedy}{_REMEDY}"
    if found.converged:
        return ""
    return (
        f"the search for the abilities did not converge in {found.steps} steps (gradient {found.gradient:.2g} standard "
        "errors), so none are given; check the counts, or add smoothing"
    )


def _singular(model: PairModel) -> bool:
    information = model.evaluate(model.start()).information
    return bool(np.linalg.matrix_rank(information, hermitian=True) < len(information))


def _forms(model: PairModel) -> FloatArray:
    """What must not fall if the likelihood is to keep growing: one or two forms for each outcome seen in a cell."""
    k = model.counts.shape[1]
    tie = np.zeros(k + 2)
    tie[-1] = 1.0 if model.family.threshold else 2.0
    forms = []
    for outcome, i, j in np.argwhere(model.counts > 0).tolist():
        eta = np.zeros(k + 2)
        eta[[i, j, k]] = 1.0, -1.0, 1.0
        if not model.family.ties:
            forms.append(eta if outcome == WIN else -eta)
        elif outcome == TIE:
            forms += [tie - eta, tie + eta]
        else:
            ahead = eta if outcome == WIN else -eta
            forms += [ahead - tie, ahead]
    return np.array(forms)[:, model.free]
