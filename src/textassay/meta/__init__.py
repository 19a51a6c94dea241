"""Metrics against people: align, correlate."""

from textassay.meta.alignment import AlignmentOptions, ScoreGrid, score_grids
from textassay.meta.coefficients import By, Coefficient, GroupCoefficients, grouped, vector_coefficient
from textassay.meta.correlation import CorrelationOptions, Correlations, MetricAgreement, correlate
from textassay.meta.data_set_ranks import DataSetRanks, rank_over_data_sets
from textassay.meta.error_marks import marks_judgements
from textassay.meta.given_covariate import GivenCovariate, given_covariate
from textassay.meta.metric_comparisons import MetricComparisons, compare_metrics
from textassay.meta.metric_differences import (
    Agreement,
    MetricDifference,
    compare_correlations,
    swap_systems,
    two_way_difference,
)
from textassay.meta.pair_swaps import compare_system_pairs, compare_text_pairs
from textassay.meta.soft_accuracy import SoftAccuracy, soft_accuracy
from textassay.meta.system_permutation import (
    Exchanges,
    PermutationTest,
    permute_items,
    permute_system_scores,
    permute_systems,
)
from textassay.meta.text_permutation import permute_systems_and_items, permute_texts
from textassay.meta.text_swaps import swap_items, swap_texts
from textassay.meta.tie_calibration import CalibratedAccuracy, calibrated_accuracy
from textassay.meta.two_studies import TwoStudies, two_studies
from textassay.meta.two_way_bootstrap import BootstrapInterval, bootstrap_system_level, two_way_bootstrap

__all__ = [
    "Agreement",
    "AlignmentOptions",
    "BootstrapInterval",
    "By",
    "CalibratedAccuracy",
    "Coefficient",
    "CorrelationOptions",
    "Correlations",
    "DataSetRanks",
    "Exchanges",
    "GivenCovariate",
    "GroupCoefficients",
    "MetricAgreement",
    "MetricComparisons",
    "MetricDifference",
    "PermutationTest",
    "ScoreGrid",
    "SoftAccuracy",
    "TwoStudies",
    "bootstrap_system_level",
    "calibrated_accuracy",
    "compare_correlations",
    "compare_metrics",
    "compare_system_pairs",
    "compare_text_pairs",
    "correlate",
    "given_covariate",
    "grouped",
    "marks_judgements",
    "permute_items",
    "permute_system_scores",
    "permute_systems",
    "permute_systems_and_items",
    "permute_texts",
    "rank_over_data_sets",
    "score_grids",
    "soft_accuracy",
    "swap_items",
    "swap_systems",
    "swap_texts",
    "two_studies",
    "two_way_bootstrap",
    "two_way_difference",
    "vector_coefficient",
]
