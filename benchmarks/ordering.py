"""Orders against loops over scipy, both sides in one run, and how each grows with n.

    python3 run.py bench ordering

Prints a table of ratios and keeps it with machine and versions in `benchmarks/results/ordering.json`. Loops that would
take minutes are timed on a part and scaled up; both sides must give the same numbers. A bar that is a time and not a
ratio has the time allowed as its other side.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import islice

import numpy as np
from _house import Row, best_of, keep, machine, shown
from scipy.stats import kendalltau

import textassay.ordering.distributions.tau_counts as counting
from textassay.ordering import consensus, sample_order, tau, tau_batch, tau_counts, tau_matrix

TIMED = 2_000
PATHS = "_ordering_paths"


def rows() -> Iterator[Row]:
    yield from batches()
    yield from single()
    yield from matrices()
    yield from counts()
    yield from growth()


def drawn(m: int, n: int, seed: int = 1) -> np.ndarray:
    return np.argsort(np.random.Generator(np.random.PCG64(seed)).random((m, n)), axis=1)


def batches() -> Iterator[Row]:
    orders = drawn(1_000_000, 20)
    reference = drawn(1, 20, seed=2)[0]
    place = np.argsort(reference)

    def loop() -> list[float]:
        # What scipy takes are ranks: the place of each position's unit, against the positions.
        return [kendalltau(place[row], np.arange(20)).statistic for row in orders[:TIMED]]

    ours = best_of(5, lambda: tau_batch(orders, reference))
    theirs = best_of(2, loop) * len(orders) / TIMED
    same("1M tau", tau_batch(orders, reference)[:TIMED], np.array(loop()))
    note = f"timed on {TIMED:,} orders and scaled"
    yield Row("tau of 1M orders with one, n = 20", ours, "scipy loop", theirs, 3_000, note)


def single() -> Iterator[Row]:
    for n in (1_000, 10_000, 100_000, 1_000_000):
        one, other = np.random.default_rng(n).permutation(n), np.random.default_rng(n + 1).permutation(n)
        places = np.argsort(one), np.argsort(other)
        ours, theirs = best_of(5, partial(tau, one, other)), best_of(3, partial(kendalltau, *places))
        same(f"tau at n = {n}", tau(one, other), kendalltau(*places).statistic)
        yield Row(f"one tau, n = {n:,}", ours, "scipy", theirs, 1.5 if n == 1_000_000 else math.nan)


def matrices() -> Iterator[Row]:
    one, other = drawn(1_000, 20), drawn(1_000, 20, seed=3)
    ranks = np.argsort(one, axis=1), np.argsort(other, axis=1)
    pairs = list(islice(((i, j) for i in range(1_000) for j in range(1_000)), TIMED))

    def loop() -> list[float]:
        return [kendalltau(ranks[0][i], ranks[1][j]).statistic for i, j in pairs]

    ours, theirs = best_of(5, lambda: tau_matrix(one, other)), best_of(2, loop) * 1_000_000 / TIMED
    found = tau_matrix(one, other)
    same("1000 × 1000 tau", np.array([found[i, j] for i, j in pairs]), np.array(loop()))
    note = f"timed on {TIMED:,} pairs and scaled"
    yield Row("tau of 1000 × 1000 orders, n = 20", ours, "scipy loop", theirs, 5_000, note)


def counts() -> Iterator[Row]:
    for n in (50, 100, 150):
        ours = best_of(5, partial(fresh_counts, n))
        if sum(tau_counts(n)) != math.factorial(n):
            raise SystemExit(f"counts of n = {n} do not sum to n!")
        allowed, bar = (0.05, 1) if n == 100 else (math.nan, math.nan)
        yield Row(f"counts of all orders by tau, exact, n = {n}", ours, "time allowed", allowed, bar)


def fresh_counts(n: int) -> None:
    vars(counting)["_counts"].cache_clear()
    tau_counts(n)


def growth() -> Iterator[Row]:
    for n in (10, 40, 160, 640):
        orders = drawn(10_000, n)
        yield Row(f"tau of 10,000 orders, n = {n}", best_of(3, partial(tau_batch, orders)), "–", math.nan, math.nan)
    for n in (8, 50, 200):
        sample_order(n, 0.25, 0.5, 0)  # the counts are made once
        yield Row(
            f"one draw from a bin, n = {n}", best_of(5, partial(sample_order, n, 0.25, 0.5, 1)), "–", math.nan, math.nan
        )
    for n in (10, 13, 16):
        orders = drawn(18, n)
        yield Row(f"Kemeny consensus of 18, n = {n}", best_of(3, partial(consensus, orders)), "–", math.nan, math.nan)


def same(what: str, ours: object, theirs: object) -> None:
    difference = float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())
    if not difference < 1e-9:
        raise SystemExit(f"{what}: tau differs from scipy's by {difference}")


def main() -> int:
    about = machine()
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    parts = [rows, *([import_module(PATHS).rows] if importlib.util.find_spec(PATHS) else [])]
    found: list[Row] = []
    for part in parts:
        for row in part():
            found.append(row)
            print(shown(row), flush=True)
    keep("ordering", about, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
