"""The compiled loops, each with a plain-Python fallback that gives the same numbers.

Every kernel is imported from its own module, such as `textassay.kernels.lcs`, so that unused ones cost nothing.
"""

from textassay.kernels.choice import KERNELS, compiled

__all__ = ["KERNELS", "compiled"]
