"""Shortest paths on text distances against OR-Tools, both sides in one run, and how the time grows with n.

Where OR-Tools proves its path (CP-SAT with a circuit, one worker), both must cost the same. For 200 sentences its
routing search gets ten seconds, and the best path that either side finds is the best known.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterator
from functools import partial

import numpy as np
from _house import Row, best_of
from _metrics_texts import vocabulary
from ortools.constraint_solver import pywrapcp, routing_enums_pb2
from ortools.sat.python import cp_model

from textassay.ordering.paths.shortest_path import ShortestPath, path_cost, shortest_path
from textassay.ordering.unit_similarity import distances_of, tf_idf

TEXTS = 7
"""Texts of 50 sentences, of whose times the median counts."""
FEWER = 3
"""Of them, so many are given to CP-SAT, which takes its time."""
NEAR = 0.003
"""How far above the best known the path of 200 sentences may be."""
WHOLE = 10**7
"""OR-Tools takes whole numbers: a distance of 1 in so many steps."""
PATIENCE = 60.0
"""Seconds that CP-SAT has for one text."""


def text_distances(n: int, seed: int = 1) -> np.ndarray:
    """Distances of n sentences of about 20 words: half of them everybody's, half from a topic that drifts."""
    draw = random.Random(1_000 * n + seed)
    known = vocabulary(draw, 3_000)
    often = [1 / (rank + 3) for rank in range(len(known))]
    sentences = []
    for number in range(n):
        topic = [1 / (1 + abs(rank - 10 * number) / 5) ** 2 for rank in range(len(known))]
        words = draw.choices(known, often, k=draw.randint(6, 14)) + draw.choices(known, topic, k=draw.randint(6, 14))
        sentences.append(" ".join(words))
    draw.shuffle(sentences)
    return distances_of(tf_idf(sentences))


def rows() -> Iterator[Row]:
    yield from twenty()
    yield from fifty()
    yield from two_hundred()
    for n in (10, 15, 20, 30, 50, 100, 200, 500):
        distances = text_distances(n, seed=2)
        found = shortest_path(distances)
        ours = best_of(2 if n < 500 else 1, partial(shortest_path, distances))
        yield Row(f"path, n = {n}", ours, "–", math.nan, math.nan, how_good(found))


def twenty() -> Iterator[Row]:
    for start in (0, None):
        distances = text_distances(20)
        ours = best_of(3, partial(shortest_path, distances, start))
        found = shortest_path(distances, start)
        what = f"exact path, n = 20, first {'free' if start is None else 'given'}"
        yield Row(what, ours, "time allowed", 1.5, 1, how_good(found))
        if start == 0:
            theirs = best_of(1, partial(same_as_proved, distances, found))
            yield Row(what, ours, "OR-Tools CP-SAT", theirs, math.nan)


def fifty() -> Iterator[Row]:
    ours, theirs, proved = [], [], 0
    for seed in range(TEXTS):
        distances = text_distances(50, seed)
        found = shortest_path(distances)
        proved += found.exact
        ours.append(best_of(1, partial(shortest_path, distances)))
        if seed < FEWER:
            theirs.append(best_of(1, partial(same_as_proved, distances, found)))
    usual = statistics.median(ours)
    note = f"median of {TEXTS} texts, {proved} proved; slowest {max(ours):.2f} s"
    yield Row("exact path, n = 50", usual, "time allowed", 3.0, 1, note)
    note = f"theirs the median of {FEWER}, at most {PATIENCE:g} s"
    yield Row("exact path, n = 50", usual, "OR-Tools CP-SAT", statistics.median(theirs), math.nan, note)


def two_hundred() -> Iterator[Row]:
    distances = text_distances(200)
    bounded = partial(shortest_path, distances, proved_to=50)  # no integer program
    proving = partial(shortest_path, distances)
    theirs = routed(distances, seconds=10)
    known = min(bounded().cost, proving().cost, theirs)
    for what, solve in (("bounded", bounded), ("proved if it can be", proving)):
        found, ours = solve(), best_of(1, solve)
        above = found.cost / known - 1
        if above > NEAR:
            raise SystemExit(f"n = 200: {above:.3%} above the best known path, more than {NEAR:.1%}")
        note = f"{above:.3%} above the best known; {how_good(found)}"
        yield Row(f"path, n = 200, {what}", ours, "time allowed", 10.0, 1, note)
        note = f"theirs is {theirs / known - 1:.3%} above the best known"
        yield Row(f"path, n = 200, {what}", ours, "OR-Tools routing", 10.0, math.nan, note)


def how_good(found: ShortestPath) -> str:
    return "proved" if found.exact else f"gap at most {found.gap:.3%}"


def same_as_proved(distances: np.ndarray, found: ShortestPath) -> None:
    """The path of CP-SAT from unit 0; it must cost the same as ours."""
    n = len(distances)
    model = cp_model.CpModel()
    arcs = [(j, k, model.new_bool_var("")) for j in range(n) for k in range(n) if j != k]
    model.add_circuit(arcs)
    model.minimize(sum(round(WHOLE * distances[j, k]) * arc for j, k, arc in arcs if k != 0))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PATIENCE
    status = solver.solve(model)
    cost = solver.objective_value / WHOLE
    if status == cp_model.OPTIMAL and abs(cost - found.cost) > n / WHOLE:
        raise SystemExit(f"n = {n}: CP-SAT's path costs {cost}, ours {found.cost}")


def routed(distances: np.ndarray, seconds: int) -> float:
    """Cost of the path from unit 0 that OR-Tools' guided local search finds in that time."""
    n = len(distances)
    whole = np.rint(WHOLE * distances).astype(int)
    whole[:, 0] = 0
    manager = pywrapcp.RoutingIndexManager(n, 1, 0)
    routing = pywrapcp.RoutingModel(manager)
    matrix = whole.tolist()
    transit = routing.RegisterTransitMatrix(matrix)
    routing.SetArcCostEvaluatorOfAllVehicles(transit)
    parameters = pywrapcp.DefaultRoutingSearchParameters()
    parameters.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PATH_CHEAPEST_ARC
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    parameters.time_limit.seconds = seconds
    solution = routing.SolveWithParameters(parameters)
    order, index = [], routing.Start(0)
    while not routing.IsEnd(index):
        order.append(manager.IndexToNode(index))
        index = solution.Value(routing.NextVar(index))
    return path_cost(distances, order)
