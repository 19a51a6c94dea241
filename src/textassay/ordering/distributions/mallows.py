"""Mallows' model: orders scatter around a centre, each inversion making an order less likely by the same factor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from textassay.errors import UsageError
from textassay.ordering.agreement.consensus import consensus
from textassay.ordering.measures.tau import TAU, inversions
from textassay.ordering.orders import Order, Unit, align, read_order
from textassay.ordering.permutations import Floats, Orders, Permutations, inverse_rows, numbered
from textassay.results import Record
from textassay.seeds import Stream
from textassay.stats.statistic import Statistic

_STEPS = 200
"""Halvings of the range of phi; more than a float has digits."""


@dataclass(frozen=True)
class Mallows:
    """P(order) = phi^S / Z, S the inversions between the order and the centre.

    >>> model = Mallows(("a", "b", "c"), 0.5)
    >>> round(model.density("abc"), 4), round(model.density("cba"), 4)  # Z = 1 · 1.5 · 1.75
    (0.381, 0.0476)
    """

    centre: tuple[Unit, ...]
    phi: float
    """0: always the centre; 1: every order equally likely."""

    def __post_init__(self) -> None:
        if not 0 <= self.phi <= 1:
            raise UsageError(f"phi must lie between 0 (always the centre) and 1 (any order), got {self.phi}")
        align(self.centre, self.centre)  # names units that repeat

    @property
    def log_z(self) -> float:
        """The logarithm of Z = Π (1 + phi + … + phi^(j-1)) over j = 1 … n."""
        return float(np.log(_sums(len(self.centre), self.phi)[0]).sum())

    @property
    def expected_inversions(self) -> float:
        """Mean number of inversions with the centre."""
        sums, firsts, _ = _sums(len(self.centre), self.phi)
        return float((firsts / sums).sum())

    @property
    def expected_tau(self) -> float:
        """Mean tau with the centre; nan for fewer than two units."""
        return float(TAU.values(self.expected_inversions, len(self.centre)))

    def log_density(self, order: Order) -> float:
        """The logarithm of the probability of an order."""
        turned = inversions(order, self.centre)
        if self.phi == 0:
            return 0.0 if turned == 0 else -math.inf
        return turned * math.log(self.phi) - self.log_z

    def density(self, order: Order) -> float:
        """The probability of an order."""
        return math.exp(self.log_density(order))

    def sample(self, size: int, seed: int | Stream) -> list[list[Unit]]:
        """That many random orders."""
        rows = mallows_rows(len(self.centre), self.phi, size, seed)
        return [[self.centre[unit] for unit in row] for row in rows.tolist()]


@dataclass(frozen=True, kw_only=True)
class MallowsFit(Statistic):
    """Mallows' model fitted to orders."""

    model: Mallows
    theta: float
    """-log phi: 0 for no agreement; infinite where all orders are the same."""
    se: float
    """Standard error of theta, with the centre taken as known."""
    log_likelihood: float
    orders: int
    exact: bool
    """Whether the centre is the most likely one; always so where it was given."""

    def records(self) -> list[Record]:
        """The dispersion, and the mean tau that goes with it."""
        more: Record = {"theta": self.theta, "se": self.se, "log_likelihood": self.log_likelihood}
        centre = " ".join(map(str, self.model.centre))
        return [self.record("phi", self.model.phi, n=self.orders, centre=centre, **more)]


def fit_mallows(orders: Orders, *, centre: Order | None = None) -> MallowsFit:
    """Mallows' model by maximum likelihood (Mallows 1957; Fligner & Verducci 1986).

    The most likely centre is Kemeny's order, whatever phi; then phi makes the expected number of inversions equal to
    the mean one. The standard error of theta = -log phi is 1/√(m var S).

    Args:
        orders: Orders of the same units.
        centre: The centre, where it is known.

    Raises:
        DataError: no orders, or orders of different units.

    >>> found = fit_mallows(["abcd", "abcd", "abdc", "bacd"])
    >>> "".join(found.model.centre), round(found.model.phi, 4), round(found.model.expected_inversions, 4)
    ('abcd', 0.1588, 0.5)
    """
    rows, units = numbered(orders)
    agreed = consensus(orders) if centre is None else None
    middle = agreed.order if agreed is not None else read_order(centre if centre is not None else (), "centre")
    place = align(units, middle).places
    n, m = len(units), len(rows)
    mean = float(np.mean(TAU.count(place[rows]))) if n > 1 else math.nan
    phi = _phi_of(mean, n)
    sums, firsts, seconds = _sums(n, phi)
    variance = float((seconds / sums - (firsts / sums) ** 2).sum())
    model = Mallows(tuple(middle), phi if n > 1 else 1.0)
    theta = -math.log(phi) if phi > 0 else math.inf
    return MallowsFit(
        method="Mallows' model",
        settings={
            "fit": "maximum likelihood",
            "centre": "Kemeny" if centre is None else "given",
            "orders": m,
            "units": n,
        },
        warnings=_warnings(mean, n, agreed.warnings if agreed is not None else ()),
        model=model,
        theta=theta,
        se=1 / math.sqrt(m * variance) if variance > 0 and theta > 0 else math.nan,
        log_likelihood=0.0 if phi == 0 else m * (mean * math.log(phi) - model.log_z),
        orders=m,
        exact=agreed is None or agreed.exact,
    )


def mallows_rows(n: int, phi: float, size: int, seed: int | Stream) -> Permutations:
    """Random orders of 0 … n-1 around 0 … n-1, shape (size, n): each unit is put before c of those that are there.

    >>> mallows_rows(4, 0.0, 2, seed=1).tolist()
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    stream = seed if isinstance(seed, Stream) else Stream(seed, "ordering", "mallows")
    draws = stream.uniforms(size * n).reshape(size, n)
    place = np.zeros((size, n), dtype=np.int64)
    powers = phi ** np.arange(n, dtype=float)
    for unit in range(1, n):
        shares = np.cumsum(powers[: unit + 1])
        c = np.searchsorted(shares / shares[-1], draws[:, unit], side="right")
        here = unit - np.minimum(c, unit)
        place[:, :unit] += place[:, :unit] >= here[:, None]
        place[:, unit] = here
    return inverse_rows(place)


def _sums(n: int, phi: float) -> tuple[Floats, Floats, Floats]:
    """Σ phi^r, Σ r phi^r and Σ r² phi^r over r = 0 … j-1, for each j = 1 … n."""
    r = np.arange(n, dtype=float)
    weight = phi**r
    return np.cumsum(weight), np.cumsum(r * weight), np.cumsum(r**2 * weight)


def _phi_of(mean: float, n: int) -> float:
    """The phi whose expected number of inversions is the mean one; 1 where the mean is at least that of chance."""
    if n < 2 or mean >= n * (n - 1) / 4:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        sums, firsts, _ = _sums(n, middle)
        if float((firsts / sums).sum()) < mean:
            low = middle
        else:
            high = middle
    return high if mean > 0 else 0.0


def _warnings(mean: float, n: int, others: tuple[str, ...]) -> tuple[str, ...]:
    if n < 2:
        return (f"phi is undefined: it needs at least 2 units, got {n}",)
    if mean == 0:
        return ("all orders are the centre: phi is 0 and theta has no standard error",)
    if mean >= n * (n - 1) / 4:
        return ("the orders are no nearer to the centre than chance: phi is 1", *others)
    return others
