"""The languages that the pages can speak."""

from __future__ import annotations

from pathlib import Path

_MESSAGES = Path(__file__).parent.parent / "serve" / "messages"


def interface_languages() -> tuple[str, ...]:
    """The languages for which there are words for buttons and hints: those that have a file."""
    return tuple(sorted(path.stem for path in _MESSAGES.glob("*.json")))
