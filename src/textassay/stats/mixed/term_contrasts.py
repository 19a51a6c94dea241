"""What is tested of each term of a model, as contrasts of all its coefficients: tests of types I, II and III.

Type I: the term after those before it. Type II: the term after all that do not contain it. Type III: the term's
effect averaged over the levels of the further factors in terms that contain it, whatever coding the model was fitted
in. A term contains another if it has all its variables and further factors, and the same covariates (as SAS has it).

The rows are those of lmerTest: F does not depend on how the same hypothesis is written, but Satterthwaite's degrees
of freedom for several contrasts at once do, slightly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import prod

import numpy as np

from textassay.stats.mixed.model_matrix import ModelMatrix, Term
from textassay.stats.samples import FloatArray
from textassay.stats.variance.anova import SumsOfSquares


@dataclass(frozen=True)
class TermContrasts:
    """The hypothesis of one term."""

    name: str
    rows: FloatArray
    """One a contrast, over all columns of the model; none where nothing can be tested."""
    warning: str = ""


def term_contrasts(matrix: ModelMatrix, sums: SumsOfSquares) -> list[TermContrasts]:
    """The hypotheses of all terms of a model whose aliased columns are left out."""
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
    return TermContrasts(term.name, term.rows, f"F of {term.name} is undefined: other terms say all that it says")


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
