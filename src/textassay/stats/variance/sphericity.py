"""How far the differences between repeated measures vary alike, and what to do where they do not."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.stats.distributions import chi2_upper, f_upper
from textassay.stats.samples import FloatArray


@dataclass(frozen=True)
class Sphericity:
    """Of one effect within subjects that has at least two degrees of freedom."""

    mauchly_w: float
    """Mauchly's W: 1 where sphericity holds exactly; nan where the contrasts go together, as with too few subjects."""
    mauchly_p: float
    gg: float
    """ε of Greenhouse & Geisser, by which both degrees of freedom are multiplied."""
    hf: float
    """ε of Huynh & Feldt, at most 1."""

    def corrected_p(self, f: float, df: int, error_df: int) -> tuple[float, float]:
        """The p with the degrees of freedom of Greenhouse & Geisser, and of Huynh & Feldt."""
        gg, hf = (f_upper(f, epsilon * df, epsilon * error_df) for epsilon in (self.gg, self.hf))
        return gg, hf


def sphericity(residuals: FloatArray, df: int, conditions: int) -> Sphericity:
    """Sphericity of d orthonormal contrasts, from what is left of them after the model between subjects.

    With S the cross-products of the residuals: W = det S / (tr S / d)ᵈ, tested by the series of Box (1949) as
    R's `mauchly.test` has it; ε = (tr S)² / (d tr S²) (Greenhouse & Geisser 1959);
    ε' = ((df + 1) d ε - 2) / (d (df - d ε)), at most 1 (Huynh & Feldt 1976 with the correction of Lecoutre 1991).

    Args:
        residuals: Shape (subjects, contrasts).
        df: Degrees of freedom between subjects: subjects less groups.
        conditions: Number of conditions that the contrasts are of.
    """
    d = residuals.shape[1]
    cross = residuals.T @ residuals
    trace = float(np.trace(cross))
    if df < 1 or not trace > 0:
        return Sphericity(math.nan, math.nan, math.nan, math.nan)
    scaled = cross / (trace / d)
    gg = d / float(np.sum(scaled**2))
    w = _mauchly_w(scaled) if df >= d else math.nan
    return Sphericity(w, _mauchly_p(w, d, df, conditions), gg, _huynh_feldt(gg, d, df))


def _huynh_feldt(gg: float, d: int, df: int) -> float:
    if df == 1:  # two subjects: ε is 1/d, and so is the limit of the formula, which is 0/0 there
        return gg
    room = d * (df - d * gg)
    return min(((df + 1) * d * gg - 2) / room, 1.0) if room > 0 else 1.0


def _mauchly_w(scaled: FloatArray) -> float:
    sizes = np.linalg.eigvalsh(scaled)
    if sizes[0] <= 1e-14 * sizes[-1]:  # contrasts that go together have no determinant but rounding
        return math.nan
    return math.exp(min(float(np.sum(np.log(sizes))), 0.0))


def _mauchly_p(w: float, d: int, df: int, conditions: int) -> float:
    if not w > 0:
        return math.nan
    rho = 1 - (2 * d**2 + d + 2) / (6 * d * df)
    if rho <= 0:
        return math.nan
    # R and pingouin put the number of conditions where Anderson (1958) has d; the third digit of p can differ.
    polynomial = 2 * d**3 + 6 * d**2 + 3 * conditions + 2
    weight = (d + 2) * (d - 1) * (d - 2) * polynomial / (288 * (df * d * rho) ** 2)
    chi2, chi2_df = -df * rho * math.log(w), d * (d + 1) // 2 - 1
    first, second = chi2_upper(chi2, chi2_df), chi2_upper(chi2, chi2_df + 4)
    return min(max(first + weight * (second - first), 0.0), 1.0)
