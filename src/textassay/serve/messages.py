"""The words on buttons and hints, in the participant's language, with plural forms.

Each folder `messages/` holds one JSON file a language: message key → text, or key → plural form → text. Those of the
server and those of a study's tasks are merged; a task's keys begin with its name and a dot.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from textassay.serve.plurals import plural

OWN = Path(__file__).parent / "messages"
FALLBACK = "en"
RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ku", "ps", "sd", "syr", "ug", "ur", "yi"})
"""Languages that are written from right to left; nothing else in the program asks which those are."""
_RIGHT_TO_LEFT_SCRIPTS = frozenset({"arab", "hebr", "syrc", "thaa", "nkoo", "adlm"})

Forms = str | Mapping[str, str]


class Messages:
    """The messages of one language.

    >>> messages = Messages("en", {"minutes": {"one": "{n} minute", "other": "{n} minutes"}})
    >>> messages("minutes", n=1), messages("minutes", n=5)
    ('1 minute', '5 minutes')
    """

    def __init__(self, language: str, texts: Mapping[str, Forms]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, **values: object) -> str:
        """The message with its values put in; `n` decides on the plural form."""
        found = self.texts[key]
        if not isinstance(found, str):
            n = values.get("n")
            found = found[plural(self.language, n if isinstance(n, int) else 0)]
        return found.format_map(values)


def base(language: str) -> str:
    """The language without script and region: `de` for `de-AT`."""
    return language.partition("-")[0].lower()


def direction(language: str) -> str:
    """The direction in which the language is written, as HTML names it.

    >>> direction("ar-EG"), direction("de"), direction("az-Arab"), direction("ku-Latn")
    ('rtl', 'ltr', 'rtl', 'ltr')
    """
    scripts = [part.lower() for part in language.split("-")[1:] if len(part) == len("Arab") and part.isalpha()]
    if scripts:
        return "rtl" if scripts[0] in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if base(language) in RIGHT_TO_LEFT else "ltr"


def languages(folder: Path = OWN) -> tuple[str, ...]:
    """The languages for which a folder has messages."""
    return tuple(sorted(path.stem for path in folder.glob("*.json")))


def interface_language(wanted: str | None, study: str) -> str:
    """The language of buttons and hints: the one asked for, else the study's, else English."""
    known = languages()
    return next((base(language) for language in (wanted, study) if language and base(language) in known), FALLBACK)


def load_messages(language: str, folders: Iterable[Path] = ()) -> Messages:
    """The server's messages and those in the folders; a folder without the language gives its English ones."""
    texts: dict[str, Forms] = {}
    for folder in (OWN, *folders):
        path = folder / f"{language}.json"
        path = path if path.exists() else folder / f"{FALLBACK}.json"
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return Messages(language, texts)
