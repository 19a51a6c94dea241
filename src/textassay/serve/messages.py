"""Interface messages in the participant's language, with plural forms.

Each folder `messages/` holds one JSON file per language: message key → text, or key → plural form → text. Messages of
the server and of a study's tasks are merged; a task's keys begin with its name and a dot. Languages without a plural
rule here use the English one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

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


def interface_language(wanted: str | None, study: str) -> str:
    """The language of the interface: the one asked for, else the study's, else English."""
    known = languages()
    return next((base(language) for language in (wanted, study) if language and base(language) in known), FALLBACK)


def load_messages(language: str, folders: Iterable[Path] = ()) -> Messages:
    """The messages of the server and of the folders; English where a folder lacks the language."""
    texts: dict[str, Forms] = {}
    for folder in (OWN, *folders):
        path = folder / f"{language}.json"
        path = path if path.exists() else folder / f"{FALLBACK}.json"
        texts.update(json.loads(path.read_text(encoding="utf-8")))
    return Messages(language, texts)


# --- plural forms: cardinal rules of Unicode CLDR 45, for whole numbers -----------------------------------------------

Rule = Callable[[int], str]

_MILLION = 1_000_000


def _one_is_one(n: int) -> str:
    return "one" if n == 1 else "other"


def _french(n: int) -> str:
    if n in (0, 1):
        return "one"
    return "many" if n % _MILLION == 0 else "other"


def _spanish(n: int) -> str:
    if n == 1:
        return "one"
    return "many" if n != 0 and n % _MILLION == 0 else "other"


def _arabic(n: int) -> str:
    if n in (0, 1, 2):
        return ("zero", "one", "two")[n]
    if 3 <= n % 100 <= 10:
        return "few"
    return "many" if n % 100 >= 11 else "other"


_RULES: Mapping[str, tuple[Rule, tuple[str, ...]]] = {
    "ar": (_arabic, ("zero", "one", "two", "few", "many", "other")),
    "de": (_one_is_one, ("one", "other")),
    "en": (_one_is_one, ("one", "other")),
    "es": (_spanish, ("one", "many", "other")),
    "fr": (_french, ("one", "many", "other")),
}


def plural(language: str, n: int) -> str:
    """The form that `n` takes.

    >>> [plural("ar", n) for n in (0, 1, 2, 3, 11, 100)]
    ['zero', 'one', 'two', 'few', 'many', 'other']
    """
    return _RULES.get(language, _RULES["en"])[0](n)


def forms(language: str) -> tuple[str, ...]:
    """All plural forms that a message in this language needs."""
    return _RULES.get(language, _RULES["en"])[1]
