"""The compiled loops, each beside its plain-Python twin that gives the same numbers."""

from textassay.kernels.choice import KERNELS, compiled
from textassay.kernels.edits import edit_counts, edit_distances
from textassay.kernels.gtm import gtm_sums
from textassay.kernels.held_karp import held_karp
from textassay.kernels.inversions import inversion_counts
from textassay.kernels.lcs import lcs_lengths
from textassay.kernels.ngrams import ngram_matches
from textassay.kernels.pieces import PieceTable, expand
from textassay.kernels.skips import skip_matches
from textassay.kernels.ter import ter_edits
from textassay.kernels.tour_search import tour_search
from textassay.kernels.union_lcs import union_lcs
from textassay.kernels.weighted_lcs import weighted_lcs

__all__ = [
    "KERNELS",
    "PieceTable",
    "compiled",
    "edit_counts",
    "edit_distances",
    "expand",
    "gtm_sums",
    "held_karp",
    "inversion_counts",
    "lcs_lengths",
    "ngram_matches",
    "skip_matches",
    "ter_edits",
    "tour_search",
    "union_lcs",
    "weighted_lcs",
]
