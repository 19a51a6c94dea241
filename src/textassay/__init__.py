"""Find out how good generated text is, and how far the numbers can be trusted.

`textassay.pipeline` has the stages of a study, from the study file to the report; `textassay.stats`,
`textassay.metrics` and `textassay.meta` work alone on plain numbers, texts and tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["__version__"]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The release, looked up when first asked for: importing `importlib.metadata` is slow."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version  # noqa: PLC0415

        release = globals()["__version__"] = version("textassay")
        return release
