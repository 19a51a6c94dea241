"""The statistics of a decision block: how well what was chosen suits, by system, and how the time was used.

P, P_AP, P_INAP and SP_AP are compared by subjects as Gatt & Portet (2010) did, by items, and by mixed models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from textassay.analysis.crossed_logistic import crossed_logistic, odds_table
from textassay.analysis.exclusions import with_and_without_exclusions
from textassay.analysis.judgements import in_order, read_judgements
from textassay.analysis.leading_test import leading_p
from textassay.analysis.options import RecipeOptions, study_options, table_options
from textassay.analysis.order_effects import order_cautions
from textassay.analysis.wording import named_warnings
from textassay.content.expert_sets import expert_ratings, sets_by_item
from textassay.pairwise import Better
from textassay.results import Analysis, Table
from textassay.stats import krippendorff_alpha
from textassay.study.model import AnalysisOptions
from textassay.tables.frames import rows_of_block
from textassay.tables.schema import DECISIONS
from textassay.tasks.contract import Task
from textassay.tasks.decision.comparison import (
    ALL,
    SOME,
    SUBJECTS,
    compare_score,
    leading_score,
    score_figures,
    score_headline,
    score_tables,
)
from textassay.tasks.decision.conduct import conduct
from textassay.tasks.decision.scores import SCORES, with_scores
from textassay.tasks.decision.settings import DecisionSettings, ids, suitable_actions, written

OVER_PEOPLE = (
    "F1, W and paired t-tests take participants as a sample and the items as fixed: they say "
    "nothing about other items; the ANOVA-type test, min F′ and the mixed models do"
)
UNKNOWN_NO_ACTION = (
    "which action means doing nothing is not known, so results are not shown without the items that need no action; "
    "a study says it in 'no_action'"
)


def analyse(task: Task[DecisionSettings], table: pd.DataFrame, participants: pd.DataFrame) -> Sequence[Analysis]:
    """Scores by system, paired comparisons, single actions, use of the time."""
    no_action, options = task.settings.no_action, study_options(task.study)
    decisions = _with_targets(rows_of_block(table, task.block.name), task)
    found = with_and_without_exclusions(
        decisions,
        participants,
        lambda rows: [_decisions(rows, options, no_action)],
        tests=lambda rows: [_leading_tests(rows, options, no_action)],
        alpha=options.alpha,
    )
    return [*found, *_experts(task)]


def _experts(task: Task[DecisionSettings]) -> Iterator[Analysis]:
    """How far the experts agree on which actions suit, where there are several."""
    views = sets_by_item(task.block.tables["targets"])
    actions = [str(row["action"]) for row in task.block.tables["actions"]]
    ratings = expert_ratings(views, actions)
    if len(ratings) < 2:
        return
    alpha = krippendorff_alpha(list(ratings.values()), level="nominal")
    together = suitable_actions(task.block.tables["targets"], task.settings.experts)
    columns = ("Expert", "Items", "Appropriate", "Inappropriate", "As all together")
    rows = []
    for expert in ratings:
        theirs = {item: its[expert] for item, its in views.items() if expert in its}
        same = sum(
            (action in sets.appropriate, action in sets.inappropriate)
            == (action in together[item].appropriate, action in together[item].inappropriate)
            for item, sets in theirs.items()
            for action in actions
        )
        good = sum(len(sets.appropriate) for sets in theirs.values())
        bad = sum(len(sets.inappropriate) for sets in theirs.values())
        rows.append((expert, len(theirs), good, bad, same / (len(theirs) * len(actions))))
    note = (
        f"Krippendorff's alpha of the experts is {alpha.alpha:.2f} (each action of each item is appropriate, "
        f"inappropriate or neither). Scores use what they say together ({task.settings.experts}). As all together: the "
        "share of all actions on which the expert says what all say together."
    )
    table = Table("experts", "Which actions suit, according to each expert", columns, tuple(rows), note)
    yield Analysis("experts", "The experts", results=(alpha,), tables=(table,), place="agreement")


def analyse_table(table: pd.DataFrame, options: AnalysisOptions) -> Sequence[Analysis]:
    """The same of a table that belongs to no study.

    Raises:
        DataError: a column is missing.
    """
    return [_decisions(table, table_options(table, options, DECISIONS), None)]


def system_test(task: Task[DecisionSettings], table: pd.DataFrame) -> Mapping[str, float]:
    """The leading test of each score, over all items."""
    first, _ = _first(_with_targets(rows_of_block(table, task.block.name), task))
    return {score: leading_p(first, score) for score in SCORES}


def _decisions(table: pd.DataFrame, options: RecipeOptions, no_action: str | None) -> Analysis:
    names = ("decisions", "Decisions")
    first, warnings = _first(table)
    if first.empty:
        return Analysis(*names, warnings=(*warnings, "there are no answers to analyse"))
    warnings += [OVER_PEOPLE] if no_action is not None else [OVER_PEOPLE, UNKNOWN_NO_ACTION]
    options = replace(options, systems=in_order(set(first["system"]), options.systems))
    parts = _parts(first, no_action)
    found = [compare_score(part, score, items, options) for items, part in parts.items() for score in SCORES]
    single = single_actions(first, options)
    used = conduct(first, options.systems, options.confidence)
    headline = score_headline(found, first, options)
    undefined = named_warnings(warning for each in found for warning in each.warnings)
    return Analysis(
        *names,
        results=(*(result for each in found for result in each.results), *single.results, used),
        tables=(
            *score_tables(found, options),
            *(replace(table, detail=True) for table in (*single.tables, used.table())),
        ),
        figures=tuple(score_figures(found, options)),
        headlines=() if headline is None else (headline,),
        subjects=SUBJECTS,
        cautions=tuple(order_cautions([each.order for each in found])),
        warnings=tuple(dict.fromkeys([*warnings, *used.warnings, *undefined, *single.warnings])),
    )


def _leading_tests(table: pd.DataFrame, options: RecipeOptions, no_action: str | None) -> Analysis:
    parts = _parts(_first(table)[0], no_action)
    found = [leading_score(part, score, items, options) for items, part in parts.items() for score in SCORES]
    return Analysis("tests", "Tests", results=tuple(result for each in found for result in each.results))


def _first(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """First answers to main trials with their scores, and what was omitted."""
    answered = read_judgements(with_scores(table).assign(criterion="answer", value=1.0))
    return answered.main, list(answered.warnings)


def _with_targets(table: pd.DataFrame, task: Task[DecisionSettings]) -> pd.DataFrame:
    """The table with the sets that the study gives to each item; one collected elsewhere need not have them."""
    sets = suitable_actions(task.block.tables["targets"], task.settings.experts)
    items = table["item"].astype(str)
    found = {
        name: [written(getattr(sets[item], name)) if item in sets else "" for item in items]
        for name in ("appropriate", "inappropriate", "target")
    }
    return table.assign(**{name: pd.Series(cells, index=table.index, dtype=object) for name, cells in found.items()})


def _parts(first: pd.DataFrame, no_action: str | None) -> dict[str, pd.DataFrame]:
    """All items, and those for which something has to be done, where there are others."""
    if no_action is None or "target" not in first:
        return {ALL: first}
    idle = first["target"].map(lambda cell: set(ids(cell)) == {no_action}).astype(bool)
    return {ALL: first, SOME: first[~idle]} if idle.any() and not idle.all() else {ALL: first}


SETS: dict[str, Better] = {"appropriate": "higher", "inappropriate": "lower"}
"""Sets of actions, and whether more of them chosen are better."""


def single_actions(first: pd.DataFrame, options: RecipeOptions) -> Analysis:
    """A logistic mixed model for each set of actions.

    Args:
        first: First answers: `participant, item, system, chosen, appropriate, inappropriate`.
        options: Levels of tests and intervals.
    """
    found = [
        crossed_logistic(
            _counted(first, name),
            "hits",
            trials="offered",
            of=f"{name} chosen",
            better=better,
            alpha=options.alpha,
            confidence=options.confidence,
        )
        for name, better in SETS.items()
    ]
    what = "Odds that an appropriate (inappropriate) action of an item is chosen."
    table = odds_table("single-actions", "Single actions", found, what)
    return Analysis(
        "single-actions",
        "Single actions",
        tuple(result for each in found for result in each.results),
        (table,) if table.rows else (),
        warnings=tuple(named_warnings((each.of, each.warnings) for each in found)),
    )


def _counted(first: pd.DataFrame, name: str) -> pd.DataFrame:
    """How many actions of the set there are, and how many of them were chosen."""
    sets = [frozenset(ids(cell)) for cell in first[name]]
    chosen = [frozenset(ids(cell)) for cell in first["chosen"]]
    hits = [len(own & picked) for own, picked in zip(sets, chosen, strict=True)]
    return first.assign(offered=[len(own) for own in sets], hits=hits)
