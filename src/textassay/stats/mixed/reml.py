"""The criterion of a linear mixed model, and its gradient, from products that are taken once.

y = Xβ + Zb + ε with b = Λ_θ u, u ~ N(0, σ²I), ε ~ N(0, σ²I). β and σ are profiled out, so that the criterion depends on
θ alone (Bates et al. 2015). With M = Λᵀ ZᵀZ Λ + I, V = I + ZΛΛᵀZᵀ and d = n - p (REML) or n (ML):

    criterion = log|M| + log|Xᵀ V⁻¹ X| (REML only) + d (1 + log(2π r²/d)),   r² = yᵀ P y.

X is replaced by an orthonormal basis and y by what X leaves of it: a large mean then costs no digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from textassay.stats.mixed.gram import Gram, gram
from textassay.stats.mixed.random_cholesky import RandomCholesky, over_levels, random_cholesky
from textassay.stats.mixed.random_effects import RandomEffects, RandomTerm
from textassay.stats.samples import FloatArray

Likelihood = Literal["REML", "ML"]


@dataclass(frozen=True)
class MixedProducts:
    """All that a linear mixed model needs to know of its observations."""

    effects: RandomEffects
    """In other columns, of mean square 1 and uncorrelated where their effects may be correlated (which changes nothing
    but θ): every θ is then about as large, and a covariate far from 0 costs no digits."""
    bases: tuple[FloatArray, ...]
    """For each grouping the matrix that makes those columns of its own: effects are this matrix times theirs."""
    zz: Gram
    zx: FloatArray
    """Zᵀ Q, where X = QR."""
    zy: FloatArray
    """Zᵀ e, where e is what X leaves of y."""
    ee: float
    """eᵀ e."""
    r: FloatArray
    qy: FloatArray
    """Qᵀ y."""
    n: int

    @property
    def p(self) -> int:
        """Columns of the fixed part."""
        return len(self.qy)

    def df(self, likelihood: Likelihood) -> int:
        """What r² is divided by."""
        return self.n - self.p if likelihood == "REML" else self.n


def mixed_products(y: FloatArray, x: FloatArray, effects: RandomEffects) -> MixedProducts:
    """Products of all parts of the model; the only step whose cost grows with the observations."""
    changed, bases = zip(*(_rebased(term) for term in effects.terms), strict=True)
    scaled = RandomEffects(changed)
    q, r = (np.asarray(part, dtype=float) for part in np.linalg.qr(x))
    qy = q.T @ y
    left = y - q @ qy
    more = q.T @ left  # what rounding left in the span of X
    left = left - q @ more
    return MixedProducts(
        effects=scaled,
        bases=bases,
        zz=gram(scaled),
        zx=scaled.transposed(q),
        zy=scaled.transposed(left),
        ee=float(left @ left),
        r=r,
        qy=qy + more,
        n=len(y),
    )


def _rebased(term: RandomTerm) -> tuple[RandomTerm, FloatArray]:
    """The same effects by other columns, and the matrix that leads back."""
    root = math.sqrt(len(term.columns))
    if term.correlated:
        q, r = (np.asarray(part, dtype=float) for part in np.linalg.qr(term.columns))
        return replace(term, columns=q * root), np.asarray(np.linalg.inv(r), dtype=float) * root
    scale = np.linalg.norm(term.columns, axis=0) / root
    return replace(term, columns=term.columns / scale), np.diag(1 / scale)


@dataclass(frozen=True)
class ProfiledFit:
    """The best β, u and σ for one θ."""

    products: MixedProducts
    theta: FloatArray
    likelihood: Likelihood
    cholesky: RandomCholesky
    rx: FloatArray
    """Lower triangle with rx rxᵀ = Qᵀ V⁻¹ Q."""
    shift: FloatArray
    """Qᵀ X β less that of ordinary least squares."""
    half_x: FloatArray
    """L⁻¹ Λᵀ Zᵀ Q, where L Lᵀ = M."""
    half_y: FloatArray
    """L⁻¹ Λᵀ Zᵀ (y - Xβ)."""
    r2: float
    """Sum of squares of the residuals and of the spherical effects u."""

    @property
    def sigma2(self) -> float:
        """The variance of the residuals."""
        return self.r2 / self.products.df(self.likelihood)

    @property
    def criterion(self) -> float:
        """-2 log-likelihood, restricted if REML."""
        value = self.cholesky.log_det + self.products.df(self.likelihood) * (1 + math.log(2 * math.pi * self.sigma2))
        if self.likelihood == "REML":
            diagonals = np.concatenate([np.diagonal(self.rx), np.diagonal(self.products.r)])
            value += 2 * float(np.sum(np.log(np.abs(diagonals))))
        return value

    @property
    def beta(self) -> FloatArray:
        """The fixed effects."""
        return _solve(self.products.r, self.products.qy + self.shift)

    @property
    def relative_covariance(self) -> FloatArray:
        """Of β, in units of σ²: (Xᵀ V⁻¹ X)⁻¹."""
        half = _solve(self.rx, _solve(self.products.r.T, np.eye(self.products.p)))
        return np.asarray(half.T @ half)

    def spread(self) -> Spread:
        """Products with V⁻¹, of which gradients are made."""
        return spread_of(self)

    def gradient(self) -> FloatArray:
        """Of the criterion, with regard to θ."""
        spread = self.spread()
        lead = [spread.of_x @ spread.root, spread.scaled_of_x @ spread.root] if self.likelihood == "REML" else []
        weight = 1 / math.sqrt(self.sigma2)
        ends = [spread.of_y[:, None] * weight, spread.u[:, None] * weight]
        left, right = (np.hstack([*lead[side : side + 1], ends[side]]) for side in (0, 1))
        split = self.products.effects.split
        parts = zip(self.products.effects.terms, self.cholesky.traces(), split(left), split(right), strict=True)
        return np.concatenate(
            [2 * (trace - over_levels(one, other))[term.entries] for term, trace, one, other in parts]
        )


@dataclass(frozen=True)
class Spread:
    """Products of Z with V⁻¹; effects in rows."""

    of_x: FloatArray
    """Zᵀ V⁻¹ Q."""
    scaled_of_x: FloatArray
    """Λᵀ Zᵀ V⁻¹ Q."""
    of_y: FloatArray
    """Zᵀ V⁻¹ (y - Xβ)."""
    u: FloatArray
    """Λᵀ Zᵀ V⁻¹ (y - Xβ): the spherical effects."""
    root: FloatArray
    """Upper triangle whose product with its transpose is (Qᵀ V⁻¹ Q)⁻¹."""


def profiled_fit(products: MixedProducts, theta: FloatArray, likelihood: Likelihood) -> ProfiledFit:
    """The best β, u and σ for one θ."""
    cholesky = random_cholesky(products.effects, products.zz, theta)
    both = np.column_stack([products.zx, products.zy])
    half = cholesky.half(products.effects.scaled_back(theta, both))
    half_x, half_y = half[:, :-1], half[:, -1]
    rx = np.asarray(np.linalg.cholesky(np.eye(products.p) - half_x.T @ half_x), dtype=float)
    step = _solve(rx, -half_x.T @ half_y)
    shift = _solve(rx.T, step)
    r2 = products.ee - float(half_y @ half_y) - float(step @ step)
    return ProfiledFit(products, theta, likelihood, cholesky, rx, shift, half_x, half_y - half_x @ shift, r2)


def spread_of(fit: ProfiledFit) -> Spread:
    """Products with V⁻¹ = I - ZΛ M⁻¹ ΛᵀZᵀ."""
    products = fit.products
    scaled = fit.cholesky.half_back(np.column_stack([fit.half_x, fit.half_y]))
    plain = np.column_stack([products.zx, products.zy - products.zx @ fit.shift])
    plain = plain - products.zz.times(products.effects.scaled(fit.theta, scaled))
    root = _solve(fit.rx.T, np.eye(products.p))
    return Spread(plain[:, :-1], scaled[:, :-1], plain[:, -1], scaled[:, -1], root)


def _solve(matrix: FloatArray, values: FloatArray) -> FloatArray:
    # Small triangles: scipy's solver for them wakes all threads of its BLAS, which costs more than it saves.
    return np.asarray(np.linalg.solve(matrix, values), dtype=float)
