"""Orders of sentences, facts or any units: measures, distributions, sampling, consensus, shortest paths."""

from textassay.ordering.agreement.consensus import Consensus, consensus
from textassay.ordering.agreement.outliers import SystemAgreement, system_agreement
from textassay.ordering.agreement.several_references import SeveralReferences, several_references, weighted_taus
from textassay.ordering.arranging.arrange import ArrangedText, Arrangement, ArrangeSettings, arrange, path_scorer
from textassay.ordering.arranging.baselines import chronological_order, original_order, random_order, reversed_order
from textassay.ordering.arranging.entity_grid import EntityGrid, GridModel, Mention, entity_grid, fit_grid
from textassay.ordering.distributions.mallows import Mallows, MallowsFit, fit_mallows
from textassay.ordering.distributions.sampling import sample_of, sample_order
from textassay.ordering.distributions.tau_counts import TauBin, chance_tau, tau_bins, tau_counts, tau_of_inversions
from textassay.ordering.evaluation.evaluate import EvaluatedOrder, OrderEvaluation, evaluate_orders
from textassay.ordering.evaluation.scorers import ReferenceRank, Scorer, SharePreferred, reference_rank, share_preferred
from textassay.ordering.materials import Materials, Opening, SampledOrder, materials, opening
from textassay.ordering.measures.means_vector import MeansAgreement, means_agreement, means_vector
from textassay.ordering.measures.permutation_distances import cayley, cayley_batch, ulam, ulam_batch
from textassay.ordering.measures.position_kappa import PositionKappa, kappa_of_matrix, position_kappa, position_matrix
from textassay.ordering.measures.positions import (
    displacement,
    displacement_batch,
    first_correct,
    first_correct_batch,
    last_correct,
    last_correct_batch,
    pairwise_accuracy,
    pairwise_accuracy_batch,
    perfect_match,
    perfect_match_batch,
    position_accuracy,
    position_accuracy_batch,
    spearman,
    spearman_batch,
    within_window,
    within_window_batch,
)
from textassay.ordering.measures.tau import TauTest, inversions, tau, tau_batch, tau_matrix, tau_test
from textassay.ordering.orders import Alignment, GivenOrder, Order, Units, align, order_of_ranks, tau_of_ranks
from textassay.ordering.paths.shortest_path import ShortestPath, shortest_path
from textassay.ordering.unit_similarity import UnitMatches, distances_of, match_units, tf_idf, vector_similarity
from textassay.ordering.variability.agreement_tests import AgreementTest, condition_agreement, text_agreement
from textassay.ordering.variability.exchanged_lists import ExchangedLists, exchanged_lists
from textassay.ordering.variability.pair_anova import PairAnova, PairsOfPeople, pair_anova, pairs_of_people
from textassay.ordering.variability.people_references import (
    PeopleReferences,
    ReferencesNeeded,
    people_references,
    references_needed,
)
from textassay.ordering.variability.reorderings import Reorderings, reorderings
from textassay.ordering.variability.score_tests import ScoreTests, score_tests
from textassay.ordering.variability.start_effect import StartEffect, start_effect
from textassay.ordering.variability.target_scores import TargetScores, target_scores

__all__ = [
    "AgreementTest",
    "Alignment",
    "ArrangeSettings",
    "ArrangedText",
    "Arrangement",
    "Consensus",
    "EntityGrid",
    "EvaluatedOrder",
    "ExchangedLists",
    "GivenOrder",
    "GridModel",
    "Mallows",
    "MallowsFit",
    "Materials",
    "MeansAgreement",
    "Mention",
    "Opening",
    "Order",
    "OrderEvaluation",
    "PairAnova",
    "PairsOfPeople",
    "PeopleReferences",
    "PositionKappa",
    "ReferenceRank",
    "ReferencesNeeded",
    "Reorderings",
    "SampledOrder",
    "ScoreTests",
    "Scorer",
    "SeveralReferences",
    "SharePreferred",
    "ShortestPath",
    "StartEffect",
    "SystemAgreement",
    "TargetScores",
    "TauBin",
    "TauTest",
    "UnitMatches",
    "Units",
    "align",
    "arrange",
    "cayley",
    "cayley_batch",
    "chance_tau",
    "chronological_order",
    "condition_agreement",
    "consensus",
    "displacement",
    "displacement_batch",
    "distances_of",
    "entity_grid",
    "evaluate_orders",
    "exchanged_lists",
    "first_correct",
    "first_correct_batch",
    "fit_grid",
    "fit_mallows",
    "inversions",
    "kappa_of_matrix",
    "last_correct",
    "last_correct_batch",
    "match_units",
    "materials",
    "means_agreement",
    "means_vector",
    "opening",
    "order_of_ranks",
    "original_order",
    "pair_anova",
    "pairs_of_people",
    "pairwise_accuracy",
    "pairwise_accuracy_batch",
    "path_scorer",
    "people_references",
    "perfect_match",
    "perfect_match_batch",
    "position_accuracy",
    "position_accuracy_batch",
    "position_kappa",
    "position_matrix",
    "random_order",
    "reference_rank",
    "references_needed",
    "reorderings",
    "reversed_order",
    "sample_of",
    "sample_order",
    "score_tests",
    "several_references",
    "share_preferred",
    "shortest_path",
    "spearman",
    "spearman_batch",
    "start_effect",
    "system_agreement",
    "target_scores",
    "tau",
    "tau_batch",
    "tau_bins",
    "tau_counts",
    "tau_matrix",
    "tau_of_inversions",
    "tau_of_ranks",
    "tau_test",
    "text_agreement",
    "tf_idf",
    "ulam",
    "ulam_batch",
    "vector_similarity",
    "weighted_taus",
    "within_window",
    "within_window_batch",
]
