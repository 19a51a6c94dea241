"""The examples in README.md and docs/ are run, and what they show is what comes out.

How a page is written:

- A `python` block is run; a `text` block straight after it shows what it prints. A block with `>>>` is run as a
  doctest. The blocks of a page share their names, and one empty folder in which they run.
- In a `console` block a line `$ textassay …` is run and the lines below it are what it prints; none shown, none
  compared. Other commands are not run, so they stand in a block that says so. A line may go on after a backslash.
  The first command of a page runs as a program of its own, the others in this process, which saves their start.
- `...` stands for any text, as in a doctest.
- A figure that lies halfway between two roundings is refused: another processor would show another digit.
- A comment before a block says what is special about it:
  `<!-- not run: the reason -->`, `<!-- exits: 1 -->` (the block's last command), `<!-- file: study/study.yaml -->`
  (the block is written to that file, so that later blocks can use it), `<!-- edits: study/study.yaml -->` (in that
  file, the lines with a minus become those with a plus), `<!-- serves: 3 people take part -->` (the one
  command of the block serves a study until they have answered all its pages).
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from analysed_once import analysed_once
from markdown_it import MarkdownIt
from steady_digits import refuse_ties, steady_round
from svg_only import svg_only
from taking_part import serving_program, take_part

from textassay import ready_studies

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELLS = {"bash", "console", "sh", "shell"}
COMMENT = re.compile(r"<!--\s*(?P<word>not run|exits|file|edits|serves):(?P<value>.*?)-->", re.DOTALL)
ANY_TEXT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 300
TERMINAL = {"NO_COLOR": "1", "COLUMNS": "120"}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    language: str
    text: str
    note: dict[str, str]
    """What the comment before it says."""
    shown: str | None = None
    """The text of the `text` block straight after a `python` block."""


@dataclass
class Example:
    """One page being run."""

    page: Path
    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__", "round": steady_round})
    started: bool = False
    """Whether a command of the page has run as a program of its own."""

    def run(self) -> None:
        with svg_only(), analysed_once():
            for block in blocks(self.page.read_text(encoding="utf-8")):
                self.run_block(block)

    def run_block(self, block: Block) -> None:
        where = f"{self.page.name}:{block.line}"
        if "not run" in block.note:
            assert block.note["not run"], f"{where}: a block that is not run needs a reason"
        elif "file" in block.note:
            path = self.folder / block.note["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif "edits" in block.note:
            edit(self.folder / block.note["edits"], block.text, where)
        elif "serves" in block.note:
            self.run_serving(block, where)
        elif block.language in SHELLS:
            assert block.language == "console", f"{where}: write `console` instead of `{block.language}`"
            self.run_console(block, where)
        elif block.language in {"python", "pycon"}:
            self.run_python(block, where)

    def run_python(self, block: Block, where: str) -> None:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), steady():
            if re.match(r"\s*>>>", block.text):
                example = doctest.DocTestParser().get_doctest(block.text, self.names, where, where, 0)
                runner = doctest.DocTestRunner(optionflags=ANY_TEXT)
                failed = runner.run(example, out=printed.write, clear_globs=False).failed
                self.names.update(example.globs)
                assert not failed, f"{where}: {printed.getvalue()}"
                return
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, where, "exec"), self.names)
        if block.shown is not None:
            compare(block.shown, printed.getvalue(), where)

    def run_serving(self, block: Block, where: str) -> None:
        ((command, shown),) = commands(block.text)
        _, _, study = words = shlex.split(command, comments=True)
        with serving_program(program_and_arguments(words), self.folder, program_environment()) as printed:
            compare(shown, printed, f"{where}: {command}")
            take_part(self.folder / study, printed, int(block.note["serves"].split()[0]))

    def run_console(self, block: Block, where: str) -> None:
        parts = list(commands(block.text))
        assert parts, f"{where}: no line starts with `$ `"
        for number, (command, shown) in enumerate(parts, start=1):
            words = shlex.split(command, comments=True)
            assert words[0] == "textassay", f"{where}: `{words[0]}` is not run here; say why: <!-- not run: … -->"
            expected = int(block.note.get("exits", "0")) if number == len(parts) else 0
            compared = shown.strip() not in ("", "...")
            with steady() if compared else contextlib.nullcontext():
                code, printed = (run_here if self.started else run_program)(words, self.folder)
            self.started = True
            assert code == expected, f"{where}: `{command}` exits {code}, not {expected}, and prints:\n{printed}"
            if compared:
                compare(shown, printed, f"{where}: {command}")


@contextlib.contextmanager
def steady() -> Iterator[None]:
    """Refuse figures that another processor might round otherwise; for what a page shows."""
    with pytest.MonkeyPatch.context() as patch:
        refuse_ties(patch)
        yield


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, each with the comment and the output that belong to it."""
    tokens = [token for token in MarkdownIt("commonmark").parse(text) if not token.type.endswith("_close")]
    for number, token in enumerate(tokens):
        if token.type != "fence" or token.map is None:
            continue
        before = tokens[number - 1].content if number and tokens[number - 1].type == "html_block" else ""
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        shown = after.content if after is not None and after.type == "fence" and after.info.strip() == "text" else None
        note = {match["word"]: match["value"].strip() for match in COMMENT.finditer(before)}
        yield Block(token.map[0] + 1, token.info.strip().partition(" ")[0], token.content, note, shown)


def edit(path: Path, change: str, where: str) -> None:
    """Replace the lines with a minus by those with a plus."""
    old, new = ("".join(line[1:] for line in change.splitlines(keepends=True) if line[0] == sign) for sign in "-+")
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{where}: {path.name} has these lines {text.count(old)} times:\n{old}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output shown."""
    joined = re.sub(r"\\\n(?:> )?\s*", "", text)
    for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def program_and_arguments(words: list[str]) -> list[str]:
    """A command with the path of its program in this environment."""
    scripts = sysconfig.get_path("scripts")
    program = shutil.which(words[0], path=scripts)
    assert program is not None, f"{words[0]} is not installed in {scripts}"
    return [program, *words[1:]]


def program_environment() -> dict[str, str]:
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "PYTHONUTF8": "1", **TERMINAL}


def run_program(words: list[str], folder: Path) -> tuple[int, str]:
    """Run a command of this environment; its exit code and all that it prints."""
    done = subprocess.run(
        program_and_arguments(words), cwd=folder, env=program_environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=SECONDS, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def run_here(words: list[str], folder: Path) -> tuple[int, str]:
    """Run a command in this process; its exit code and all that it prints."""
    from textassay import cli

    printed = io.StringIO()
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        for name, value in TERMINAL.items():
            patch.setenv(name, value)
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = cli.run(words[1:])
    return code, printed.getvalue()


def compare(shown: str, printed: str, where: str) -> None:
    """Fail unless the output is as shown."""
    if not doctest.OutputChecker().check_output(shown, printed, ANY_TEXT):
        pytest.fail(f"{where}\n--- the page shows\n{shown}\n--- it prints\n{printed}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_of_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTASSAY_BROWSER", str(tmp_path / "gone"))  # reports have pictures in tests/browser/
    Example(page, tmp_path).run()


# --- the runner's own tests: a wrong page must fail -----------------------------------------------------------------


def page_of(tmp_path: Path, text: str) -> Example:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    return Example(page, folder)


@pytest.mark.parametrize(
    "text",
    [
        "no block at all",
        "```python\nx = 2\n```\nThen\n```python\nprint(x * 21)\n```\nprints\n\n",
        "```python\nprint(6 * 7)\n```\n\n```text\n42\n```\n",
        "```python\nprint('about', 6 / 7)\n```\n```text\nabout 0.857...\n```\n",
        "```python\n>>> x = 6\n>>> x * 7\n42\n```\n```python\nassert x == 6\n```\n",
        "- in a list\n\n  ```python\n  print(1)\n  ```\n  ```text\n  1\n  ```\n",
        "<!-- not run: it needs an hour -->\n```bash\nmake coffee\n```\n",
        "<!-- file: a/b -->\n```yaml\nx: 1\n```\n\n```python\nimport os\nassert os.listdir('a') == ['b']\n```\n",
        "```yaml\nformat: 1\n```\n",
        "<!-- file: a -->\n```\nx\n```\n<!-- edits: a -->\n```diff\n-x\n+z\n```\n<!-- edits: a -->\n```diff\n-z\n```",
    ],
)
def test_right_page_passes(tmp_path: Path, text: str) -> None:
    page_of(tmp_path, text).run()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```python\nprint(6 * 7)\n```\n```text\n43\n```\n", r"(?s)page.md:1\n--- the page shows\n43.*prints\n42"),
        ("text\n\n```python\n>>> 6 * 7\n43\n```\n", r"(?s)page.md:3.*Expected:\s+43\s+Got:\s+42"),
        ("```python\nraise ValueError('seen')\n```\n", "seen"),
        ("```bash\nls\n```\n", "page.md:1: write `console` instead of `bash`"),
        ("```console\n$ rm -rf .\n```\n", "`rm` is not run here"),
        ("```console\ntextassay --help\n```\n", r"no line starts with `\$ `"),
        ("```python\nprint(round(4.875, 2))\n```\n", r"4\.875 shown with 2 decimals rests on its last digit"),
        ("```python\n>>> round(4.875 - 1e-15, 2)\n4.87\n```\n", "rests on its last digit"),
        (
            "```python\nimport pandas as pd\nprint(pd.DataFrame({'x': [1.0, 4.875]}).round(2))\n```\n",
            "rests on its last digit",
        ),
        ("```python\nfrom textassay.results import shown\nprint(shown(2.0625))\n```\n", "2.0625 shown with 3 decimals"),
        ("<!-- file: a -->\n```text\nx\n```\n\n<!-- edits: a -->\n```diff\n-y\n+z\n```\n", "a has these lines 0 times"),
        ("<!-- not run: -->\n```python\n1 / 0\n```\n", "needs a reason"),
        ("<!-- not run: far above -->\n\nText between.\n\n```python\n1 / 0\n```\n", "division by zero"),
    ],
)
def test_wrong_page_fails(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((AssertionError, ArithmeticError, ValueError, pytest.fail.Exception), match=message):
        page_of(tmp_path, text).run()


VERSION = "```console\n$ textassay --version\n...{shown}\n```\n"


def test_console_block_is_run_for_real(tmp_path: Path) -> None:
    from textassay import __version__

    page_of(tmp_path, VERSION.format(shown=__version__)).run()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (VERSION.format(shown="99.9"), r"(?s)the page shows\n...99.9.*it prints"),
        ("```console\n$ textassay no-such-command\n```\n", "exits 2, not 0"),
        ("<!-- exits: 1 -->\n```console\n$ textassay --version\n```\n", "exits 0, not 1"),
    ],
)
def test_console_block_with_wrong_output_fails(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception), match=message):
        page_of(tmp_path, text).run()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_pictures_of_a_page_are_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_gallery_shows_every_ready_study() -> None:
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"^### `([\w-]+)`.*?^!\[.*?\]\(images/gallery/([\w-]+)\.png\)", text, re.MULTILINE | re.DOTALL)
    assert sorted(shown) == [(name, name) for name in ready_studies.names()]


def test_files_that_how_it_works_names_are_there() -> None:
    text = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/-]+\.(?:py|js|html))`", text)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "src" / "textassay" / name).is_file()] == []
    assert len(text.splitlines()) <= 45  # one screen


def test_times_of_comparing_metrics_are_those_that_were_kept() -> None:
    rows = json.loads((ROOT / "benchmarks" / "results" / "meta-growth.json").read_text(encoding="utf-8"))["rows"]
    sizes = [{"systems": 15, "items": 1500, "metrics": 10}, {"systems": 30, "items": 10_000, "metrics": 40}]
    small, large = (next(row for row in rows if size.items() <= row.items()) for size in sizes)
    text = (ROOT / "docs" / "large-studies.md").read_text(encoding="utf-8")
    for step in ("compare", "swap", "permute", "ties"):
        assert f"| {small[step]:.1f} s | {large[step]:.0f} s |" in text
    assert f"| {small['memory']:.1f} GB | {large['memory']:.1f} GB |" in text


def test_commands_of_a_block() -> None:
    text = "$ textassay check study \\\n    --format json\n[]\n$ textassay serve study\n"
    assert list(commands(text)) == [("textassay check study --format json", "[]\n"), ("textassay serve study", "")]
