"""docs/operations.md, and the files that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
TEXT = PAGE.read_text(encoding="utf-8")


def fences() -> Iterator[tuple[str, str, str]]:
    """Language, file name and text of each fenced block."""
    tokens = [token for token in MarkdownIt("commonmark").parse(TEXT) if not token.type.endswith("_close")]
    for number, token in enumerate(tokens):
        if token.type == "fence":
            name = re.search(r"<!-- file: (.*?) -->", tokens[number - 1].content)
            yield token.info.strip(), name[1] if name else "", token.content


def snippets(name: str) -> list[str]:
    found = [text for _, file, text in fences() if file == name]
    assert found, f"the page has no {name}"
    return found
