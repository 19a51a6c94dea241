"""Chromium for the tests of pages: the one that is installed, or one that is installed now if that is allowed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from textassay.local_browser.finding import installed_browser

CHROMIUM_PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's; not every release has the first."""


def provide_chromium() -> dict[str, str]:
    """Find Chromium or install it: the environment variables that tell `find_chromium`, or the reason why not."""
    browser, reason = find_chromium() or playwright_chromium(), ""
    if browser is None:
        browser, reason = install_chromium()
    return {"TEXTASSAY_CHROMIUM": browser} if browser else {"TEXTASSAY_NO_CHROMIUM": reason}


def find_chromium(environ: Mapping[str, str] = os.environ) -> str | None:
    """The program of an installed Chromium, Chrome or Edge; None where there is none.

    Raises:
        pytest.UsageError: TEXTASSAY_CHROMIUM names a file that is not there.
    """
    named = environ.get("TEXTASSAY_CHROMIUM")
    if named:
        if not Path(named).is_file():
            raise pytest.UsageError(f"TEXTASSAY_CHROMIUM is {named!r}, and there is no such file: correct or unset it.")
        return named
    return installed_browser(environ)


def playwright_chromium() -> str | None:
    """The Chromium that playwright downloaded earlier."""
    # In a process of its own: playwright's event loop would count as the thread's running one.
    program = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    code, output = ask([sys.executable, "-c", program])
    path = output.strip().rpartition("\n")[2]
    return path if code == 0 and Path(path).is_file() else None


def install_chromium() -> tuple[str | None, str]:
    """Install Chromium as far as this machine allows: its program, or the reason why there is none."""
    reasons = []
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("Installing Chromium from the system's packages.")
        ask(["apt-get", "update"])  # an outdated list may still do
        for package in CHROMIUM_PACKAGES:
            code, output = ask(["apt-get", "install", "-y", package], DEBIAN_FRONTEND="noninteractive")
            found = find_chromium() if code == 0 else None
            if found:
                return found, ""
            reasons.append(f"apt-get install {package}: {complaint(output)}")
    print("Downloading Chromium through playwright.")
    code, output = ask([sys.executable, "-m", "playwright", "install", "chromium"])
    found = playwright_chromium() if code == 0 else None
    reasons.append(f"playwright install chromium: {complaint(output)}")
    return found, "no Chromium found, and none could be installed; " + "; ".join(reasons)


def complaint(output: str) -> str:
    """The line in which a program says why it failed: the last that speaks of an error, else the last of all."""
    lines = [line.strip() for line in output.splitlines() if any(map(str.isalnum, line))]
    spoken = [line for line in lines if re.search(r"^E:|\b(error|failed|unable|cannot)\b", line, re.IGNORECASE)]
    return (spoken or lines or ["it failed without a message"])[-1][:200]


def ask(command: Sequence[str], **extra: str) -> tuple[int, str]:
    """Run a program and take what it prints; exit code 127 where it cannot be started."""
    try:
        done = subprocess.run(
            command, env={**os.environ, **extra}, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except OSError as problem:
        return 127, str(problem)
    return done.returncode, done.stdout
