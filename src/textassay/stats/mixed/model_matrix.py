"""Factors and covariates as the columns of a linear model, with the columns of each term kept apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Literal

import numpy as np

from textassay.errors import DataError, UsageError
from textassay.stats.labels import Column
from textassay.stats.samples import FloatArray, coded, finite_vector

Coding = Literal["treatment", "sum"]
"""`treatment`: differences from the first level; `sum`: from the mean of all levels, the last one left out."""
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
    """One row an observation."""
    names: tuple[str, ...]
    """One a column: `(intercept)`, `length`, `system[b]`, `system[b]:length`."""
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
        variables: By name, each with one value an observation. Numbers are a covariate, all else is a factor.
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
    except ValueError:  # lists among the labels, which whoever reads them refuses
        return False
    return kind in "iuf" or (kind == "O" and all(isinstance(value, (int, float, np.number)) for value in column))


def _variables(term: str, variables: Mapping[str, Column]) -> list[str]:
    if term in variables:  # whatever its name is
        return [term]
    names = term.split(JOINT)
    unknown = [name for name in names if name not in variables]
    if unknown:
        raise UsageError(f"term {term!r} names {unknown[0]!r}, which is no variable; there are {', '.join(variables)}")
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
