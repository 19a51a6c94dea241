"""The methods in the page, and what lets others redo it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from made_up_results import made_up
from svg_only import svg_only

from textassay.report.page import write_report
from textassay.report.summary import MethodsText, RegistrationSummary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    summary, sections = made_up()
    few = [replace(section, analysis=replace(section.analysis, figures=())) for section in sections]
    with svg_only():
        return write_report(summary, few, tmp_path_factory.mktemp("methods")).parent


def test_methods_can_be_read_copied_and_taken_along(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    section = page[page.index('id="methods-text"') : page.index('id="appendix"')]
    assert "<h3>Material</h3>" in section
    assert "Each was &lt;b&gt;short&lt;/b&gt; &amp; p\xa0&lt;\xa0.001." in section
    assert 'data-copy="methods-text" hidden>' in section  # without its script the button would do nothing
    for ending in ("tex", "bib", "md", "html"):
        assert f'href="report/methods.{ending}"' in section
        assert (folder / "report" / f"methods.{ending}").stat().st_size > 50
    unsaid = "what participants were paid; whether and where the study was registered"
    assert f"A reader will also want to know {unsaid}: only you can say that." in section
    assert "<li>Sture Holm (1979). A simple procedure. Scandinavian Journal 6(2).</li>" in section
    assert "rouge-l|nrefs:1" in section


def test_pages_are_shown_as_participants_saw_them(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    shown = page[page.index('<article class="card shown-page"') :]
    assert "<ul><li>It is <em>safe</em>.</li></ul>" in shown
    assert shown.index("Is English your first language?") < shown.index("yes / no")


def test_key_results_and_main_tables_are_in_the_files_to_paste(folder: Path) -> None:
    for ending in ("tex", "md", "html"):
        text = (folder / "report" / f"methods.{ending}").read_text(encoding="utf-8")
        assert "was rated highest, 5.26." in text
        assert "undefined" in text  # a cell of a table
    assert "<script" not in (folder / "report" / "methods.html").read_text(encoding="utf-8")


def test_every_table_is_listed_with_its_files_and_checksum(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    appendix = page[page.index('id="appendix"') :]
    files = sorted((folder / "report" / "tables").iterdir())
    assert len(files) == 3 * int(re.search(r"All (\d+) tables as files", appendix)[1])  # type: ignore[index]
    sums = dict(line.split("  ")[::-1] for line in (folder / "report/checksums.txt").read_text().splitlines())
    assert sums.pop("../study.yaml") == "ab" * 32
    assert sums.keys() == {f"tables/{path.name}" for path in files}
    for path in files:
        assert f'href="report/tables/{path.name}"' in appendix
        assert sums[f"tables/{path.name}"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert "textassay report weather" in appendix


def test_a_registration_is_part_of_the_methods(tmp_path: Path) -> None:
    summary, _ = made_up()
    registered = replace(summary, registration=RegistrationSummary(("Registered on a day.",), deviates=False))
    page = write_report(registered, [], tmp_path).read_text(encoding="utf-8")
    assert "<h3>Registration</h3>\n      <p>Registered on a day.</p>" in page
    assert "whether and where" not in page
    assert "Registered on a day." in (tmp_path / "report" / "methods.md").read_text(encoding="utf-8")


def test_a_page_without_methods_has_no_empty_card(tmp_path: Path) -> None:
    summary, _ = made_up()
    bare = replace(summary, methods=MethodsText(), pages=(), questionnaire=(), blocks=(), designs=())
    page = write_report(bare, [], tmp_path).read_text(encoding="utf-8")
    assert "data-copy=" not in page[: page.index("<script>")]
    assert ">Methods</h2>" in page
