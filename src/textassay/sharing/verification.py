"""Whether a bundle is as it was made, and whether its results come out again from the answers in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from textassay.answers.import_checks import rules_to_carry
from textassay.answers.imports import imported_tables
from textassay.errors import DataError, ProblemsError, UsageError
from textassay.prose import numbered
from textassay.results import Table
from textassay.sharing.archive import CHECKSUMS, FileChanges, file_changes, read_checksums, unpack
from textassay.sharing.bundle import FORMAT, KIND, RESULTS
from textassay.sharing.comparison import ResultsComparison, compare_results
from textassay.sharing.results_file import results_of, results_text
from textassay.study.load import STUDY_FILE, load_study

if TYPE_CHECKING:
    from textassay.report.summary import Findings
    from textassay.study.study import Study

_ABOUT = "bundle.json"
_NAMED = 3
"""How many files a sentence names."""


@dataclass(frozen=True)
class Bundle:
    """An opened bundle."""

    directory: Path
    """A copy of its files, which may be written to."""
    title: str
    versions: Mapping[str, str]
    machine: str
    changes: FileChanges
    results: Mapping[str, Any]
    """The stored results."""


@dataclass(frozen=True)
class Verification:
    """What came out when a bundle's results were worked out again."""

    title: str
    comparison: ResultsComparison
    changes: FileChanges
    tolerance: float
    versions: tuple[tuple[str, str, str], ...]
    """Program, its version in the bundle and here."""
    carried: Mapping[str, int]
    """Rules whose verdicts were taken from the bundle, with the number of participants that each excluded."""

    @property
    def same(self) -> bool:
        """Whether every file is as it was and every result came out the same."""
        return self.comparison.same and not self.changes

    @property
    def verdict(self) -> str:
        """What was found, in one sentence."""
        found = self.comparison
        differ, total = found.different_numbers, found.numbers
        texts = len(found.differences) - differ
        said = f"{differ:,} of {total:,} numbers differ" if differ else f"All {total:,} numbers came out the same"
        parts = [said]
        if texts:
            parts.append(f"{numbered(texts, 'text')} {'differs' if texts == 1 else 'differ'}")
        if found.unmatched:
            why = f"{len(found.only_stored):,} are only in the bundle and {len(found.only_recomputed):,} only here"
            parts.append(f"{found.unmatched:,} could not be compared because {why}")
        parts += [f"{_files(names)} {state}" for state, names in self._file_states()]
        return "; ".join(parts) + "."

    def _file_states(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        changes = self.changes
        for one, several, names in (
            ("was changed", "were changed", changes.changed),
            ("is missing", "are missing", changes.missing),
            ("was added", "were added", changes.added),
        ):
            if names:
                yield one if len(names) == 1 else several, names

    def notes(self) -> list[str]:
        """What a reader must know to judge the verdict."""
        said = [f"Two numbers are the same if they differ by no more than {self.tolerance:g} of the larger one."]
        if self.carried:
            rules = ", ".join(f"{rule} ({count} excluded)" for rule, count in self.carried.items())
            said.append(
                f"Not worked out again: whom these rules exclude, for they need personal data, which no bundle holds: "
                f"{rules}. Their verdicts are those in the bundle."
            )
        others = [f"{name} {there} there, {here} here" for name, there, here in self.versions if there != here]
        if others:
            reason = "; small differences may come from that" if self.comparison.differences else ""
            said.append(f"Versions differ: {', '.join(others)}{reason}.")
        return said

    def tables(self) -> list[Table]:
        """What differs: files, numbers and texts, values without a counterpart."""
        found = self.comparison
        changed = [
            (name, state)
            for state, names in (
                ("changed", self.changes.changed),
                ("missing", self.changes.missing),
                ("added", self.changes.added),
            )
            for name in names
        ]
        columns = ("analysis", "result", "cell", "stored", "recomputed", "difference", "relative")
        differences = [tuple(each.record()[column] for column in columns) for each in found.differences]
        alone = [(*where, "the bundle") for where in found.only_stored]
        alone += [(*where, "the results worked out here") for where in found.only_recomputed]
        tables = (
            Table("files", "Files that are not as they were bundled", ("file", "state"), tuple(changed)),
            Table("differences", "Results that came out otherwise", columns, tuple(differences)),
            Table("alone", "Results without a counterpart", ("analysis", "result", "cell", "only in"), tuple(alone)),
            Table("versions", "Versions", ("program", "in the bundle", "here"), self.versions),
        )
        return [table for table in tables if table.rows]


def _files(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{numbered(len(names), 'file')} ({', '.join(names[:_NAMED])}{more})"


@contextmanager
def opened_bundle(source: Path) -> Iterator[Bundle]:
    """A bundle, a zip file or an unpacked folder, as a copy that is removed in the end.

    Raises:
        UsageError: there is nothing, or a study that was not bundled.
        DataError: it is no bundle, a damaged one, or one of a later format.
    """
    if not source.exists():
        raise UsageError(f"there is no {source}; give a bundle: the zip file, or the folder that it was unpacked into")
    with TemporaryDirectory(prefix="textassay-verify-") as temporary:
        copy = Path(temporary) / "bundle"
        copy.mkdir()
        folder = source if source.is_dir() else unpack(source, Path(temporary) / "unpacked")
        about = _about(folder, source)
        checksums = read_checksums(folder)
        changes = file_changes(folder, checksums)
        for name in checksums:  # files that were added later do not count
            if (folder / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / name, copy / name)
        yield Bundle(
            copy, str(about["title"]), about["versions"], str(about.get("machine", "")), changes, _results(copy, source)
        )


def _about(folder: Path, source: Path) -> dict[str, Any]:
    """What the bundle says of itself."""
    path = folder / _ABOUT
    if not path.is_file():
        if (folder / STUDY_FILE).is_file() and not (folder / CHECKSUMS).is_file():
            remedy = f"make one with 'textassay bundle {source}'"
            raise UsageError(f"{source} is a study, not a bundle, so there is nothing to compare with; {remedy}")
        raise DataError(f"{source} is no bundle of textassay: there is no {_ABOUT} in it")
    try:
        about = json.loads(path.read_bytes())
        kind, version = about["kind"], about["format"]
        known = kind == KIND and isinstance(version, int) and isinstance(about.get("versions"), dict)
    except (ValueError, LookupError, TypeError):
        known, version = False, 0
    if not known or "title" not in about:
        raise DataError(f"{source} is no bundle of textassay: {_ABOUT} in it says something else")
    if version > FORMAT:
        made = about["versions"].get("textassay", "a newer release")
        raise DataError(
            f"{source} has format {version}, and this release of textassay reads format {FORMAT}; "
            f"install textassay {made} and verify it with that"
        )
    return dict(about)


def _results(copy: Path, source: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((copy / RESULTS).read_bytes()))
    except (OSError, ValueError, TypeError):
        raise DataError(f"{source}: {RESULTS} is missing or damaged, so there is nothing to compare with") from None


def verify_bundle(source: Path, findings: Callable[[Study], Findings], *, tolerance: float) -> Verification:
    """Work out the results of a bundle again and compare them with those that it holds.

    Args:
        source: The zip file, or the folder that it was unpacked into.
        findings: Gives all that comes out of a study.
        tolerance: The largest relative difference that counts as none.

    Raises:
        UsageError: there is nothing to verify.
        DataError: it is no bundle, a damaged one, or its results cannot be worked out.
    """
    with opened_bundle(source) as bundle:
        try:
            study = load_study(bundle.directory)
            found = findings(study)
            rules = rules_to_carry(study, imported_tables(study))
        except (ProblemsError, DataError) as error:
            changed = "; ".join(_lines(bundle.changes))
            said = f"the results cannot be worked out again: {error}"
            raise DataError(f"{said} ({changed})" if changed else said) from None
        excluded = found.summary.participants.reasons
        return _compared(bundle, found, {rule: excluded.get(rule, 0) for rule in rules}, tolerance)


def _compared(bundle: Bundle, found: Findings, carried: Mapping[str, int], tolerance: float) -> Verification:
    here = found.summary.settings.versions
    same_release = bundle.versions.get("textassay") == here.get("textassay")
    recomputed = json.loads(results_text(results_of(found)))
    try:
        compared = compare_results(bundle.results, recomputed, tolerance=tolerance, sentences=same_release)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise DataError(f"{RESULTS} has another form than a bundle's, so it cannot be compared") from None
    names = list(dict.fromkeys([*bundle.versions, *here]))
    versions = tuple((name, str(bundle.versions.get(name, "")), str(here.get(name, ""))) for name in names)
    return Verification(bundle.title, compared, bundle.changes, tolerance, versions, carried)


def _lines(changes: FileChanges) -> Iterator[str]:
    for state, names in (("changed", changes.changed), ("missing", changes.missing)):
        if names:
            yield f"{state} since the bundle was made: {_files(names)}"
