"""A registration: what a study had settled before its first real participant, and what is different now.

`registration.json` lies in the study directory: when it was made, the settings, the SHA-256 of each file and of each
part of the material, the analyses, and a checksum over all of it. Settings are compared by meaning.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import textassay
from textassay.design.plan import Plan
from textassay.errors import UsageError
from textassay.report.summary import Findings, RegistrationSummary, Section
from textassay.results import Table
from textassay.study import settled
from textassay.study.study import Study

REGISTRATION = "registration.json"
DOCUMENT = "registration.md"
FORMAT = 1
_CHECKSUM = "checksum"
_PARTS = {"settings": Mapping, "material": Mapping, "files": Mapping, "plan": str, "textassay": str, _CHECKSUM: str}
"""What a registration cannot be compared without, and what each part is."""
_COMPARED = ("results", "agreement", "metrics")
"""Places of a report whose analyses are compared; what stands elsewhere describes, and depends on the answers."""
_SHOWN = 8
"""How many parts of the material are listed one by one."""
_MOST_CHARACTERS = 120


@dataclass(frozen=True)
class Registration:
    """A stored registration."""

    content: Mapping[str, Any]
    """All of `registration.json`."""

    @property
    def registered_at(self) -> datetime:
        """When it was made."""
        return datetime.fromisoformat(self.content["registered_at"])

    @property
    def when(self) -> str:
        """When it was made, in words."""
        return f"{self.registered_at:%Y-%m-%d at %H:%M} UTC"

    @property
    def is_intact(self) -> bool:
        """Whether the contents are those that the checksum was made from."""
        return bool(self.content[_CHECKSUM] == checksum(self.content))


Kind = Literal["changed", "added", "removed", "not made"]
"""How something differs; `not made` is an analysis that these answers do not allow."""


@dataclass(frozen=True)
class Change:
    """Something that is not as it was registered."""

    what: str
    """Path in the study file, or part of the material."""
    kind: Kind
    registered: str
    now: str


def checksum(content: Mapping[str, Any]) -> str:
    """The SHA-256 of a registration, without its own checksum."""
    kept = {key: value for key, value in content.items() if key != _CHECKSUM}
    return hashlib.sha256(json.dumps(kept, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def make_registration(study: Study, plan: Plan, rehearsed: Findings, *, simulated: int, now: datetime) -> Registration:
    """Freeze what a study has settled.

    Args:
        study: The study.
        plan: Its plan.
        rehearsed: What came out of a rehearsal: the analyses that will be made.
        simulated: How many simulated participants the study itself has.
        now: The time.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "registered_at": now.astimezone(UTC).replace(microsecond=0).isoformat(),
        "textassay": textassay.__version__,
        "title": study.file.title,
        "seed": study.file.seed,
        "participants": {"real": 0, "simulated": simulated},
        "settings": settled.settings(study),
        "analyses": _analyses(rehearsed.sections),
        "metrics": {row["metric"]: row.get("signature") for row in rehearsed.scores},
        "plan": settled.digest(plan.to_json()),
        "files": {
            name: _sha256(study.directory / name) for name in (*settled.named_files(study), study.plan_path.name)
        },
        "material": settled.material(study),
    }
    return Registration({**content, _CHECKSUM: checksum(content)})


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _analyses(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """The analyses with their methods; numbers that come from the answers are left out."""
    found = []
    for section in sections:
        methods = dict.fromkeys((result.method, _fixed(result.settings)) for result in section.analysis.results)
        found.append(
            {
                "name": section.analysis.name,
                "title": section.heading,
                "place": section.analysis.place,
                "methods": [{"method": method, "settings": dict(chosen)} for method, chosen in methods],
            }
        )
    return found


def _fixed(chosen: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Settings that do not count what was answered."""
    counted = re.compile(r"^\d|\d df$")
    return tuple(
        (key, value)
        for key, value in chosen.items()
        if isinstance(value, float) or (isinstance(value, str) and key != "converged" and not counted.search(value))
    )


def registration_text(registration: Registration) -> str:
    """The text of `registration.json`."""
    return json.dumps(registration.content, ensure_ascii=False, indent=1) + "\n"


def read_registration(study: Study) -> Registration | None:
    """The study's registration; None where it has none.

    Raises:
        UsageError: the file is no registration, or of a format that this release does not read.
    """
    path = study.directory / REGISTRATION
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        read = Registration(content)
        known = content["format"] == FORMAT and read.registered_at.tzinfo is not None and content[_CHECKSUM]
        parts = all(isinstance(content[key], kind) for key, kind in _PARTS.items())
    except (OSError, ValueError, LookupError, TypeError):
        known = parts = False
    if not (known and parts):
        remedy = "restore it from the copy that you uploaded or from a backup"
        raise UsageError(f"{path}: not a registration that this release of textassay reads; {remedy}")
    return read


# --- what is different now -------------------------------------------------------------------------------------------


def changes_since(registration: Registration, study: Study, plan: Plan) -> list[Change]:
    """What is not as it was registered: settings, texts and pages, plan, version of textassay."""
    before = registration.content
    now, chosen = settled.settings(study), settled.settings(study, only_chosen=True)
    found = list(_settings(before["settings"], now, chosen, ()))
    found += _material(before["material"], settled.material(study))
    if before["plan"] != settled.digest(plan.to_json()):
        found.append(Change("plan.json", "changed", _short(before["plan"]), _short(settled.digest(plan.to_json()))))
    if before["textassay"] != textassay.__version__:
        found.append(Change("version of textassay", "changed", before["textassay"], textassay.__version__))
    return found


def _settings(
    before: Mapping[str, Any], now: Mapping[str, Any], chosen: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Change]:
    """Differences between two trees of settings; a default that a later release adds is none."""
    for key in {**before, **now}:
        here = (*path, key)
        name = ".".join(here)
        if key not in now:
            yield Change(name, "removed", in_words(before[key]), "–")
        elif key not in before:
            if key in chosen:
                yield Change(name, "added", "–", in_words(now[key]))
        elif _is_tree(before[key]) and _is_tree(now[key]):
            further = chosen.get(key)
            yield from _settings(
                before[key] or {}, now[key] or {}, further if isinstance(further, Mapping) else {}, here
            )
        elif before[key] != now[key]:
            yield Change(name, "changed", in_words(before[key]), in_words(now[key]))


def _is_tree(value: Any) -> bool:
    return isinstance(value, Mapping) or value == []


def in_words(value: Any) -> str:
    """A setting in one line.

    >>> in_words({"question": "How clear?", "scale": {"from": 1, "to": 7}, "comment": None})
    'question: How clear?, scale: (from: 1, to: 7)'
    >>> in_words([True, 0.05, None])
    'yes, 0.05, none'
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        parts = {key: part for key, part in value.items() if part is not None and part not in ([], {})}
        return ", ".join(f"{key}: {_nested(part)}" for key, part in parts.items()) or "with its defaults"
    if isinstance(value, list):
        return ", ".join(map(in_words, value)) or "none"
    return str(value)


def shortened(text: str) -> str:
    """The beginning of a text that is too long for a table."""
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"


def _nested(value: Any) -> str:
    return f"({in_words(value)})" if isinstance(value, Mapping) else in_words(value)


def _material(before: Mapping[str, str], now: Mapping[str, str]) -> list[Change]:
    found = []
    for part in {**before, **now}:
        kind: Kind = "removed" if part not in now else "added" if part not in before else "changed"
        if before.get(part) != now.get(part):
            found.append(Change(part, kind, _short(before.get(part)), _short(now.get(part))))
    if len(found) <= _SHOWN:
        return found
    more = len(found) - _SHOWN
    return [*found[:_SHOWN], Change(f"and {more} more parts of the material", "changed", "", "")]


def _short(digest: str | None) -> str:
    return "–" if digest is None else f"SHA-256 {str(digest)[:8]}…"


def _other_analyses(registration: Registration, sections: Sequence[Section]) -> Iterator[Change]:
    """Methods that were registered and are not in the report, and the other way round."""
    before, now = _methods(registration.content["analyses"]), _methods(_analyses(sections))
    for key in {**before, **now}:
        planned, made = before.get(key, []), now.get(key, [])
        what = f"analysis “{key[1]}”"
        yield from (Change(what, "not made", method, "–") for method in planned if method not in made)
        yield from (Change(what, "added", "–", method) for method in made if method not in planned)


def _methods(analyses: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for each in analyses:
        if each["place"] in _COMPARED:
            own = found.setdefault((each["name"], each["title"]), [])
            own += dict.fromkeys(method["method"] for method in each["methods"] if method["method"] not in own)
    return found


def registration_summary(
    study: Study, plan: Plan, people: Sequence[Mapping[str, Any]], sections: Sequence[Section]
) -> RegistrationSummary | None:
    """What a report says of the study's registration; None where it has none.

    Args:
        study: The study.
        plan: Its plan.
        people: Rows of the participants table.
        sections: The analyses of the report.
    """
    try:
        registration = read_registration(study)
    except UsageError as error:
        return RegistrationSummary((f"This study has a registration that cannot be read: {error}.",), deviates=True)
    if registration is None:
        return None
    found = changes_since(registration, study, plan)
    if registration.is_intact:  # one that was altered may lack anything
        found += _other_analyses(registration, sections)
    early = began_before(registration, people)
    if early:
        found.append(Change("real participants who began before the registration", "added", "0", str(early)))
    rows = tuple((each.what, each.kind, shortened(each.registered), shortened(each.now)) for each in found)
    changes = Table(
        "registration", "What differs from the registration", ("What", "Difference", "Registered", "Now"), rows,
        "Settings by their path in the study file. Comments, the order of keys and defaults written out do not count. "
        "An analysis is not made where the answers do not allow it.",
    )  # fmt: skip
    covers = [_registered(registration)] if registration.is_intact else []
    sentences = (*told(registration, found), *covers)
    return RegistrationSummary(sentences, bool(found) or not registration.is_intact, changes if rows else None)


def began_before(registration: Registration, people: Iterable[Mapping[str, Any]]) -> int:
    """How many real participants began before the registration; those of tables without times are not counted."""
    return sum(
        not row.get("simulated")
        and row.get("started_at") is not None
        and row["started_at"] < registration.registered_at
        for row in people
    )


def told(registration: Registration, found: Sequence[Change]) -> tuple[str, ...]:
    """When the study was registered, whether the registration is intact, and whether anything has changed since."""
    altered = (
        f"{REGISTRATION} has been altered since it was written: its checksum does not fit its contents. Do not rely "
        "on it; compare it with the copy that was uploaded."
    )
    kinds = [each.kind for each in found]
    counts = [f"{kinds.count(kind)} {kind}" for kind in get_args(Kind) if kind in kinds]
    since = f"Since then: {', '.join(counts)}." if counts else "Nothing has changed since then."
    when = f"Registered on {registration.when} (checksum {registration.content[_CHECKSUM][:16]}…). {since}"
    return (when,) if registration.is_intact else (altered, when)


def _registered(registration: Registration) -> str:
    """What was registered, in one sentence."""
    chosen = registration.content["settings"]
    people = chosen["participants"]
    wanted = people["wanted"] or sum(cohort["wanted"] for cohort in people["cohorts"].values())
    counts = (
        (len(chosen["systems"]), "system"),
        (chosen["items"], "item"),
        (wanted, "participant"),
        (len(chosen["screening"]), "screening rule"),
        (len(chosen["metrics"]), "metric"),
        (len(registration.content["analyses"]), "analysis"),
        (len(chosen["registration"]["hypotheses"]), "hypothesis"),
    )
    plurals = {"analysis": "analyses", "hypothesis": "hypotheses"}
    words = [f"{n} {what if n == 1 else plurals.get(what, what + 's')}" for n, what in counts if n]
    return f"It covers {', '.join(words[:-1])} and {words[-1]}; {REGISTRATION} has all settings."
