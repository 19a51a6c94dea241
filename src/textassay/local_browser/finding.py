"""Which browser of this machine is used: Chromium, Chrome or Edge, the first that is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from textassay.errors import BrowserError

VARIABLE = "TEXTASSAY_BROWSER"
"""Environment variable that names the program to use."""
NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge", "microsoft-edge-stable", "msedge",
)  # fmt: skip
"""The shell comes first: without windows and their buttons the same pages take a third of the processor's time."""
REMEDY = f"install Chromium, Chrome or Edge, or name its program in the environment variable {VARIABLE}"
_SECONDS_TO_TELL_ITS_VERSION = 10


def find_browser(environ: Mapping[str, str] = os.environ) -> str:
    """The program of the browser.

    Raises:
        BrowserError: there is none, or `TEXTASSAY_BROWSER` names a program that does not exist.
    """
    named = environ.get(VARIABLE)
    if named:
        program = named if Path(named).is_file() else shutil.which(named, path=environ.get("PATH", ""))
        if program is None:
            raise BrowserError(f"{VARIABLE} is {named!r}, and there is no such program; correct it, or unset it")
        return program
    found = installed_browser(environ)
    if found is None:
        raise BrowserError(f"no browser was found on this machine; {REMEDY}")
    return found


def starts(program: str) -> bool:
    """Whether it is a browser and not, as on Ubuntu, a note that one could be installed."""
    if os.name == "nt":  # there a browser takes --version as a page to open
        return True
    try:
        done = subprocess.run(  # noqa: S603 -- a program with a browser's name
            [program, "--version"], check=False, capture_output=True, timeout=_SECONDS_TO_TELL_ITS_VERSION
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def installed_browser(
    environ: Mapping[str, str] = os.environ, platform: str = sys.platform, works: Callable[[str], bool] = starts
) -> str | None:
    """The first installed browser that starts; None if there is none."""
    on_path = (shutil.which(name, path=environ.get("PATH", "")) for name in NAMES)
    elsewhere = (str(path) for path in usual_places(platform, environ) if path.is_file())
    return next((path for path in (*on_path, *elsewhere) if path and works(path)), None)


def usual_places(platform: str, environ: Mapping[str, str]) -> list[Path]:
    """Where installers put Chromium and its relatives without telling PATH."""
    if platform == "darwin":
        names = ("Chromium", "Google Chrome", "Microsoft Edge")
        folders = [Path("/Applications"), Path(environ.get("HOME", "/")) / "Applications"]
        return [folder / f"{name}.app" / "Contents" / "MacOS" / name for folder in folders for name in names]
    if platform == "win32":
        programs = (
            "Chromium/Application/chrome",
            "Google/Chrome/Application/chrome",
            "Microsoft/Edge/Application/msedge",
        )
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = [Path(environ[name]) for name in variables if environ.get(name)]
        return [root / f"{program}.exe" for root in roots for program in programs]
    return []
