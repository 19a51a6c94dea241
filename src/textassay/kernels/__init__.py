"""The compiled loops, each beside its plain-Python twin that gives the same numbers."""

from textassay.kernels.choice import KERNELS, compiled
from textassay.kernels.lcs import lcs_lengths

__all__ = ["KERNELS", "compiled", "lcs_lengths"]
