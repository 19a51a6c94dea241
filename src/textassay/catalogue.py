"""Every task, metric, screening rule and statistic by name, imported only when asked for.

A new one is one file (a task: one folder) and one line here. Other packages add theirs through an entry point of the
group `textassay.<kind>s`, for example `textassay.metrics`; they are searched only for names that are not listed here.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from typing import Any

from textassay.errors import UsageError
from textassay.known_names import same_name, unknown

LOG = logging.getLogger(__name__)

CATALOGUE: dict[str, dict[str, str]] = {
    "task": {
        "decision": "textassay.tasks.decision.task:Decision",
        "preference": "textassay.tasks.preference.task:Preference",
        "ranking": "textassay.tasks.ranking.task:Ranking",
        "rating": "textassay.tasks.rating.task:Rating",
        "reading": "textassay.tasks.reading.task:Reading",
        "reordering": "textassay.tasks.reordering.task:Reordering",
    },
    "metric": {
        "amstad": "textassay.metrics.readability:Amstad",
        "bleu": "textassay.metrics.bleu:Bleu",
        "cer": "textassay.metrics.error_rate:Cer",
        "chrf": "textassay.metrics.chrf:Chrf",
        "chrf++": "textassay.metrics.chrf:ChrfPlusPlus",
        "cider": "textassay.metrics.cider:Cider",
        "cider-d": "textassay.metrics.cider:CiderD",
        "compression-ratio": "textassay.metrics.compression_ratio:CompressionRatio",
        "dependency-f": "textassay.metrics.dependency_f:DependencyF",
        "distinct-n": "textassay.metrics.distinct_n:DistinctN",
        "edit-distance": "textassay.metrics.edit_distance:EditDistance",
        "edit-similarity": "textassay.metrics.edit_distance:EditSimilarity",
        "event-count": "textassay.metrics.annotation_metrics:EventCount",
        "event-f": "textassay.metrics.annotation_metrics:EventF",
        "exact-match": "textassay.metrics.exact_match:ExactMatch",
        "flesch": "textassay.metrics.readability:Flesch",
        "flesch-kincaid": "textassay.metrics.readability:FleschKincaid",
        "fragment-coverage": "textassay.metrics.fragments:FragmentCoverage",
        "fragment-density": "textassay.metrics.fragments:FragmentDensity",
        "gtm": "textassay.metrics.gtm:Gtm",
        "irrelevance": "textassay.metrics.relevance_metrics:Irrelevance",
        "length": "textassay.metrics.length:Length",
        "length-ratio": "textassay.metrics.length_ratio:LengthRatio",
        "meteor": "textassay.metrics.meteor:Meteor",
        "nist": "textassay.metrics.nist:Nist",
        "order-accuracy": "textassay.metrics.order_metrics:OrderAccuracy",
        "order-adjacent": "textassay.metrics.order_sequence_metrics:OrderAdjacent",
        "order-cayley": "textassay.metrics.order_metrics:OrderCayley",
        "order-continuity": "textassay.metrics.order_sequence_metrics:OrderContinuity",
        "order-displacement": "textassay.metrics.order_metrics:OrderDisplacement",
        "order-first": "textassay.metrics.order_metrics:OrderFirst",
        "order-kappa": "textassay.metrics.order_metrics:OrderKappa",
        "order-last": "textassay.metrics.order_metrics:OrderLast",
        "order-lsr": "textassay.metrics.order_sequence_metrics:OrderLsr",
        "order-pairwise": "textassay.metrics.order_metrics:OrderPairwise",
        "order-perfect-match": "textassay.metrics.order_metrics:OrderPerfectMatch",
        "order-rouge-s": "textassay.metrics.order_sequence_metrics:OrderRougeS",
        "order-spearman": "textassay.metrics.order_metrics:OrderSpearman",
        "order-tau": "textassay.metrics.order_metrics:OrderTau",
        "order-ulam": "textassay.metrics.order_metrics:OrderUlam",
        "order-within": "textassay.metrics.order_metrics:OrderWithin",
        "parent": "textassay.metrics.parent:Parent",
        "relation-count": "textassay.metrics.annotation_metrics:RelationCount",
        "relevance": "textassay.metrics.relevance_metrics:Relevance",
        "rouge-1": "textassay.metrics.rouge_n:Rouge1",
        "rouge-2": "textassay.metrics.rouge_n:Rouge2",
        "rouge-l": "textassay.metrics.rouge_l:RougeL",
        "rouge-l-coco": "textassay.metrics.rouge_l:RougeLCoco",
        "rouge-lsum": "textassay.metrics.rouge_l:RougeLsum",
        "rouge-n": "textassay.metrics.rouge_n:RougeN",
        "rouge-s": "textassay.metrics.rouge_s:RougeS",
        "rouge-s4": "textassay.metrics.rouge_s:RougeS4",
        "rouge-su": "textassay.metrics.rouge_s:RougeSU",
        "rouge-su4": "textassay.metrics.rouge_s:RougeSU4",
        "rouge-w": "textassay.metrics.rouge_w:RougeW",
        "sari": "textassay.metrics.sari:Sari",
        "self-bleu": "textassay.metrics.self_bleu:SelfBleu",
        "squad-exact-match": "textassay.metrics.squad:SquadExactMatch",
        "squad-f1": "textassay.metrics.squad:SquadF1",
        "summary-compression": "textassay.metrics.fragments:SummaryCompression",
        "ter": "textassay.metrics.ter:Ter",
        "tree-edit-distance": "textassay.metrics.annotation_metrics:TreeEditDistance",
        "tree-preorder-distance": "textassay.metrics.annotation_metrics:TreePreorderDistance",
        "type-token-ratio": "textassay.metrics.distinct_n:TypeTokenRatio",
        "wer": "textassay.metrics.error_rate:Wer",
        "wiener-sachtextformel": "textassay.metrics.readability:WienerSachtextformel",
    },
    "screening": {
        "attention-checks": "textassay.screening.attention_checks:AttentionChecks",
        "constant-answers": "textassay.screening.constant_answers:ConstantAnswers",
        "fake-email": "textassay.screening.fake_email:FakeEmail",
        "incomplete": "textassay.screening.incomplete:Incomplete",
        "outside-scale": "textassay.screening.outside_scale:OutsideScale",
        "questionnaire": "textassay.screening.questionnaire:Questionnaire",
        "too-fast": "textassay.screening.too_fast:TooFast",
        "took-part-elsewhere": "textassay.screening.took_part_elsewhere:TookPartElsewhere",
        "took-part-twice": "textassay.screening.took_part_twice:TookPartTwice",
    },
    "statistic": {
        "adjust_p": "textassay.stats.adjust_p:adjust_p",
        "anova": "textassay.stats.variance.anova:anova",
        "anova_type_contrasts": "textassay.stats.crossed.anova_type:anova_type_contrasts",
        "anova_type_test": "textassay.stats.crossed.anova_type:anova_type_test",
        "best_worst": "textassay.stats.preferences.best_worst:best_worst",
        "bootstrap": "textassay.stats.resampling.bootstrap:bootstrap",
        "bradley_terry": "textassay.stats.preferences.bradley_terry:bradley_terry",
        "bradley_terry_matrix": "textassay.stats.preferences.bradley_terry:bradley_terry_matrix",
        "brown_forsythe": "textassay.stats.variance.welch:brown_forsythe",
        "by_subjects_items": "textassay.stats.variance.by_subjects_items:by_subjects_items",
        "cohen_kappa": "textassay.stats.agreement.cohen_kappa:cohen_kappa",
        "cohen_kappa_matrix": "textassay.stats.agreement.cohen_kappa:cohen_kappa_matrix",
        "conover_friedman": "textassay.stats.rank_tests.rank_comparisons:conover_friedman",
        "conover_kruskal_wallis": "textassay.stats.rank_tests.rank_comparisons:conover_kruskal_wallis",
        "contrast_model": "textassay.stats.preferences.contrast_model:contrast_model",
        "correct_trials": "textassay.stats.reading.preparation:correct_trials",
        "cv_star": "textassay.stats.variance.cv_star:cv_star",
        "equivalence": "textassay.stats.variance.equivalence:equivalence",
        "fleiss_kappa": "textassay.stats.agreement.fleiss_and_gwet:fleiss_kappa",
        "friedman": "textassay.stats.rank_tests.friedman:friedman",
        "games_howell": "textassay.stats.variance.tukey:games_howell",
        "gwet_ac": "textassay.stats.agreement.fleiss_and_gwet:gwet_ac",
        "hittner": "textassay.stats.correlations.dependent_correlations:hittner",
        "icc": "textassay.stats.agreement.icc:icc",
        "kendall_tau": "textassay.stats.correlations.kendall_tau:kendall_tau",
        "kendall_tau_batch": "textassay.stats.correlations.kendall_tau:kendall_tau_batch",
        "kendall_w": "textassay.stats.agreement.kendall_w:kendall_w",
        "krippendorff_alpha": "textassay.stats.agreement.krippendorff_alpha:krippendorff_alpha",
        "kruskal_wallis": "textassay.stats.rank_tests.kruskal_wallis:kruskal_wallis",
        "leave_one_out": "textassay.stats.agreement.leave_one_out:leave_one_out",
        "log_times": "textassay.stats.reading.preparation:log_times",
        "logistic_model": "textassay.stats.categorical.logistic_model:logistic_model",
        "lorch_myers": "textassay.stats.reading.lorch_myers:lorch_myers",
        "mantel_haenszel": "textassay.stats.categorical.mantel_haenszel:mantel_haenszel",
        "mean_interval": "textassay.stats.mean_interval:mean_interval",
        "meng": "textassay.stats.correlations.dependent_correlations:meng",
        "mixed_model": "textassay.stats.mixed.mixed_model:mixed_model",
        "nemenyi": "textassay.stats.rank_tests.rank_comparisons:nemenyi",
        "one_sample_t": "textassay.stats.variance.t_test:one_sample_t",
        "ordinal_model": "textassay.stats.categorical.ordinal_model:ordinal_model",
        "paired_permutation": "textassay.stats.resampling.randomisation:paired_permutation",
        "paired_t": "textassay.stats.variance.t_test:paired_t",
        "partial_correlation": "textassay.stats.correlations.partial_correlation:partial_correlation",
        "pearson": "textassay.stats.correlations.correlation:pearson",
        "percentage_agreement": "textassay.stats.agreement.percentage_agreement:percentage_agreement",
        "plackett_luce": "textassay.stats.preferences.plackett_luce:plackett_luce",
        "position_effects": "textassay.stats.reading.subject_regressions:position_effects",
        "preference_strength": "textassay.stats.preferences.preference_strength:preference_strength",
        "proportional_odds": "textassay.stats.categorical.ordinal_model:proportional_odds",
        "replace_outliers": "textassay.stats.reading.preparation:replace_outliers",
        "residual_times": "textassay.stats.reading.subject_regressions:residual_times",
        "rm_anova": "textassay.stats.variance.rm_anova:rm_anova",
        "run_differences": "textassay.stats.crossed.run_differences:run_differences",
        "sign_test": "textassay.stats.rank_tests.sign_test:sign_test",
        "spearman": "textassay.stats.correlations.correlation:spearman",
        "steiger": "textassay.stats.correlations.dependent_correlations:steiger",
        "thurstone": "textassay.stats.preferences.bradley_terry:thurstone",
        "tukey": "textassay.stats.variance.tukey:tukey",
        "two_sample_permutation": "textassay.stats.resampling.randomisation:two_sample_permutation",
        "two_sample_t": "textassay.stats.variance.t_test:two_sample_t",
        "welch_anova": "textassay.stats.variance.welch:welch_anova",
        "wilcoxon_rank_sum": "textassay.stats.rank_tests.wilcoxon:wilcoxon_rank_sum",
        "wilcoxon_signed_rank": "textassay.stats.rank_tests.wilcoxon:wilcoxon_signed_rank",
        "williams": "textassay.stats.correlations.dependent_correlations:williams",
        "zou": "textassay.stats.correlations.dependent_correlations:zou",
    },
}


_CALLED = {"screening": "screening rule"}
"""What a kind is called where its own name says too little."""


def names(kind: str) -> tuple[str, ...]:
    """All names of a kind, including those of other installed packages."""
    own = CATALOGUE[kind]
    others = {point.name for point in _entry_points(kind)}
    return tuple(sorted(own.keys() | others))


def meant(kind: str, typed: str) -> str:
    """The name in the catalogue of what a person typed, who may write `BLEU` or `rouge_l`.

    Raises:
        UsageError: there is none; the message has the name that was probably meant, or all there are.
    """
    # Other packages are asked last: that takes longer than many a command.
    found = same_name(typed, CATALOGUE[kind]) or same_name(typed, names(kind))
    if found is None:
        raise UsageError(unknown(_CALLED.get(kind, kind), typed, names(kind)))
    return found


@cache
def find(kind: str, name: str) -> Any:
    """The object of that kind and name.

    Raises:
        UsageError: there is none; the message has the name that was probably meant, or all there are.
    """
    target = CATALOGUE[kind].get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        return getattr(import_module(module), attribute)
    for point in _entry_points(kind):
        if point.name == name:
            return _loaded(kind, point)
    raise UsageError(unknown(_CALLED.get(kind, kind), name, names(kind)))


def _loaded(kind: str, point: Any) -> Any:
    """What an entry point names; whatever goes wrong there is another package's mistake, and the message says whose."""
    try:
        return point.load()
    except Exception as error:
        raise UsageError(
            f"the {_CALLED.get(kind, kind)} {point.name!r} of the package {_package(point)} cannot be imported "
            f"({point.value}: {type(error).__name__}: {error}); install what it needs, or uninstall that package"
        ) from error


def _package(point: Any) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "that provides it"


@cache
def _entry_points(kind: str) -> Any:
    """What other installed packages add; looked for once, because every installed package is asked each time."""
    from importlib.metadata import entry_points  # noqa: PLC0415 -- takes 20 ms, and most runs do not need it

    found = entry_points(group=f"textassay.{kind}s")
    for point in found:
        if point.name in CATALOGUE[kind]:
            LOG.warning(
                "the %s %r of the package %s is not used, since textassay has one of that name; it needs another name",
                *(_CALLED.get(kind, kind), point.name, _package(point)),
            )
    return found
