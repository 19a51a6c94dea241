"""How the tests find a browser."""

from __future__ import annotations

from pathlib import Path

import chromium
import pytest


def test_named_chromium_wins_and_must_be_there(tmp_path: Path) -> None:
    named = tmp_path / "mine"
    named.touch()
    assert chromium.find_chromium({"TEXTASSAY_CHROMIUM": str(named), "PATH": ""}) == str(named)
    with pytest.raises(pytest.UsageError, match="there is no such file: correct or unset it"):
        chromium.find_chromium({"TEXTASSAY_CHROMIUM": str(tmp_path / "gone")})


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Reading...\nE: Unable to locate package chromium\n\n╚═══╝\n", "E: Unable to locate package chromium"),
        ("Error: Download failed\n    at run (node:internal:3:12)\n", "Error: Download failed"),
        ("one\ntwo\n", "two"),
        ("", "it failed without a message"),
    ],
)
def test_complaint_is_the_line_that_says_why(output: str, line: str) -> None:
    assert chromium.complaint(output) == line
