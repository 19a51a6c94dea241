"""A study as one archive for others: what was shown, planned and answered, what came out, and how to work it out again.

The archive is itself a study directory: the answers are in `imported/`, without what could identify a participant, so
every command works in the unpacked folder. Left out are personal columns, what browsers said of themselves, the answers
of participants who withdrew, links, keys and completion codes.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import textassay
from textassay.answers.columns import IMPORTED_FOLDER, schemas
from textassay.answers.dataset import answer_warnings
from textassay.answers.export import export_files
from textassay.answers.imports import imported_tables
from textassay.answers.study_store import existing_store
from textassay.errors import DataError
from textassay.report.artifacts import file_name
from textassay.report.page import FILES as REPORT_FOLDER
from textassay.report.page import PAGE, write_report
from textassay.screening.took_part_elsewhere import TookPartElsewhere
from textassay.sharing.archive import CHECKSUMS, checksum, write_archive, write_checksums
from textassay.sharing.results_file import results_of, results_text
from textassay.study.load import STUDY_FILE
from textassay.study.planning import stored_plan
from textassay.study.yaml_reader import read_yaml
from textassay.tables.schema import SCORES
from textassay.tables.text_files import read_text
from textassay.tables.writer import write_lines, write_table, write_text

if TYPE_CHECKING:
    from textassay.report.summary import Findings, StudySummary
    from textassay.study.study import Study

FORMAT = 1
"""Version of the form of a bundle."""
KIND = "textassay bundle"
README, RESULTS = "README.txt", "results.json"
BESIDE = {
    "registration.*": "what was registered before the first participant",
    "datasheet.*": "the human evaluation datasheet",
}
"""Files that other commands wrote for others, which go along where they are there."""
_OWN_NAMES = {README, RESULTS, CHECKSUMS, PAGE, "bundle.json", "plan.json", "scores.csv", "SIMULATED.txt"}
_OWN_NAMES |= {"codebook.csv", "codebook.md", "answers-revisions.jsonl"}
_OWN_FOLDERS = {IMPORTED_FOLDER, REPORT_FOLDER}
_COMPUTES = ("textassay", "numpy", "scipy", "pandas")
_CODE_KEYS = "completion_code|completed|screened_out|no_consent|withdrawn"
_IDENTIFYING = {
    "an e-mail address": re.compile(r"\S+@\S+"),
    "an id of Prolific": re.compile(r"[0-9a-f]{24}"),
    "an id of Mechanical Turk": re.compile(r"A[0-9A-Z]{12,14}"),
}
"""Codes of participants in imported tables that tell who somebody is."""


def write_bundle(study: Study, findings: Callable[[Study], Findings], target: Path) -> Path:
    """Write the archive; the same study gives the same bytes.

    Args:
        study: The study.
        findings: Gives all that comes out of it.
        target: The zip file; an earlier one is replaced.

    Raises:
        DataError: answers arrived meanwhile, a code in an imported table says who somebody is, or a file cannot be put
            into a bundle.
    """
    _refuse_identifying_codes(study)
    before = _answers_state(study)
    found = findings(study)
    with TemporaryDirectory(prefix="textassay-bundle-") as temporary:
        write_contents(study, found, Path(temporary))
        if _answers_state(study) != before:
            raise DataError("answers arrived while the bundle was made; make it again when nobody is taking the study")
        write_archive(Path(temporary), target, top=file_name(study.file.title))
    return target


def write_contents(study: Study, found: Findings, folder: Path) -> None:
    """Write all files of a bundle into a folder; see `write_bundle`."""
    write_material(study, folder)
    warnings = write_answers(study, folder)
    write_text(folder / RESULTS, results_text(results_of(found)))
    if found.scores:
        write_table(folder / "scores.csv", [column.name for column in SCORES.columns], found.scores)
    write_report(_public_summary(study, found.summary, folder), found.sections, folder)
    about = _about(study, found.summary.settings.versions, warnings)
    write_text(folder / study.bundle_path.name, json.dumps(about, ensure_ascii=False, indent=1) + "\n")
    write_text(folder / README, _readme(study, folder, about["versions"]))
    write_checksums(folder)


def _public_summary(study: Study, summary: StudySummary, folder: Path) -> StudySummary:
    """The summary for a page that is the same whenever it is made, with commands and checksums of the bundle."""
    settings, where = summary.settings, file_name(study.file.title)
    install = [line for line in settings.commands if " install " in line]
    commands = (*install, f"textassay verify {where}", f"textassay report {where}")
    known = {name: checksum(folder / name) for name in settings.checksums if (folder / name).is_file()}
    return replace(summary, made_at=None, settings=replace(settings, commands=commands, checksums=known))


def _answers_state(study: Study) -> object:
    """What changes whenever an answer arrives or a participant's state changes: to notice it while a bundle is made."""
    with existing_store(study) as store:
        if store is None:
            return None
        return store.journal.extent(), [(person.code, person.status) for person in store.participants()]


def _refuse_identifying_codes(study: Study) -> None:
    for table in imported_tables(study):
        for row in table:
            code = str(row.get("participant") or "")
            kind = next((kind for kind, form in _IDENTIFYING.items() if form.fullmatch(code)), None)
            if kind is not None:
                raise DataError(
                    f"{table.file}:{row.line}: the participant {code!r} looks like {kind}, and a bundle is for others; "
                    f"replace such codes in all files of {IMPORTED_FOLDER}/ by ones that say nothing"
                )


# --- what participants saw --------------------------------------------------------------------------------------------


def write_material(study: Study, folder: Path) -> None:
    """Write the study file, what it names, the plan, registration and datasheet.

    Raises:
        DataError: a file has the name of one that a bundle has, too, or completion codes cannot be hidden.
    """
    media = {str(name) for block in study.blocks for name in block.task.media()}
    codes = study.file.finish.every_code
    for name in sorted({*study.files, *media}):
        inside = (study.directory / name).resolve().relative_to(study.directory.resolve())
        if inside.as_posix() in _OWN_NAMES or inside.parts[0] in _OWN_FOLDERS:
            raise DataError(f"the study names its own file {name!r}, which a bundle has, too; rename it in the study")
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(study.directory / name, folder / name)
        if name.endswith(".md") and any(code in read_text(folder / name, name) for code in codes):
            write_text(folder / name, _without(codes, read_text(folder / name, name)))
    shutil.copyfile(study.directory / STUDY_FILE, folder / STUDY_FILE)
    if codes or study.file.store:
        write_text(folder / STUDY_FILE, public_study_file(study))
    stored_plan(study)  # made now if there is none yet
    shutil.copyfile(study.plan_path, folder / study.plan_path.name)
    for path in (path for pattern in BESIDE for path in sorted(study.directory.glob(pattern))):
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
    if study.simulated_path.exists():
        shutil.copyfile(study.simulated_path, folder / study.simulated_path.name)


def public_study_file(study: Study) -> str:
    """The text of the study file with completion codes hidden, and without `store`; it says the same otherwise.

    Raises:
        DataError: they are written in a way in which they cannot be found.
    """
    text = _without_store(study, read_text(study.directory / STUDY_FILE, STUDY_FILE))
    codes = study.file.finish.every_code
    if not codes:
        return text
    wanted = _hidden_values(study, codes)
    after_key = rf"""\b(?:{_CODE_KEYS})["']?\s*:\s*["']?"""
    for before, after in (("", ""), (after_key, r"\b")):  # a code may be a word of the file, too
        hidden = _without(codes, text, before, after)
        if _data(hidden) == wanted:
            return hidden
    raise DataError(f"{STUDY_FILE}: the codes under 'finish' cannot be hidden; write each in quotes after its key")


def _without_store(study: Study, text: str) -> str:
    """The text of the study file without the address of the answers: those of a bundle are in it."""
    if study.file.store is None:
        return text
    kept = re.sub(r"""^["']?store["']?\s*:.*(?:\n|$)""", "", text, flags=re.MULTILINE)
    if _data(kept) != {key: value for key, value in _data(text).items() if key != "store"}:
        raise DataError(f"{STUDY_FILE}: 'store' cannot be left out; write it on a line of its own")
    return kept


def _without(codes: list[str], text: str, before: str = "", after: str = "") -> str:
    """The text with each code replaced, at once, for what stands for one could hold another."""
    if not codes:
        return text
    pattern = f"({before})({'|'.join(map(re.escape, codes))}){after}"
    return re.sub(pattern, lambda found: found[1] + _hidden(codes, found[2]), text)


def _hidden(codes: list[str], code: str) -> str:
    """What stands for a code; two codes stay different."""
    return f"(hidden {codes.index(code) + 1})"


def _hidden_values(study: Study, codes: list[str]) -> Any:
    """What the study file says, with codes hidden."""
    data = read_yaml(study.directory / STUDY_FILE, STUDY_FILE).data
    data.pop("store", None)
    finish = data.get("finish") or {}
    for part in (finish, finish.get("codes") or {}):
        for key in part.keys() & set(_CODE_KEYS.split("|")):
            part[key] = _hidden(codes, part[key]) if part[key] else part[key]
    return data


def _data(text: str) -> Any:
    with TemporaryDirectory(prefix="textassay-") as temporary:
        path = Path(temporary) / STUDY_FILE
        write_text(path, text)
        return read_yaml(path, STUDY_FILE).data


# --- what they answered -----------------------------------------------------------------------------------------------


def write_answers(study: Study, folder: Path) -> tuple[str, ...]:
    """Write the tables as an export has them; returns what a reader must know of the answers."""
    tables = {f"{name}.csv" for name in schemas(study)}
    scores = study.directory / IMPORTED_FOLDER / f"{SCORES.name}.csv"
    if scores.is_file():
        (folder / IMPORTED_FOLDER).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(scores, folder / IMPORTED_FOLDER / scores.name)
    with existing_store(study) as store:
        source = (stored_plan(study), store) if store is not None else None
        for name, lines in export_files(study, source, withdrawn=False).items():
            write_lines(folder / (IMPORTED_FOLDER if name in tables else ".") / name, lines())
        return answer_warnings(study, store, imported_tables(study))


# --- what it is -------------------------------------------------------------------------------------------------------


def _about(study: Study, versions: Mapping[str, str], warnings: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": KIND,
        "format": FORMAT,
        "title": study.file.title,
        "versions": dict(versions),
        "machine": f"{platform.system()} {platform.machine()}",
        "warnings": list(warnings),
        "other_studies": [
            other for rule in study.rules if isinstance(rule, TookPartElsewhere) for other in rule.known_studies(study)
        ],
    }


def _readme(study: Study, folder: Path, versions: Mapping[str, str]) -> str:
    template = files("textassay.sharing").joinpath("README.txt").read_text(encoding="utf-8")
    title, name = " ".join(study.file.title.split()), file_name(study.file.title)
    listed = "\n".join(_listed(study, folder))
    line, version = "=" * len(title), textassay.__version__
    used = " ".join(f"{each}=={versions[each]}" for each in _COMPUTES if each in versions)
    return template.format(title=title, line=line, version=version, name=name, versions=used, files=listed)


def _listed(study: Study, folder: Path) -> Iterator[str]:
    shown = (str(name) for block in study.blocks for name in block.task.media())
    own = sorted({f"{path.partition('/')[0]}/" if "/" in path else path for path in (*study.files, *shown)})
    described = {
        PAGE: "the report: open it in a browser",
        f"{REPORT_FOLDER}/": "its tables and figures as files",
        RESULTS: "every number of the report at full precision (NaN: undefined)",
        STUDY_FILE: "the study: questions, design, screening, analysis",
        **dict.fromkeys(own, "what the study file names"),
        study.plan_path.name: "who was to see what, in which order",
        f"{IMPORTED_FOLDER}/": "the answers: one table of participants, one or two for each kind of trial",
        "answers-revisions.jsonl": "every answer as it was sent, also those that were changed later",
        "codebook.md": "what each column means (codebook.csv: the same for programs)",
        "scores.csv": "automatic scores of the texts",
        **{path.name: what for pattern, what in BESIDE.items() for path in sorted(folder.glob(pattern))},
        study.simulated_path.name: "a note that participants were SIMULATED",
        study.bundle_path.name: "versions of the programs that made this",
        CHECKSUMS: "checksums of all other files",
    }
    width = max(map(len, described))
    for name, about in described.items():
        if (folder / name).exists() or name == CHECKSUMS:
            yield f"  {name.ljust(width)}  {about}"
