"""Judgements and scores brought together: a grid of items by systems for each criterion, and what was not used.

>>> judgements = pd.DataFrame({"participant": ["p", "q", "p"], "item": ["1", "1", "1"], "system": ["a", "a", "b"],
...                            "criterion": "clarity", "value": [3, 5, 2]})
>>> scores = pd.DataFrame({"item": ["1", "1", "2"], "system": ["a", "b", "b"], "metric": "ter", "value": [0.1, 0.5, 9]})
>>> (grid,) = score_grids(judgements, scores)
>>> grid.people.tolist(), grid.scores["ter"].tolist(), sorted(grid.turned)
([[4.0, 2.0]], [[-0.1, -0.5]], ['ter'])
>>> grid.metric_notes
{'ter': ('1 of 3 scored texts have no judgement',)}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from textassay import catalogue
from textassay.analysis.judgements import CELL, need_columns, read_judgements, reasons_omitted
from textassay.errors import DataError
from textassay.known_names import check_choice
from textassay.meta.ceilings import RatedTexts
from textassay.meta.raters import Raters, rated_texts
from textassay.stats.samples import FloatArray, IntArray

SystemScores = Literal["corpus", "all", "judged"]
"""A metric's score of a system: its own row of the table (without one, as `judged`), the mean over all texts that were
scored, or over those that people judged."""
_TEXT = ["item", "system"]
_SCORED = [*_TEXT, "metric"]


@dataclass(frozen=True)
class AlignmentOptions:
    """How judgements and scores are brought together."""

    raters: Raters = "mean"
    """What several raters make of a text; see `rated_texts`."""
    system_scores: SystemScores = "corpus"
    """Over which texts a metric scores a system."""
    reference_system: str | None = None
    """A system whose texts are the references, so that metrics find it perfect by construction."""
    error_criteria: frozenset[str] = frozenset()
    """Criteria of which less is better; they are turned, as metrics that count errors are."""

    def __post_init__(self) -> None:
        """Refuse what is not on offer."""
        check_choice("system_scores", self.system_scores, get_args(SystemScores))


DEFAULTS = AlignmentOptions()


@dataclass(frozen=True, eq=False)
class ScoreGrid:
    """What people and metrics say of the same texts, on one criterion; more is better on both sides."""

    criterion: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    people: FloatArray
    """Shape (items, systems); undefined where nobody judged."""
    scores: Mapping[str, FloatArray]
    """Metric → (items, systems), turned where the metric counts errors; undefined where there is no score."""
    system_people: FloatArray
    """Shape (systems,): the mean over the system's judged texts."""
    system_scores: Mapping[str, FloatArray]
    """Metric → (systems,); see `scores_are`."""
    scores_are: Mapping[str, str]
    """Metric → where its scores of systems come from, in words."""
    turned: frozenset[str]
    """Metrics that count errors: their scores have the opposite sign here."""
    people_turned: bool
    """Whether less of the criterion is better: then judgements have the opposite sign here."""
    reference: str | None
    """The system whose texts are the references, if it was judged."""
    rows: pd.DataFrame
    """Every row of both tables: `table, row` (from 1), names, `value`, `used`, and `why` it was not used."""
    rated: RatedTexts
    """What each rater said of each text: items and systems by their places in the grid, signs as in `people`."""
    comparing: frozenset[str] = frozenset()
    """Metrics that compare with references: these find a system perfect that is the reference."""
    notes: tuple[str, ...] = ()
    metric_notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Metric → what occurs on one side only, counted."""

    @property
    def metrics(self) -> list[str]:
        """The metrics, in the order of the table of scores."""
        return list(self.scores)

    def without(self, system: str) -> ScoreGrid:
        """The same without one system."""
        kept = np.array([name != system for name in self.systems], dtype=bool)
        rows = self.rows.copy()
        gone = rows["used"] & (rows["system"] == system)
        rows.loc[gone, "why"] = "the system is the reference" if system == self.reference else "the system is left out"
        rows.loc[gone, "used"] = False
        return replace(
            self,
            systems=tuple(name for name in self.systems if name != system),
            people=self.people[:, kept],
            scores={name: grid[:, kept] for name, grid in self.scores.items()},
            system_people=self.system_people[kept],
            system_scores={name: values[kept] for name, values in self.system_scores.items()},
            reference=None if system == self.reference else self.reference,
            rows=rows,
            rated=_rated_without(self.rated, kept),
        )

    def fair_to(self, metric: str) -> ScoreGrid:
        """Without a system that is the reference, where the metric compares with references and so finds it perfect."""
        return self.without(self.reference) if self.reference is not None and metric in self.comparing else self

    def given(self, metric: str) -> FloatArray:
        """A metric's scores with the sign that they have in the table."""
        return -self.scores[metric] if metric in self.turned else self.scores[metric]

    @cached_property
    def texts_per_item(self) -> int:
        """The largest number of judged texts of one item."""
        return int(np.isfinite(self.people).sum(axis=1).max(initial=0))


def score_grids(
    judgements: pd.DataFrame, scores: pd.DataFrame, options: AlignmentOptions = DEFAULTS
) -> tuple[ScoreGrid, ...]:
    """A grid for each criterion.

    Practice, attention checks and repeats do not count among the judgements. What is missing stays missing: a text
    that has a judgement and no score by a metric is undefined in that metric's grid only.

    Args:
        judgements: Columns `participant, item, system, criterion, value`.
        scores: Columns `item, system, metric, value`; rows of whole systems have no item. Where there is a `signature`,
            it tells which metric a label stands for, and so whether more of it is better.
        options: How they are brought together.

    Raises:
        DataError: a column is missing, a score is no number, or a text has two scores by one metric.
    """
    judged = read_judgements(judgements)
    table = _read_scores(scores)
    kinds = error_metrics(scores), comparing_metrics(scores)
    fates = _fates(judgements)
    undefined = int((~np.isfinite(table["score"])).sum())
    warnings = list(judged.warnings)
    if undefined:
        warnings.append(f"{undefined} of {len(table)} scores are undefined; they are omitted")
    assumed = _assumed(scores)
    if assumed:
        warnings.append(
            f"higher is taken to be better of {', '.join(assumed)}, since the scores do not say it (column 'better')"
        )
    return tuple(
        _grid(criterion, judged.of(criterion).main, fates, table, kinds, options, warnings)
        for criterion in judged.criteria
    )


def error_metrics(scores: pd.DataFrame) -> frozenset[str]:
    """The metrics of a table of scores that count errors, by their names or labels there: less of them is better.

    A label says nothing of that; the signature of its scores begins with the metric's own name. Of a metric that is not
    in the catalogue it is taken for granted that more is better, unless the column `better` says otherwise.
    """
    said = _said_better(scores)
    return frozenset(
        label
        for label, name in _own_names(scores)
        if (said[label] == "lower" if label in said else not _property(name, "higher_is_better"))
    )


def _said_better(scores: pd.DataFrame) -> dict[str, str]:
    """By metric what the table says of it: higher or lower."""
    if "better" not in scores:
        return {}
    given = scores["better"].fillna("").astype(str).str.strip().str.lower()
    known = given.isin(["higher", "lower"])
    return dict(zip(scores.loc[known, "metric"].astype(str), given[known], strict=True))


def _assumed(scores: pd.DataFrame) -> list[str]:
    """Metrics of which neither the catalogue nor the table says which values are better, in a table that could."""
    if "better" not in scores:
        return []
    said, known = _said_better(scores), catalogue.names("metric")
    return [label for label, name in _own_names(scores) if label not in said and name not in known]


def comparing_metrics(scores: pd.DataFrame) -> frozenset[str]:
    """The metrics of a table of scores that compare with references; one that is not in the catalogue may do so."""
    return frozenset(label for label, name in _own_names(scores) if _property(name, "needs_references"))


def _own_names(scores: pd.DataFrame) -> list[tuple[str, str]]:
    """The metrics as the table calls them, each with its own name."""
    names = scores[["metric"]].astype(str)
    given = scores["signature"].fillna("").astype(str) if "signature" in scores else names["metric"].map(lambda _: "")
    own = given.map(lambda signature: signature.partition("|")[0])
    known = names.assign(own=own.where(own != "", names["metric"])).drop_duplicates()
    return list(zip(known["metric"], known["own"], strict=True))


def _property(metric: str, name: str) -> bool:
    return metric not in catalogue.names("metric") or bool(getattr(catalogue.find("metric", metric), name))


def _read_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns `item, system, metric, score`; `item` is empty where the score is of a whole system."""
    need_columns(frame, [*_SCORED, "value"], "scores")
    table = frame[_SCORED].astype(object).where(frame[_SCORED].notna(), "").astype(str).reset_index(drop=True)
    given = frame["value"].reset_index(drop=True)
    table["score"] = pd.to_numeric(given, errors="coerce").astype(float)
    wrong = np.flatnonzero(table["score"].isna() & given.notna())
    if wrong.size:
        raise DataError(f"scores, row {wrong[0] + 1}: value is {given[wrong[0]]!r}; it must be a number")
    twice = table.duplicated(_SCORED)
    if twice.any():
        first = table[twice].iloc[0]
        raise DataError(
            f"scores: item {first['item'] or '(none)'}, system {first['system']} has two values of {first['metric']}; "
            "keep one"
        )
    table["score"] = table["score"].where(np.isfinite(table["score"]))
    return table


def _fates(judgements: pd.DataFrame) -> pd.DataFrame:
    """Each row of the judgements, and why it does not count."""
    names = {column: judgements[column].fillna("").astype(str).to_numpy() for column in CELL}
    value = pd.to_numeric(judgements["value"], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    return pd.DataFrame(
        {
            "table": "judgements", "row": np.arange(1, len(judgements) + 1), **names, "metric": "", "value": value,
            "why": reasons_omitted(judgements),
        }
    )  # fmt: skip


def _grid(
    criterion: str,
    main: pd.DataFrame,
    fates: pd.DataFrame,
    scores: pd.DataFrame,
    kinds: tuple[frozenset[str], frozenset[str]],
    options: AlignmentOptions,
    warnings: Sequence[str],
) -> ScoreGrid:
    rated = rated_texts(main, options.raters)
    items, systems = (tuple(dict.fromkeys(rated.texts[name])) for name in _TEXT)
    turned = criterion in options.error_criteria
    people = _placed(rated.texts, "judgement", items, systems)
    answers = _rated(main, rated.used, items, systems)
    if turned:
        people, answers = 0.0 - people, replace(answers, values=0.0 - answers.values)
    errors, comparing = kinds
    grids, of_systems, sources, notes = {}, {}, {}, {}
    judged = np.isfinite(people)
    for metric, own in scores.groupby("metric", sort=False):
        name, sign = str(metric), -1.0 if metric in errors else 1.0
        texts = own[own["item"] != ""]
        grids[name] = sign * _placed(texts, "score", items, systems)
        values, sources[name] = _of_systems(own, grids[name] * sign, judged, systems, options.system_scores)
        of_systems[name] = sign * values
        notes[name] = tuple(_one_sided(texts, grids[name], judged, own, values, systems))
    rows = _rows(criterion, fates, scores, grids, judged, (items, systems))
    return ScoreGrid(
        criterion, items, systems, people, grids, _means(people), of_systems, sources,
        turned=frozenset(grids) & errors, people_turned=turned, comparing=frozenset(grids) & comparing,
        reference=options.reference_system if options.reference_system in systems else None,
        rows=rows, rated=answers, notes=(*warnings, *rated.notes),
        metric_notes={name: own for name, own in notes.items() if own},
    )  # fmt: skip


def _placed(table: pd.DataFrame, column: str, items: Sequence[str], systems: Sequence[str]) -> FloatArray:
    """The values of a table of texts at their places; undefined where there is none."""
    grid = np.full((len(items), len(systems)), np.nan)
    row, place, there = _places(table, items, systems)
    grid[row[there], place[there]] = table[column].to_numpy(dtype=float)[there]
    return grid


def _rated(main: pd.DataFrame, used: FloatArray, items: Sequence[str], systems: Sequence[str]) -> RatedTexts:
    """The answers that went into the means, one by one."""
    row, place, there = _places(main, items, systems)
    kept = there & np.isfinite(used)
    rater = pd.factorize(main["participant"])[0].astype(np.intp)
    return RatedTexts(used[kept], rater[kept], row[kept], place[kept])


def _rated_without(rated: RatedTexts, systems: npt.NDArray[np.bool_]) -> RatedTexts:
    kept = systems[rated.system]
    place = np.cumsum(systems) - 1
    return RatedTexts(rated.values[kept], rated.rater[kept], rated.item[kept], place[rated.system[kept]])


def _places(
    table: pd.DataFrame, items: Sequence[str], systems: Sequence[str]
) -> tuple[IntArray, IntArray, npt.NDArray[np.bool_]]:
    """For each row of a table of texts its item and system by number, and whether both are in the grid."""
    row, place = (
        pd.Index(np.array(names, dtype=object)).get_indexer(pd.Index(table[column].to_numpy(dtype=object)))
        for names, column in ((items, "item"), (systems, "system"))
    )
    return row, place, (row >= 0) & (place >= 0)


def _means(grid: FloatArray) -> FloatArray:
    """The mean of each column over what is defined there."""
    there = np.isfinite(grid)
    counts = there.sum(axis=0)
    sums = np.where(there, grid, 0.0).sum(axis=0)
    return np.asarray(np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0))


def _of_systems(
    own: pd.DataFrame, grid: FloatArray, judged: np.ndarray, systems: Sequence[str], choice: SystemScores
) -> tuple[FloatArray, str]:
    """One metric's score of each system as it is in the table, and where it comes from."""
    whole = own[own["item"] == ""]
    if choice == "corpus" and not whole.empty:
        return whole.set_index("system")["score"].reindex(list(systems)).to_numpy(dtype=float), "corpus score"
    if choice == "all":
        means = own[own["item"] != ""].groupby("system", sort=False)["score"].mean()
        return means.reindex(list(systems)).to_numpy(dtype=float), "mean over all scored texts"
    return _means(np.where(judged, grid, np.nan)), "mean over the judged texts"


def _one_sided(
    texts: pd.DataFrame,
    grid: FloatArray,
    judged: np.ndarray,
    own: pd.DataFrame,
    of_systems: FloatArray,
    systems: Sequence[str],
) -> list[str]:
    """What occurs on one side only, counted."""
    both, n_judged = int((np.isfinite(grid) & judged).sum()), int(judged.sum())
    n_scored = int(np.isfinite(texts["score"]).sum())
    notes = []
    if n_scored and both < n_judged:
        notes.append(f"{n_judged - both} of {n_judged} judged texts have no score")
    if both < n_scored:
        notes.append(f"{n_scored - both} of {n_scored} scored texts have no judgement")
    without = [name for name, value in zip(systems, of_systems, strict=True) if not np.isfinite(value)]
    if without:
        notes.append(f"{', '.join(sorted(without))}: judged but not scored, so omitted")
    extra = set(own["system"]) - set(systems)
    if extra:
        notes.append(f"{', '.join(sorted(extra))}: scored but not judged, so omitted")
    return notes


def _rows(
    criterion: str,
    fates: pd.DataFrame,
    scores: pd.DataFrame,
    grids: Mapping[str, FloatArray],
    judged: np.ndarray,
    names: tuple[Sequence[str], Sequence[str]],
) -> pd.DataFrame:
    """Every row of both tables that can belong to this criterion: used, or why not."""
    answers = fates[(fates["criterion"] == criterion) | (fates["criterion"] == "")]
    scored = np.any([np.isfinite(grid) for grid in grids.values()], axis=0) if grids else np.zeros_like(judged)
    row, place, known = _places(answers, *names)
    has_score = np.zeros(len(answers), dtype=bool)
    has_score[known] = scored[row[known], place[known]]
    no_score = (answers["why"] == "") & ~has_score
    answers = answers.assign(why=answers["why"].mask(no_score, "the text has no score"))
    row, place, known = _places(scores, *names)
    has_judgement = np.zeros(len(scores), dtype=bool)
    has_judgement[known] = judged[row[known], place[known]]
    whole = (scores["item"] == "").to_numpy() & (place >= 0)
    why = np.where(has_judgement | whole, "", "the text has no judgement").astype(object)
    why[(scores["item"] == "").to_numpy() & (place < 0)] = "the system has no judgement"
    why[~np.isfinite(scores["score"].to_numpy())] = "the score is undefined"
    beside = pd.DataFrame(
        {
            "table": "scores", "row": np.arange(1, len(scores) + 1), "participant": "", "item": scores["item"],
            "system": scores["system"], "criterion": criterion, "metric": scores["metric"], "value": scores["score"],
            "why": why,
        }
    )  # fmt: skip
    both = pd.concat([answers, beside], ignore_index=True)
    return both.assign(used=both["why"] == "")
