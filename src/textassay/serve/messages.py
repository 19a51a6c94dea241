"""Interface messages in the participant's language, with plural forms.

Each folder `messages/` holds one JSON file per language: message key → text, or key → plural form → text. Messages of
the server and of a study's tasks are merged; a task's keys begin with its name and a dot. A study can bring words of
its own, and a block labels for what it shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from textassay.plural_forms import plural

OWN = Path(__file__).parent / "messages"
FALLBACK = "en"
RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ku", "ps", "sd", "syr", "ug", "ur", "yi"})
"""Languages written from right to left."""
_RIGHT_TO_LEFT_SCRIPTS = frozenset({"arab", "hebr", "syrc", "thaa", "nkoo", "adlm"})

Forms = str | Mapping[str, str]


class Messages:
    """The messages of one language.

    >>> messages = Messages("en", {"minutes": {"one": "{n} minute", "other": "{n} minutes"}})
    >>> messages("minutes", n=1), messages("minutes", n=5)
    ('1 minute', '5 minutes')
    """

    def __init__(self, language: str, texts: Mapping[str, Forms], labels: frozenset[str] = frozenset()) -> None:
        self.language = language
        self.texts = texts
        self.labels = labels
        """Keys of texts that are in the language of the study, whatever that of the interface is."""

    def __call__(self, key: str, **values: object) -> str:
        """The message with its values put in; `n` decides on the plural form."""
        found = self.texts[key]
        if not isinstance(found, str):
            n = values.get("n")
            form = plural(self.language, n if isinstance(n, int) else 0)
            found = found[form] if form in found else found["other"]  # English where the language lacks the message
        return found.format_map(values)

    def labelled(self, task: str, words: Mapping[str, str]) -> Messages:
        """These messages with a block's labels in place of some of its task's.

        >>> messages = Messages("en", {"rating.text": "Text to rate"})
        >>> messages.labelled("rating", {"text": "Summary {1}"})("rating.text")
        'Summary {1}'
        """
        plain = {f"{task}.{name}": text.replace("{", "{{").replace("}", "}}") for name, text in words.items()}
        return Messages(self.language, {**self.texts, **plain}, frozenset(plain))


def base(language: str) -> str:
    """The language without script and region: `de` for `de-AT`."""
    return language.partition("-")[0].lower()


def direction(language: str) -> str:
    """The writing direction of the language, as HTML names it.

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


def interface_language(wanted: str | None, study: str, *, brought: bool = False) -> str:
    """The language of the interface: the one asked for, else the study's, else English.

    Args:
        wanted: The language asked for, if any.
        study: The language of the study.
        brought: Whether the study brings its own messages, which then may be in any language.
    """
    if brought:
        return base(wanted or study)
    known = languages()
    return next((base(language) for language in (wanted, study) if language and base(language) in known), FALLBACK)


def load_messages(language: str, folders: Iterable[Path] = (), own: Mapping[str, Forms] | None = None) -> Messages:
    """The messages of the server and of the folders, English where a folder lacks the language; `own` replace them."""
    texts: dict[str, Forms] = {}
    for folder in (OWN, *folders):
        path = folder / f"{language}.json"
        path = path if path.exists() else folder / f"{FALLBACK}.json"
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return Messages(language, {**texts, **(own or {})})
