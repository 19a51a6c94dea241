"""Find out how good generated text is, and how far the numbers can be trusted."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """The release, looked up when first asked for: importing `importlib.metadata` costs 20 ms."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib.metadata import version  # noqa: PLC0415

        release = version("textassay")
        globals()["__version__"] = release
        return release
