"""How a text is cut into words: one small function a file, and its name in `registry.py`."""

from textassay.metrics.tokenisers.registry import TOKENISERS, Splitter, Tokeniser, tokeniser

__all__ = ["TOKENISERS", "Splitter", "Tokeniser", "tokeniser"]
