"""How answers were analysed and metrics set against people, in sentences: only what the results show was done."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from textassay.analysis.leading_test import LEADING
from textassay.analysis.page_positions import PositionEffect
from textassay.analysis.pair_equivalence import PairEquivalence
from textassay.analysis.wording import per_cent
from textassay.meta.correlation import Correlations
from textassay.prose import counted, listed, number
from textassay.results import Analysis, Result, Table
from textassay.stats import AnovaTypeTest

if TYPE_CHECKING:
    from textassay.study.study import Study

_BESIDE = {
    "linear mixed model": (
        "a linear mixed model with random effects of participants and items, fitted by REML (Bates et al. 2015), with "
        "Satterthwaite's degrees of freedom (Kuznetsova, Brockhoff & Christensen 2017)"
    ),
    "linear mixed model of contrasts": (
        "a linear mixed model of the differences between systems, with random effects of participants and items "
        "(Bates et al. 2015)"
    ),
    "cumulative link mixed model": "a cumulative link mixed model, which takes answers as ordinal (McCullagh 1980)",
    "cumulative link mixed model of contrasts": "a cumulative link mixed model of preferences (McCullagh 1980)",
    "logistic mixed model": "a logistic mixed model (Jaeger 2008)",
    "logistic mixed model of contrasts": "a logistic mixed model of preferences (Jaeger 2008)",
    "ANOVA by subjects and by items with min F′": "analyses of variance by subjects and by items, min F′ (Clark 1973)",
    "Friedman's test": "Friedman's (1937) test",
    "Conover's test after Friedman's": "Conover's test after it (Conover & Iman 1979)",
    "Nemenyi's test": "Nemenyi's (1963) test",
    "Plackett–Luce": "the Plackett–Luce model (Plackett 1975)",
    "cumulative link mixed model of preference strength": (
        "a cumulative link mixed model of how strong preferences were (McCullagh 1980)"
    ),
    "Bradley–Terry": "the Bradley–Terry model (Bradley & Terry 1952)",
    "Bradley–Terry–Davidson": "the Bradley–Terry model with ties (Davidson 1970)",
    "means of participants, exact sign tests": "exact sign tests for each pair of systems over participants",
    "sign test over participants, exact": "exact sign tests over participants",
    "paired t-tests, Holm": "paired t-tests over participants' means, corrected after Holm",
    "residual reading times": "residual times after regression on length (Ferreira & Clifton 1986)",
    "effect of the condition on orders": "permutation tests that exchange whole lists of orders between people",
}
"""Method of a result → what stands beside the leading test."""
_AGREEMENT = {
    "Krippendorff's alpha": "Krippendorff's (2004) alpha",
    "intraclass correlation": "intraclass correlations (Shrout & Fleiss 1979)",
    "Kendall's W between": "Kendall's W (Kendall & Babington Smith 1939) between participants",
    "mean Kendall's W within evaluators": "Kendall's W of each participant's successive answers to the same systems",
    "mean Kendall's W within items": "Kendall's W between participants on each item",
    "leave-one-out agreement": "the correlation of each participant with the mean of the others",
    "answers to the same trial shown twice": "the agreement of answers to trials shown twice",
    "agreement between people by": "Kendall's tau between the orders of different people",
    "Kemeny consensus": "consensus orders (Kemeny 1959)",
}
_MOST_MEASURES = 5
"""Measures that are named one by one."""
CORRECTED = "when corrected for the"
"""What key results say where they correct the leading test for several measures (`analysis.headlines`)."""
_COMPARED = "metrics compared by "
_ORDER = "regression with participants as clusters"
UNSAID = frozenset(
    {
        "ANOVA-type test", "ANOVA-type test, Holm", "estimated marginal means", "mean with t interval",
        "mean rank with t interval", _ORDER, "log transform of times", "preparation of reading times",
        "position effects on times", "counts of answers", "Tukey's HSD", "one-way ANOVA", "Borda consensus",
        "scores by condition", "Lorch & Myers' individual equations", "Pearson's product-moment correlation",
        "repeated-measures ANOVA", "factorial ANOVA",
        "Spearman's rank correlation", "sign test, exact",
    }
)  # fmt: skip
"""Methods that have no words of their own here: parts of others, descriptions, or told elsewhere."""


def words_of(method: str) -> str:
    """What is said of a method; empty where it is told elsewhere.

    >>> words_of("Kendall's W between evaluators"), words_of("estimated marginal means")
    ("Kendall's W (Kendall & Babington Smith 1939) between participants", '')
    """
    return _BESIDE.get(method) or _words_of_agreement(method)


def test_sentences(study: Study, analyses: Sequence[Analysis]) -> Iterator[str]:
    """Measures, the leading test, what stands beside it, agreement, levels."""
    for block in study.blocks:
        yield from block.task.measures()
    found = [each for each in analyses if each.place in ("results", "agreement")]
    results = [result for analysis in found for result in analysis.results if _is_defined(result)]
    yield from _leading(study, results, " ".join(line.text for analysis in found for line in analysis.headlines))
    yield from _equivalence(study, results)
    beside = _named(results, _BESIDE)
    if beside:
        yield f"For comparison the report also gives {listed(beside)}."
    order = {isinstance(result, PositionEffect) for result in results if result.method == _ORDER}
    if order:
        on = ["the place in the session or on what was shown before"] if False in order else []
        on += ["the position of a text among those shown together"] if True in order else []
        yield (
            f"Whether answers depended on {' or on '.join(on)} was examined by regression with standard errors "
            "clustered by participants (Liang & Zeger 1986)."
        )
    yield from _agreement(found)
    yield from _published(analyses)
    if any(each.name == "cohorts" or each.name.endswith("-cohorts") for each in analyses):
        yield "Cohorts were compared by the interaction of system and cohort in an analysis of variance of means."
    options = study.file.analysis
    alpha = f"{options.alpha:g}".removeprefix("0")
    yield f"The level of significance was {alpha}; confidence intervals have a level of {per_cent(options.confidence)}."


def _agreement(analyses: Sequence[Analysis]) -> Iterator[str]:
    """Whose agreement was measured, and by what."""
    by_whom: dict[str, dict[str, None]] = {}
    for analysis in analyses:
        of_others = analysis.place == "agreement" and not analysis.name.endswith("agreement")
        whose = analysis.title.rpartition(": ")[2].lower().removeprefix("the ") if of_others else "participants"
        said = (_words_of_agreement(result.method) for result in analysis.results if _is_defined(result))
        by_whom.setdefault(whose, {}).update(dict.fromkeys(filter(None, said)))
    for whose, measured in by_whom.items():
        if measured:
            yield f"Agreement of {whose} was measured by {listed(measured)}."


def _words_of_agreement(method: str) -> str:
    return next((words for start, words in _AGREEMENT.items() if method.startswith(start)), "")


def _is_defined(result: Result) -> bool:
    """Whether it found any number: what was asked of too few answers did not."""
    values = [record["value"] for record in result.records()]
    return any(value is not None and not math.isnan(value) for value in values)


def _named(results: Sequence[Result], words: Mapping[str, str]) -> list[str]:
    """The words of those methods that were used, in the order of the words."""
    used = {result.method for result in results}
    return [text for method, text in words.items() if method in used]


def _leading(study: Study, results: Sequence[Result], told: str) -> Iterator[str]:
    """Of what the results show, and what key results say."""
    tests = [result for result in results if isinstance(result, AnovaTypeTest) and not math.isnan(result.p)]
    if not tests:
        if len(study.systems) == 1:
            yield "As there was only one system, no systems were compared."
        return
    for holds_for in dict.fromkeys(test.holds_for for test in tests):
        of = list(dict.fromkeys(test.of for test in tests if test.holds_for == holds_for))
        fixed = {"items": "participants", "participants": "items"}.get(holds_for)
        random = (
            "participants and items as random factors"
            if fixed is None
            else f"{holds_for} as random and {fixed} as fixed"
        )
        only = "" if fixed is None else f", because there were too few {fixed} to generalise from"
        which = "" if len(of) == len({test.of for test in tests}) else f" on {listed(of)}"
        yield (
            f"Systems were compared{which} by the {LEADING} (Brunner, Dette & Munk 1997) with {random}{only}, without "
            "assuming equal variances, with Satterthwaite's (1946) degrees of freedom."
        )
    most = max(len(test.pairs.pairs) for test in tests)
    if most > 1:
        yield (
            "Pairs of systems were tested on their own contrasts, with p values corrected by Holm's (1979) method over "
            f"all {counted(most, 'pair')}; intervals of differences hold for all pairs together (Bonferroni)."
        )
    measures = list(dict.fromkeys(test.of for test in tests))
    if len(measures) > 1:
        corrected = "; key results also give p values corrected over them by Holm's method" if CORRECTED in told else ""
        which = listed(measures) if len(measures) <= _MOST_MEASURES else f"the {number(len(measures))} measures"
        yield f"Each of {which} was tested by itself{corrected}."


def _equivalence(study: Study, results: Sequence[Result]) -> Iterator[str]:
    if any(isinstance(result, PairEquivalence) for result in results):
        declared = study.file.analysis.smallest_difference
        smallest = listed(f"{size:g} ({of})" for of, size in declared.items())
        yield (
            "Pairs were also tested for equivalence by two one-sided tests (Schuirmann 1987) within the smallest "
            f"difference that the study file says matters: {smallest}."
        )


def _published(analyses: Sequence[Analysis]) -> Iterator[str]:
    titles = list(dict.fromkeys(each.title for each in analyses if each.place == "published"))
    if titles:
        yield f"For comparison with earlier work, the appendix has analyses as they were published: {listed(titles)}."


def software_sentence(study: Study) -> str:
    """What computed it all."""
    return (
        f"The study was planned, run and analysed with textassay {version('textassay')}; the appendix has the study "
        f"file, the seed ({study.file.seed}), the versions of all libraries and the signature of every method."
    )


def _signatures(scores: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By name of a metric what it was computed with."""
    return {str(row["metric"]): str(row.get("signature") or "") for row in scores}


def metrics_table(scores: Sequence[Mapping[str, Any]]) -> Table | None:
    """The metrics with their signatures; nothing where there are none."""
    used = _signatures(scores)
    return Table("metric-signatures", "Metrics", ("metric", "computed as"), tuple(used.items())) if used else None


def _imported(scores: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Metrics whose scores were imported, and which of their values are better, as far as somebody said it."""
    return {str(row["metric"]): str(row["better"] or "") for row in scores if "better" in row}


def metric_sentences(study: Study, analyses: Sequence[Analysis], scores: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Which metrics, with their signatures; how they were set against people."""
    imported = _imported(scores)
    used = [name for name in _signatures(scores) if name not in imported]
    if used:
        yield (
            f"The texts were also scored with {counted(len(used), 'automatic metric')}: {listed(used)}; the table of "
            f"metrics has {'its signature' if len(used) == 1 else 'the signature of each'}."
        )
    if imported:
        lower = [name for name, better in imported.items() if better == "lower"]
        turned = f"; lower scores are better of {listed(lower)}" if lower else ""
        yield f"Scores by {listed(imported)} were computed elsewhere and imported{turned}."
    results = [result for each in analyses for result in each.results if _is_defined(result)]
    found = [result for result in results if isinstance(result, Correlations)]
    if not found:
        return
    leading = found[0].coefficient
    names = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
    over = {"all texts": "over all texts", "systems": "over systems"}
    levels = list(dict.fromkeys(over.get(result.name, result.name) for result in found))
    others = [names.get(each, each) for each in dict.fromkeys(r.coefficient for r in found) if each != leading]
    yield (
        "Agreement of each metric with the mean answers of participants was measured by "
        f"{listed([names.get(leading, leading), *others])}, {listed(levels)}."
    )
    yield (
        "Its p values come from exchanging whole systems or items at random, so that texts of one system or item are "
        "not taken as independent, and are corrected by Holm's (1979) method over all metrics and criteria; its "
        "intervals come from drawing items (and systems, where there are enough) again (Efron 1979)."
    )
    compared = next((result.method for result in results if result.method.startswith(_COMPARED)), None)
    if compared is not None:
        how = {"bootstrap": "a bootstrap"}.get(compared.removeprefix(_COMPARED), compared.removeprefix(_COMPARED))
        yield f"Metrics were compared with each other by {how}, p values corrected by Holm's method over all pairs."
    reference = study.file.tables.reference_system
    if reference is not None:
        yield f"Correlations in the key results leave out {reference}, whose texts are the references."
