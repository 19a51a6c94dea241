"""Find out how good generated text is, and how far the numbers can be trusted."""

from importlib.metadata import version

__version__ = version("textassay")
