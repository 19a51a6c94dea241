"""Factors and covariates as the columns of a linear model, with the columns of each term kept apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations
from math import prod
from typing import Literal

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.stats.samples import Column, FloatArray, coded, finite_vector
from textassay.stats.variance.anova_table import SumsOfSquares

Coding = Literal["treatment", "sum"]
"""`treatment`: differences from the first level; `sum`: from the mean of all levels, the last one omitted."""
INTERCEPT = "(intercept)"
JOINT = ":"
"""Between the variables of an interaction."""


@dataclass(frozen=True)
class Term:
    """One term of a model: a variable, or several that interact."""

    name: str
    variables: tuple[str, ...]
    columns: tuple[int, ...]
    """Its columns in the matrix."""

    def within(self, other: Term) -> bool:
        """Whether the other term contains this one, as an interaction contains its main effects."""
        return self is not other and set(self.variables) < set(other.variables)


@dataclass(frozen=True)
class ModelMatrix:
    """The fixed part of a model."""

    x: FloatArray
    """One row per observation."""
    names: tuple[str, ...]
    """One per column: `(intercept)`, `length`, `system[b]`, `system[b]:length`."""
    terms: tuple[Term, ...]
    """Without the intercept, in the order of their columns."""
    levels: Mapping[str, tuple[str, ...]]
    """Of each factor; covariates have none."""
    coding: Coding

    def term(self, name: str) -> Term:
        """The term of that name.

        Raises:
            UsageError: there is none; the message names those that there are.
        """
        for term in self.terms:
            if term.name == name:
                return term
        raise UsageError(f"the model has no term {name!r}; it has {', '.join(term.name for term in self.terms)}")


@dataclass(frozen=True)
class _Coded:
    columns: FloatArray
    names: tuple[str, ...]
    levels: tuple[str, ...] = ()


def model_matrix(
    variables: Mapping[str, Column],
    *,
    terms: Sequence[str] | None = None,
    coding: Coding = "treatment",
    factors: Collection[str] | None = None,
    intercept: bool = True,
) -> ModelMatrix:
    """The columns of a model.

    Args:
        variables: By name, each with one value per observation. Numbers are a covariate, all else is a factor.
        terms: Names of variables, and interactions such as `system:length`; by default each variable by itself.
        coding: How the levels of a factor become columns.
        factors: Variables that are factors although their levels are numbers.
        intercept: Whether a column of ones comes first.

    Raises:
        DataError: unequal lengths, a missing value or label, a factor with one level.
        UsageError: a term names a variable that is not there, or twice.
    """
    sizes = {name: len(column) for name, column in variables.items()}
    if len(set(sizes.values())) != 1:
        given = ", ".join(f"{name} has {size}" for name, size in sizes.items()) or "no variable was given"
        raise DataError(f"the lengths must be equal: {given}")
    n = next(iter(sizes.values()))
    wanted = [_variables(term, variables) for term in (terms if terms is not None else list(variables))]
    if len({frozenset(names) for names in wanted}) < len(wanted):
        raise UsageError(f"a term is named twice: {', '.join(JOINT.join(names) for names in wanted)}")
    used = dict.fromkeys(chain.from_iterable(wanted))
    parts = {name: _coded(name, variables[name], coding, factor=name in (factors or ())) for name in used}
    blocks = [_Coded(np.ones((n, 1)), (INTERCEPT,))] if intercept else []
    found: list[Term] = []
    start = len(blocks)
    for names in wanted:
        block = _product([parts[name] for name in names])
        found.append(Term(JOINT.join(names), tuple(names), tuple(range(start, start + len(block.names)))))
        blocks.append(block)
        start += len(block.names)
    x = np.hstack([block.columns for block in blocks]) if blocks else np.zeros((n, 0))
    shown = tuple(chain.from_iterable(block.names for block in blocks))
    levels = {name: part.levels for name, part in parts.items() if part.levels}
    return ModelMatrix(x, shown, tuple(found), levels, coding)


def with_interactions(names: Iterable[str]) -> list[str]:
    """Every variable, then every interaction of two of them, of three and so on.

    >>> with_interactions("ab")
    ['a', 'b', 'a:b']
    """
    variables = list(names)
    sizes = range(1, len(variables) + 1)
    return [JOINT.join(some) for size in sizes for some in combinations(variables, size)]


def is_covariate(column: Column) -> bool:
    """Whether a column holds numbers."""
    try:
        kind = np.asarray(column).dtype.kind
    except ValueError:  # lists among the labels, which are refused when they are read
        return False
    return kind in "iuf" or (kind == "O" and all(isinstance(value, (int, float, np.number)) for value in column))


def _variables(term: str, variables: Mapping[str, Column]) -> list[str]:
    if term in variables:  # whatever its name is
        return [term]
    names = term.split(JOINT)
    unknown = [name for name in names if name not in variables]
    if unknown:
        raise UsageError(
            f"term {term!r} names {unknown[0]!r}, which is not a variable; there are {', '.join(variables)}"
        )
    return names


def _coded(name: str, column: Column, coding: Coding, *, factor: bool) -> _Coded:
    if is_covariate(column) and not factor:
        return _Coded(finite_vector(column, name)[:, None], (name,))
    codes, labels = coded(column, name)
    if len(labels) < 2:
        raise DataError(f"{name} has one level only ({', '.join(labels)}): there is nothing to compare; leave it out")
    k = len(labels)
    contrasts = np.eye(k)[:, 1:] if coding == "treatment" else np.vstack([np.eye(k - 1), -np.ones((1, k - 1))])
    shown = labels[1:] if coding == "treatment" else labels[:-1]
    return _Coded(contrasts[codes], tuple(f"{name}[{label}]" for label in shown), labels)


def _product(parts: Sequence[_Coded]) -> _Coded:
    """The columns of an interaction: all products of one column of each; the first variable varies fastest."""
    joined = parts[0]
    for part in parts[1:]:
        columns = np.einsum("ni,nj->nji", joined.columns, part.columns).reshape(len(joined.columns), -1)
        names = tuple(f"{first}{JOINT}{second}" for second in part.names for first in joined.names)
        joined = _Coded(columns, names)
    return joined


@dataclass(frozen=True)
class TermContrasts:
    """The hypothesis of one term."""

    name: str
    rows: FloatArray
    """One per contrast, over all columns of the model; none where nothing can be tested."""
    warning: str = ""


def term_contrasts(matrix: ModelMatrix, sums: SumsOfSquares) -> list[TermContrasts]:
    """The hypotheses of all terms of a model whose aliased columns are omitted."""
    if sums == "I" or len(matrix.terms) == 1:
        found = [_after(matrix, term, matrix.terms[place + 1 :]) for place, term in enumerate(matrix.terms)]
    elif sums == "II":
        found = [_type_2(matrix, term) for term in matrix.terms]
    else:
        found = [_type_3(matrix, term) for term in matrix.terms]
    return [each if len(each.rows) or each.warning else _nothing_new(each) for each in found]


def contained(term: Term, other: Term, matrix: ModelMatrix) -> bool:
    """Whether the other term contains this one: the same covariates, the same factors and further ones."""
    return term.within(other) and set(other.variables) - set(term.variables) <= set(matrix.levels)


def _nothing_new(term: TermContrasts) -> TermContrasts:
    return TermContrasts(term.name, term.rows, f"F of {term.name} is undefined: it is aliased with other terms")


def _after(matrix: ModelMatrix, term: Term, later: tuple[Term, ...]) -> TermContrasts:
    """The term after all others but the later ones: rows of the triangle of X, scaled to a diagonal of ones."""
    last = [column for each in later for column in each.columns]
    first = [column for column in range(matrix.x.shape[1]) if column not in {*last, *term.columns}]
    order = [*first, *term.columns, *last]
    triangle = np.asarray(np.linalg.qr(matrix.x[:, order], mode="r"), dtype=float)
    places = np.arange(len(first), len(first) + len(term.columns))
    rows = np.zeros((len(places), matrix.x.shape[1]))
    rows[:, order] = triangle[places] / triangle[places, places][:, None]
    return TermContrasts(term.name, rows)


def _plain(matrix: ModelMatrix, term: Term) -> TermContrasts:
    return TermContrasts(term.name, np.eye(matrix.x.shape[1])[list(term.columns)])


def _type_2(matrix: ModelMatrix, term: Term) -> TermContrasts:
    containing = tuple(other for other in matrix.terms if contained(term, other, matrix))
    return _after(matrix, term, containing) if containing else _plain(matrix, term)


def _type_3(matrix: ModelMatrix, term: Term) -> TermContrasts:
    containing = [other for other in matrix.terms if contained(term, other, matrix)]
    aliased = [each for each in (term, *containing) if len(each.columns) < prod(_shape(matrix, each))]
    if aliased and containing:
        reason = (
            f"F of {term.name} is undefined: cells of {aliased[0].name} are empty, so there is no mean over them; "
            "ask for tests of type II"
        )
        return TermContrasts(term.name, np.zeros((0, matrix.x.shape[1])), reason)
    plain = _plain(matrix, term)
    if aliased:
        return plain
    if matrix.coding == "sum":
        plain.rows[:, list(term.columns)] = _from_first_level(matrix, term)
    else:
        for other in containing:
            _add_means(plain.rows, matrix, term, other)
    return plain


def _shape(matrix: ModelMatrix, term: Term) -> list[int]:
    """Columns of each variable of a term; in the term's columns the first variable varies fastest."""
    return [len(matrix.levels[name]) - 1 if name in matrix.levels else 1 for name in term.variables]


def _from_first_level(matrix: ModelMatrix, term: Term) -> FloatArray:
    """From sum-to-zero coding to differences from the first level, as treatment coding has them."""
    changes = []
    for size in _shape(matrix, term):
        levels = np.vstack([np.eye(size), -np.ones((1, size))])
        changes.append(levels[1:] - levels[0])
    for place, name in enumerate(term.variables):
        if name not in matrix.levels:
            changes[place] = np.eye(1)
    return np.asarray(reduce(lambda joined, change: np.kron(change, joined), changes))


def _add_means(rows: FloatArray, matrix: ModelMatrix, term: Term, other: Term) -> None:
    """Add to the rows of a term its mean over the further factors of a term that contains it (treatment coding)."""
    places = np.unravel_index(np.arange(len(other.columns)), _shape(matrix, other), order="F")
    mine = tuple(places[other.variables.index(name)] for name in term.variables)
    share = 1 / prod(len(matrix.levels[name]) for name in other.variables if name not in term.variables)
    rows[np.ravel_multi_index(mine, _shape(matrix, term), order="F"), list(other.columns)] = share
