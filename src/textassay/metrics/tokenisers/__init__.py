"""How a text is cut into words: small functions, and their names in `registry.py`."""

from textassay.metrics.tokenisers.registry import TOKENISERS, Splitter, Tokeniser, tokeniser

__all__ = ["TOKENISERS", "Splitter", "Tokeniser", "tokeniser"]
