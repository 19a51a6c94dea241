"""The report's folder: names that every file system takes, and files that are written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from pathlib import Path

_RESERVED = frozenset({"aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
"""Names that Windows keeps for devices, whatever ending follows."""
_LONGEST = 80


def slug(name: str) -> str:
    """The name with nothing in it that a file system or an address could trip over.

    >>> slug("Means: Verständlichkeit (1–7)"), slug("../../etc/passwd"), slug("nul")
    ('means-verstandlichkeit-1-7', 'etc-passwd', 'nul-')
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    text = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[:_LONGEST].rstrip("-")
    if not re.search(r"[a-z0-9]", text):
        return f"x-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return f"{text}-" if text in _RESERVED else text


class Names:
    """Gives each file a name of its own, also where two tables are called the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, name: str) -> str:
        """A name that no one has claimed: the slug of the one given, numbered where that is taken."""
        base = slug(name)
        found, number = base, 1
        while found in self._taken:
            number += 1
            found = f"{base}-{number}"
        self._taken.add(found)
        return found


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: to a neighbour first, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    neighbour = path.with_name(f".{path.name}.{os.getpid()}.part")
    neighbour.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    neighbour.replace(path)
