"""How the tests find a browser."""

from __future__ import annotations

import os
from pathlib import Path

import chromium
import pytest


def program(path: Path, code: int = 0) -> Path:
    """A program that exits with this code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="needs programs made of a shell script")
def test_chromium_is_found_on_path_unless_it_does_not_start(tmp_path: Path) -> None:
    folder = {"PATH": str(tmp_path)}
    assert chromium.find_chromium(folder, "linux") is None
    chrome = program(tmp_path / "google-chrome")
    assert chromium.find_chromium(folder, "linux") == str(chrome)
    # Ubuntu's chromium-browser may be a note that a snap could be installed.
    browser = program(tmp_path / "chromium-browser", code=1)
    assert chromium.find_chromium(folder, "linux") == str(chrome)
    program(browser)
    assert chromium.find_chromium(folder, "linux") == str(browser)
    # The same without windows is quicker.
    shell = program(tmp_path / "chromium-headless-shell")
    assert chromium.find_chromium(folder, "linux") == str(shell)


def test_named_chromium_wins_and_must_be_there(tmp_path: Path) -> None:
    named = program(tmp_path / "mine")
    assert chromium.find_chromium({"TEXTASSAY_CHROMIUM": str(named), "PATH": ""}) == str(named)
    with pytest.raises(pytest.UsageError, match="there is no such file: correct or unset it"):
        chromium.find_chromium({"TEXTASSAY_CHROMIUM": str(tmp_path / "gone")})


@pytest.mark.parametrize(
    ("platform", "variable", "place"),
    [
        ("darwin", "HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("win32", "PROGRAMFILES(X86)", "Microsoft/Edge/Application/msedge.exe"),
        ("win32", "LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
    ],
)
def test_chromium_is_found_in_its_usual_place(tmp_path: Path, platform: str, variable: str, place: str) -> None:
    browser = program(tmp_path / place)
    assert chromium.find_chromium({"PATH": "", variable: str(tmp_path)}, platform, lambda _: True) == str(browser)


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
