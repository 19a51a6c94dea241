"""REML without a factor, for models whose random effects are too many for one.

With V = σ²I + Σ σ²ₜ ZₜZₜᵀ and P = V⁻¹ - V⁻¹X(XᵀV⁻¹X)⁻¹XᵀV⁻¹, the slope of the log-likelihood in σ²ₜ and the average of
observed and expected information are

    ½ (yᵀP ZₜZₜᵀ Py - tr ZₜᵀPZₜ)   and   ½ yᵀP ZₜZₜᵀ P ZᵤZᵤᵀ Py

(Gilmour, Thompson & Cullis 1995). Products with V⁻¹ are solved by conjugate gradients; traces are means of
(Zₜᵀξ)ᵀ(ZₜᵀPξ) over vectors ξ of random signs (Girard 1989; Hutchinson 1990), the same throughout. Their error adds to
the variance of an estimated σ²ₜ at most the share 1/probes. The first values are MIVQUE(0) (Rao 1971; for crossed
effects Gao & Owen 2017, 2020): the moments ‖Zₜᵀr‖² of the residuals r of least squares, equal to their expectation.
Each step costs time and memory in proportion to observations and fixed effects.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from textassay.stats.mixed.conjugate_gradients import SparseProducts, sparse_products
from textassay.stats.mixed.random_effects import RandomEffects
from textassay.stats.mixed.satterthwaite import FixedInference
from textassay.stats.samples import FloatArray, IntArray

_SEED = 20170
_FEWEST_PROBES, _MOST_PROBES, _PROBED_VALUES = 12, 96, 1_000_000
"""As many probes as make this many values, within limits."""
_STEPS = 25
_ROUGH, _FINE = 1e-4, 1e-6
"""Residuals of solutions, for the first step and the others."""
_CLOSE = 0.05
"""Search ends where no variance would move by more than this share of its standard error."""


@dataclass(frozen=True)
class LargeFit:
    """Estimates of a linear mixed model by REML, without its likelihood."""

    beta: FloatArray
    variances: FloatArray
    """The residual's, then one per variance of the random effects."""
    inference: FixedInference
    effects: FloatArray
    """The predicted random effects, as one vector."""
    converged: bool
    steps: int
    probes: int

    @property
    def solver(self) -> str:
        """How it was fitted."""
        return f"conjugate gradients, traces by {self.probes} probes"


@dataclass(frozen=True)
class _Moments:
    """Products of the observations that do not depend on the variances."""

    sparse: SparseProducts
    owners: IntArray
    """For each random effect the number of its variance, from 0."""
    xx: FloatArray
    zx: FloatArray
    zr: FloatArray
    """Zᵀr, r the residuals of least squares."""
    rr: float
    zs: FloatArray
    """Zᵀξ of the probes."""
    xs: FloatArray
    n: int

    def by_variance(self, one: FloatArray, other: FloatArray) -> FloatArray:
        """The sums of products over the effects of each variance, shape (variances, k); effects in rows."""
        count = int(self.owners.max()) + 1
        products = one * other
        return np.stack([np.bincount(self.owners, column, count) for column in products.T], axis=1)

    def alone(self, effects: FloatArray) -> FloatArray:
        """The effects, and 0 for all but one variance: one column per variance."""
        found = np.zeros((len(effects), int(self.owners.max()) + 1))
        found[np.arange(len(effects)), self.owners] = effects
        return found


def large_reml(y: FloatArray, x: FloatArray, effects: RandomEffects, owners: IntArray) -> LargeFit:
    """Fit the model.

    Args:
        y: The values.
        x: The fixed part; no column may be a combination of others.
        effects: Not correlated with each other.
        owners: For each random effect the number of its variance.
    """
    xx = x.T @ x
    ordinary = _solve(xx, x.T @ y)
    ordinary = ordinary + _solve(xx, x.T @ (y - x @ ordinary))  # once more, against rounding
    moments = _moments(x, y - x @ ordinary, effects, owners, xx)
    variances = _first(moments)
    state = _state(moments, variances, _ROUGH)
    step, to_move = _step(state, variances)
    steps = 0
    while steps == 0 or (steps < _STEPS and to_move > _CLOSE):
        variances, steps = _moved(variances, step), steps + 1
        state = _state(moments, variances, _FINE, state)
        step, to_move = _step(state, variances)
    beta = ordinary + state.shift
    return LargeFit(
        beta=beta,
        variances=variances,
        inference=_inference(moments, state, variances, beta),
        effects=state.scale * state.spherical,
        converged=to_move <= _CLOSE,
        steps=steps,
        probes=moments.zs.shape[1],
    )


def _moments(
    x: FloatArray, residuals: FloatArray, effects: RandomEffects, owners: IntArray, xx: FloatArray
) -> _Moments:
    n = len(residuals)
    sparse = sparse_products(effects)
    count = int(np.clip(_PROBED_VALUES // n, _FEWEST_PROBES, _MOST_PROBES))
    draw = np.random.Generator(np.random.PCG64(_SEED))
    signs = np.asarray(2 * draw.integers(0, 2, (n, count), dtype=np.int8) - 1, dtype=float)
    return _Moments(
        sparse,
        owners,
        xx,
        zx=sparse.transposed(x),
        zr=sparse.transposed(residuals[:, None]),
        rr=float(residuals @ residuals),
        zs=sparse.transposed(signs),
        xs=x.T @ signs,
        n=n,
    )


def _first(moments: _Moments) -> FloatArray:
    """MIVQUE(0), with the traces of the expectations by probes; at least a thousandth of all variance each."""
    df = moments.n - len(moments.xx)
    projected = moments.zs - moments.zx @ _solve(moments.xx, moments.xs)  # Zᵀ(I - H)ξ
    count = int(moments.owners.max()) + 1
    # With A_t = Z_tZ_tᵀ and Q = I - H: E ‖Z_tᵀr‖² = σ² tr(QA_t) + Σ σ²ᵤ tr(QA_tQA_u).
    of_residual = moments.by_variance(moments.zs, projected).mean(axis=1)
    between = np.zeros((count, count))
    for column in projected.T:
        alone = moments.alone(column)
        met = moments.sparse.times(alone)
        fixed = moments.zx.T @ alone
        between += alone.T @ met - fixed.T @ _solve(moments.xx, fixed)
    between /= projected.shape[1]
    observed = moments.by_variance(moments.zr, moments.zr)[:, 0]
    left = np.block([[np.array([[float(df)]]), of_residual[None, :]], [of_residual[:, None], between]])
    found = np.linalg.lstsq(left, np.concatenate([[moments.rr], observed]), rcond=None)[0]
    return np.asarray(np.maximum(found, 1e-3 * moments.rr / df), dtype=float)


@dataclass(frozen=True)
class _State:
    """Everything at one set of variances."""

    scale: FloatArray
    """The diagonal of Λ."""
    solved: FloatArray
    """M⁻¹ΛZᵀ of X, of the probes, and of the residuals of least squares, where M = ΛZᵀZΛ + I."""
    spherical: FloatArray
    """M⁻¹ΛZᵀ(y - Xβ): the random effects, all of one variance."""
    xvx: FloatArray
    """XᵀV⁻¹X, in units of the residual's variance; so are the next."""
    of_x: FloatArray
    """ZᵀV⁻¹X."""
    shift: FloatArray
    """β less that of least squares."""
    slope: FloatArray
    """Of the log-likelihood in each variance."""
    information: FloatArray


def _state(moments: _Moments, variances: FloatArray, tolerance: float, before: _State | None = None) -> _State:
    sparse, p, residual = moments.sparse, len(moments.xx), float(variances[0])
    scale = np.sqrt(variances[1:] / residual)[moments.owners]
    right = np.hstack([moments.zx, moments.zs, moments.zr])
    scaled = scale[:, None] * right
    solved = sparse.solve(scale, scaled, tolerance, None if before is None else before.solved)
    xv = np.hstack([moments.xx, moments.xs, np.zeros((p, 1))]) - scaled[:, :p].T @ solved
    zv = right - sparse.times(scale[:, None] * solved)
    xvx = (xv[:, :p] + xv[:, :p].T) / 2
    fixed = _solve(xvx, xv[:, p:])
    zp = (zv[:, p:] - zv[:, :p] @ fixed) / residual  # ZᵀP of probes and values
    values = (moments.rr - float(scaled[:, -1] @ solved[:, -1]) - float(xv[:, -1] @ fixed[:, -1])) / residual  # yᵀPy
    squares = moments.by_variance(zp[:, -1:], zp[:, -1:])[:, 0]
    traces = moments.by_variance(moments.zs, zp[:, :-1]).mean(axis=1)
    # Of the residual by V = Σ σ²ₜ ∂V/∂σ²ₜ.
    own_square = (values - float(variances[1:] @ squares)) / residual
    own_trace = (moments.n - p - float(variances[1:] @ traces)) / residual
    slope = np.concatenate([[own_square - own_trace], squares - traces]) / 2

    # With f = ∂V/∂σ²ₜ Py for each variance: ½ fᵀPf.
    alone = moments.alone(zp[:, -1])
    zf = np.column_stack([zp[:, -1], sparse.times(alone)])
    ff = np.block([[np.array([[own_square]]), squares[None, :]], [squares[:, None], alone.T @ zf[:, 1:]]])
    xf = np.column_stack([np.zeros(p), moments.zx.T @ alone]) - solved[:, :p].T @ (scale[:, None] * zf)
    zf *= scale[:, None]
    inner = ff - zf.T @ sparse.solve(scale, zf, tolerance) - xf.T @ _solve(xvx, xf)
    return _State(
        scale=scale,
        solved=solved,
        spherical=solved[:, -1] - solved[:, :p] @ fixed[:, -1],
        xvx=xvx,
        of_x=zv[:, :p],
        shift=fixed[:, -1],
        slope=slope,
        information=(inner + inner.T) / (4 * residual),
    )


def _free(state: _State, variances: FloatArray) -> npt.NDArray[np.bool_]:
    """Which variances may move: not those at 0 that would become negative."""
    return (variances > 0) | (state.slope > 0)


def _step(state: _State, variances: FloatArray) -> tuple[FloatArray, float]:
    """The step to the maximum of the parabola, and the largest part of it in standard errors."""
    free = _free(state, variances)
    inverse = _inverse(state.information[np.ix_(free, free)])
    step = np.zeros_like(variances)
    step[free] = inverse @ state.slope[free]
    return step, float(np.max(np.abs(step[free]) / np.sqrt(np.diagonal(inverse))))


def _moved(variances: FloatArray, step: FloatArray) -> FloatArray:
    """The variances after a step, none negative."""
    found = np.maximum(variances + step, 0.0)
    found[0] = max(found[0], variances[0] / 2)
    return found


def _inference(moments: _Moments, state: _State, variances: FloatArray, beta: FloatArray) -> FixedInference:
    residual = float(variances[0])
    covariance = residual * _inverse(state.xvx)
    changes = []
    for variance in range(len(variances) - 1):
        at = moments.owners == variance
        half = state.of_x[at] @ covariance / residual
        changes.append(half.T @ half)
    own = (covariance - sum(v * change for v, change in zip(variances[1:], changes, strict=True))) / residual
    free = _free(state, variances)
    uncertainty = np.zeros((len(variances), len(variances)))
    uncertainty[np.ix_(free, free)] = _inverse(state.information[np.ix_(free, free)])
    return FixedInference(beta, covariance, np.stack([own, *changes]), uncertainty)


def _solve(matrix: FloatArray, values: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.solve(matrix, values), dtype=float)


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(matrix), dtype=float)
