"""Statistics on arrays: numbers in, frozen results out.

`README.md` beside this file states the layer rule. Importing this package loads numpy only; scipy is loaded by the
first statistic that needs it.
"""

from textassay.stats.adjust_p import AdjustedP, adjust_p
from textassay.stats.agreement.cohen_kappa import CohenKappa, cohen_kappa, cohen_kappa_matrix
from textassay.stats.agreement.fleiss_and_gwet import BeyondChance, FleissKappa, GwetAC, fleiss_kappa, gwet_ac
from textassay.stats.agreement.icc import Icc, IccForm, icc
from textassay.stats.agreement.kendall_w import KendallW, kendall_w
from textassay.stats.agreement.krippendorff_alpha import KrippendorffAlpha, krippendorff_alpha
from textassay.stats.agreement.leave_one_out import CorrelationSpread, LeaveOneOut, leave_one_out
from textassay.stats.agreement.percentage_agreement import PercentageAgreement, percentage_agreement
from textassay.stats.agreement.ratings import LongRatings
from textassay.stats.categorical.fitted_model import LikelihoodRatio, TermChi2, WaldEstimate
from textassay.stats.categorical.likelihood_model import LikelihoodModel
from textassay.stats.categorical.logistic_model import LogisticModel, logistic_model
from textassay.stats.categorical.mantel_haenszel import GroupRate, MantelHaenszel, mantel_haenszel
from textassay.stats.categorical.ordinal_model import OrdinalModel, ProportionalOdds, ordinal_model, proportional_odds
from textassay.stats.correlations.correlation import Correlation, pearson, spearman
from textassay.stats.correlations.dependent_correlations import (
    DependentCorrelations,
    ZouInterval,
    hittner,
    meng,
    steiger,
    williams,
    zou,
)
from textassay.stats.correlations.kendall_tau import KendallTau, KendallTauBatch, kendall_tau, kendall_tau_batch
from textassay.stats.correlations.pair_counts import PairCounts
from textassay.stats.correlations.partial_correlation import PartialCorrelation, partial_correlation
from textassay.stats.crossed.anova_type import AdjustedMean, AnovaTypeTest, anova_type_contrasts, anova_type_test
from textassay.stats.crossed.run_differences import RunDifference, RunDifferences, run_differences
from textassay.stats.group_comparisons import GroupComparisons
from textassay.stats.mean_interval import MeanInterval, mean_interval
from textassay.stats.mixed.marginal_means import MarginalMeans
from textassay.stats.mixed.mixed_model import EffectCorrelation, MixedModel, VarianceComponent, mixed_model
from textassay.stats.mixed.model_comparison import ComparedModel, ModelComparison
from textassay.stats.mixed.satterthwaite import FixedEffect, TermTest
from textassay.stats.preferences.abilities import Abilities, Ability, ScaleParameter
from textassay.stats.preferences.best_worst import BestWorst, best_worst
from textassay.stats.preferences.bradley_terry import bradley_terry, bradley_terry_matrix, thurstone
from textassay.stats.preferences.contrast_model import ContrastModel, contrast_model
from textassay.stats.preferences.paired_comparison import PairedComparison
from textassay.stats.preferences.plackett_luce import PlackettLuce, plackett_luce
from textassay.stats.preferences.preference_strength import PreferenceStrength, preference_strength
from textassay.stats.rank_tests.friedman import Friedman, friedman
from textassay.stats.rank_tests.kruskal_wallis import KruskalWallis, kruskal_wallis
from textassay.stats.rank_tests.rank_comparisons import (
    Conover,
    Nemenyi,
    RankComparisons,
    conover_friedman,
    conover_kruskal_wallis,
    nemenyi,
)
from textassay.stats.rank_tests.sign_test import SignTest, sign_test
from textassay.stats.rank_tests.wilcoxon import (
    WilcoxonRankSum,
    WilcoxonSignedRank,
    wilcoxon_rank_sum,
    wilcoxon_signed_rank,
)
from textassay.stats.reading.lorch_myers import LorchMyers, lorch_myers
from textassay.stats.reading.preparation import (
    CorrectTrials,
    LogTimes,
    ReplacedOutliers,
    correct_trials,
    log_times,
    replace_outliers,
)
from textassay.stats.reading.subject_regressions import (
    PositionEffects,
    ResidualTimes,
    Slope,
    position_effects,
    residual_times,
)
from textassay.stats.resampling.bootstrap import Bootstrap, bootstrap
from textassay.stats.resampling.randomisation import Randomisation, paired_permutation, two_sample_permutation
from textassay.stats.resampling.weighted_statistics import Sums
from textassay.stats.variance.anova import Anova, Effect, anova
from textassay.stats.variance.anova_table import AnovaTable, ErrorTerm
from textassay.stats.variance.by_subjects_items import BySubjectsItems, MinF, by_subjects_items
from textassay.stats.variance.cv_star import CvStar, cv_star
from textassay.stats.variance.equivalence import Equivalence, equivalence
from textassay.stats.variance.rm_anova import RmAnova, rm_anova
from textassay.stats.variance.split_plot import Sphericity, WithinEffect
from textassay.stats.variance.t_test import TTest, one_sample_t, paired_t, two_sample_t
from textassay.stats.variance.tukey import GamesHowell, Tukey, games_howell, tukey
from textassay.stats.variance.welch import RobustAnova, brown_forsythe, welch_anova

__all__ = [
    "Abilities",
    "Ability",
    "AdjustedMean",
    "AdjustedP",
    "Anova",
    "AnovaTable",
    "AnovaTypeTest",
    "BestWorst",
    "BeyondChance",
    "Bootstrap",
    "BySubjectsItems",
    "CohenKappa",
    "ComparedModel",
    "Conover",
    "ContrastModel",
    "CorrectTrials",
    "Correlation",
    "CorrelationSpread",
    "CvStar",
    "DependentCorrelations",
    "Effect",
    "EffectCorrelation",
    "Equivalence",
    "ErrorTerm",
    "FixedEffect",
    "FleissKappa",
    "Friedman",
    "GamesHowell",
    "GroupComparisons",
    "GroupRate",
    "GwetAC",
    "Icc",
    "IccForm",
    "KendallTau",
    "KendallTauBatch",
    "KendallW",
    "KrippendorffAlpha",
    "KruskalWallis",
    "LeaveOneOut",
    "LikelihoodModel",
    "LikelihoodRatio",
    "LogTimes",
    "LogisticModel",
    "LongRatings",
    "LorchMyers",
    "MantelHaenszel",
    "MarginalMeans",
    "MeanInterval",
    "MinF",
    "MixedModel",
    "ModelComparison",
    "Nemenyi",
    "OrdinalModel",
    "PairCounts",
    "PairedComparison",
    "PartialCorrelation",
    "PercentageAgreement",
    "PlackettLuce",
    "PositionEffects",
    "PreferenceStrength",
    "ProportionalOdds",
    "Randomisation",
    "RankComparisons",
    "ReplacedOutliers",
    "ResidualTimes",
    "RmAnova",
    "RobustAnova",
    "RunDifference",
    "RunDifferences",
    "ScaleParameter",
    "SignTest",
    "Slope",
    "Sphericity",
    "Sums",
    "TTest",
    "TermChi2",
    "TermTest",
    "Tukey",
    "VarianceComponent",
    "WaldEstimate",
    "WilcoxonRankSum",
    "WilcoxonSignedRank",
    "WithinEffect",
    "ZouInterval",
    "adjust_p",
    "anova",
    "anova_type_contrasts",
    "anova_type_test",
    "best_worst",
    "bootstrap",
    "bradley_terry",
    "bradley_terry_matrix",
    "brown_forsythe",
    "by_subjects_items",
    "cohen_kappa",
    "cohen_kappa_matrix",
    "conover_friedman",
    "conover_kruskal_wallis",
    "contrast_model",
    "correct_trials",
    "cv_star",
    "equivalence",
    "fleiss_kappa",
    "friedman",
    "games_howell",
    "gwet_ac",
    "hittner",
    "icc",
    "kendall_tau",
    "kendall_tau_batch",
    "kendall_w",
    "krippendorff_alpha",
    "kruskal_wallis",
    "leave_one_out",
    "log_times",
    "logistic_model",
    "lorch_myers",
    "mantel_haenszel",
    "mean_interval",
    "meng",
    "mixed_model",
    "nemenyi",
    "one_sample_t",
    "ordinal_model",
    "paired_permutation",
    "paired_t",
    "partial_correlation",
    "pearson",
    "percentage_agreement",
    "plackett_luce",
    "position_effects",
    "preference_strength",
    "proportional_odds",
    "replace_outliers",
    "residual_times",
    "rm_anova",
    "run_differences",
    "sign_test",
    "spearman",
    "steiger",
    "thurstone",
    "tukey",
    "two_sample_permutation",
    "two_sample_t",
    "welch_anova",
    "wilcoxon_rank_sum",
    "wilcoxon_signed_rank",
    "williams",
    "zou",
]
