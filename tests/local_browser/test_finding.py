"""Which browser of this machine is used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from textassay.errors import BrowserError
from textassay.local_browser.finding import find_browser, installed_browser


def program(path: Path, code: int = 0) -> Path:
    """A program that exits with this code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="needs programs made of a shell script")
def test_browser_is_found_on_path_unless_it_does_not_start(tmp_path: Path) -> None:
    folder = {"PATH": str(tmp_path)}
    assert installed_browser(folder, "linux") is None
    chrome = program(tmp_path / "google-chrome")
    assert installed_browser(folder, "linux") == str(chrome)
    # Ubuntu's chromium-browser may be a note that a snap could be installed.
    browser = program(tmp_path / "chromium-browser", code=1)
    assert installed_browser(folder, "linux") == str(chrome)
    program(browser)
    assert installed_browser(folder, "linux") == str(browser)
    # The same without windows is quicker.
    shell = program(tmp_path / "chromium-headless-shell")
    assert installed_browser(folder, "linux") == str(shell)


@pytest.mark.parametrize(
    ("platform", "variable", "place"),
    [
        ("darwin", "HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("win32", "PROGRAMFILES(X86)", "Microsoft/Edge/Application/msedge.exe"),
        ("win32", "LOCALAPPDATA", "Google/Chrome/Application/chrome.exe"),
    ],
)
def test_browser_is_found_in_its_usual_place(tmp_path: Path, platform: str, variable: str, place: str) -> None:
    browser = program(tmp_path / place)
    assert installed_browser({"PATH": "", variable: str(tmp_path)}, platform, lambda _: True) == str(browser)


def test_named_browser_wins_and_must_be_there(tmp_path: Path) -> None:
    named = program(tmp_path / "mine")
    assert find_browser({"TEXTASSAY_BROWSER": str(named), "PATH": ""}) == str(named)
    with pytest.raises(BrowserError, match="there is no such program; correct it, or unset it"):
        find_browser({"TEXTASSAY_BROWSER": str(tmp_path / "gone")})


def test_without_a_browser_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textassay.local_browser.finding.installed_browser", lambda _: None)
    with pytest.raises(
        BrowserError, match=r"install Chromium, Chrome or Edge, or name its program .* TEXTASSAY_BROWSER"
    ):
        find_browser({})
