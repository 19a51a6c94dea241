"""The proxies of docs/operations.md: those that are installed, or are installed now if that is allowed."""

from __future__ import annotations

import os
import shutil

from chromium import ask, complaint

PACKAGES = {"nginx": "nginx-light", "caddy": "caddy"}
"""Program → package of Debian."""


def find_proxy(name: str) -> str | None:
    """The program; that of a service is often where only root looks for programs."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def provide_proxies() -> None:
    """Install those that are missing, where this process may; the tests of those that stay missing are skipped."""
    missing = [package for name, package in PACKAGES.items() if find_proxy(name) is None]
    if not missing or not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    print(f"Installing {' and '.join(missing)} from the system's packages.")
    # Not recommended packages, and no start: the tests start the programs themselves.
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    code, output = ask(command, DEBIAN_FRONTEND="noninteractive", RUNLEVEL="1")
    if code:
        print(f"{' '.join(command)}: {complaint(output)}")
