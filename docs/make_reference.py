"""Make the reference pages and the schema of the study file from the code: `python docs/make_reference.py`.

A test sees that they are up to date.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclopts import App
from pydantic import BaseModel

from textassay import catalogue, cli, ready_studies
from textassay.catalogue_entries import SettingInfo, entry, literal_values, statistic_article
from textassay.study import SCHEMA_FILE
from textassay.study.interface_messages import interface_languages, shipped_messages
from textassay.study.model import StudyFile
from textassay.study.schema import schema_text
from textassay.tables.schema import TABLES, TableSchema
from textassay.tables.writer import write_text

FOLDER = Path(__file__).parent / "reference"
KINDS = Path(__file__).parent / "kinds-of-trial.md"
_STUDY_FILE = re.compile(
    r"(?P<head><!-- study file: (?P<name>[\w-]+) -->\n)```yaml\n.*?^```\n", re.DOTALL | re.MULTILINE
)
MADE = "<!-- Made by docs/make_reference.py; change the code, not this page. -->\n"


_MESSAGES = """# Messages of the pages

Words that participants see beside those of the study. To change some, or to give a language that is not shipped, write
them into a file of the study directory and name it in the study file:

```yaml
# study.yaml
language: cs
messages: cestina.yaml
```

```yaml
# cestina.yaml
page.next: Pokračovat
start.minutes:
  one: Účast trvá asi {{n}} minutu.
  few: Účast trvá asi {{n}} minuty.
  other: Účast trvá asi {{n}} minut.
```

What the file does not give stays as it is shipped, in English where the language is not; `textassay check` says what is
missing. Shipped are: {shipped}. Words of one block only, such as the title of its context, are `labels` of that block.
"""


_FORMULAS = """## Cells that begin like a formula

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break for a formula, and a participant
can write one. In every CSV or TSV file that textassay writes (but for the texts of a new study, which are your own),
such a text has a mark in front: an apostrophe and the invisible character U+2060. Numbers, and a sign by itself, have
none. Every command that reads tables removes the mark, also from a file that a spreadsheet has saved, so that texts
come back as they were. A text of your own that begins with an apostrophe, even `'=`, is not touched, since it lacks the
invisible character. JSON lines and Parquet have no marks. In other programs remove the two characters:
`sub("^'\\u2060", "", x)` in R, `x.str.removeprefix("'\\u2060")` in pandas.
"""


def pages() -> dict[str, str]:
    """Each page's name and text."""
    made = {
        "commands": commands,
        "study-file": study_file,
        "messages": messages,
        "tables": tables,
        "screening": screening,
        "metrics": metrics,
        "statistics": statistics,
    }
    return {f"{name}.md": MADE + "\n".join(page()).rstrip() + "\n" for name, page in made.items()}


def with_study_files(text: str) -> str:
    """A page with the study files of templates below the comments that name them, as they are shipped."""

    def shown(block: re.Match[str]) -> str:
        _, _, study = (ready_studies.folder(block["name"]) / "study.yaml").read_text(encoding="utf-8").partition("\n")
        return f"{block['head']}```yaml\n{study}```\n"

    return _STUDY_FILE.sub(shown, text)


def commands() -> Iterator[str]:
    """Every command with its options."""
    yield "# Commands\n\n`textassay COMMAND --help` says the same. STUDY is the directory of a study.\n"
    app = cli.application()
    parts = {name: app[name] for group in cli.COMMANDS.values() for name in group}
    for title, group in cli.COMMANDS.items():
        yield f"| {title.lower()} | what it does |\n|---|---|"
        yield from (f"| [`{name}`](#textassay-{name}) | {parts[name].help} |" for name in group)
        yield ""
    for name, part in parts.items():
        yield f"\n## `textassay {name}`\n"
        yield from _command(part)


def _command(part: App) -> Iterator[str]:
    if part.default_command is None:
        yield f"{part.help}\n"
        for name in part:
            if not name.startswith("-"):
                yield f"\n### `textassay {part.name[0]} {name}`\n"
                yield from _command(part[name])
        return
    yield f"{_first_line(part.default_command)}\n"
    rows = list(_options(part))
    yield from (
        ("| option | holds | default | what it is |\n|---|---|---|---|", *rows) if rows else ("It has no options.",)
    )


def _options(part: App) -> Iterator[str]:
    for argument in part.assemble_argument_collection(parse_docstring=True):
        names = [name for name in argument.names if name != "*"]
        if not names:  # a group of options, which follow by themselves
            continue
        positional = argument.index is not None or argument.field_info.kind is inspect.Parameter.VAR_POSITIONAL
        shown = [names[0].removeprefix("--").upper()] if positional else names
        default = argument.field_info.default
        needed = argument.required or default is inspect.Parameter.empty
        description = " ".join((argument.parameter.help or "").split())
        choices = [f"`{choice}`" for choice in argument.get_choices() or ()]
        holds = " or ".join(choices) or _type(argument.hint)
        usual = "needed" if needed else _shown(default or None)  # a flag is off
        yield f"| {', '.join(f'`{name}`' for name in shown)} | {holds} | {usual} | {description} |"


def _type(hint: Any) -> str:
    """A parameter's type in words; a flag holds nothing."""
    words = {"Path": "path", "int": "whole number", "float": "number", "str": "text", "bool": "flag"}
    found = re.findall(r"\b(Path|int|float|str|bool)\b", str(hint))
    several = re.match(r"<class|\w", str(hint)) and re.search(r"list\[|tuple\[|Sequence\[", str(hint))
    return (words[found[0]] if found else "text") + ("s" if several else "")


def study_file() -> Iterator[str]:
    """Every key of the study file."""
    yield "# The study file\n\n`study.yaml`, in YAML. Every key, from the top down.\n"
    yield from _model(StudyFile, "")
    yield "\n# Blocks\n"
    for name in catalogue.names("task"):
        task = catalogue.find("task", name)
        yield f"\n## `task: {name}` — {task.title}\n\n{_first_line(task)}\n"
        yield from _model(task.Settings, "")
        for key, table in task.block_tables.items():
            yield f"\nThe table `{key}`: {table.description}.\n"
            yield from _columns(table)


def messages() -> Iterator[str]:
    """Every message that participants can see."""
    yield _MESSAGES.format(shipped=", ".join(interface_languages()))
    yield "| message | English |\n|---|---|"
    tasks = [catalogue.find("task", name) for name in catalogue.names("task")]
    for key, text in shipped_messages(tasks).items():
        words = text if isinstance(text, str) else " · ".join(f"*{form}*: {each}" for form, each in text.items())
        yield f"| `{key}` | {words} |"


def tables() -> Iterator[str]:
    """Every column of every table."""
    yield "# The tables\n\nLong tables, one row per fact, as CSV, TSV, JSON lines, JSON, Excel (.xlsx) or Parquet."
    yield "Further columns are kept as they are.\n"
    yield _FORMULAS
    own = {task.schema.name: task.schema for task in (catalogue.find("task", name) for name in catalogue.names("task"))}
    for table in {**TABLES, **own}.values():
        yield f"\n## `{table.name}`\n\n{table.description[0].upper()}{table.description[1:]}.\n"
        yield from _columns(table)


def _columns(table: TableSchema) -> Iterator[str]:
    yield "| column | holds | needed | what it is |\n|---|---|---|---|"
    for column in table.columns:
        personal = " Personal: exported only when asked for." if column.personal else ""
        needed = "yes" if column.required else ""
        yield f"| `{column.name}` | {column.kind} | {needed} | {column.description}.{personal} |"


def screening() -> Iterator[str]:
    """Every screening rule with its settings."""
    yield "# Screening rules\n\nUnder `screening:` in the study file."
    yield "A participant who breaks a rule is excluded with the reason; no answer is ever deleted.\n"
    for name in catalogue.names("screening"):
        rule = catalogue.find("screening", name)
        yield f"\n## `{name}`\n\n{_first_line(rule)}\n"
        yield from _model(rule, "")


def metrics() -> Iterator[str]:
    """Every metric."""
    yield "# Metrics\n\nUnder `metrics:` in the study file, with `-m` on the command line,"
    yield "and in `textassay.metrics.score`. Settings follow the name: `-m bleu:lowercase=yes,max_order=2`, which takes"
    yield "`yes` and `no` for true and false. `textassay list metrics NAME` shows the same as this page.\n"
    yield "| metric | what it is | scale | better |\n|---|---|---|---|"
    for name in catalogue.names("metric"):
        metric = catalogue.find("metric", name)
        low, high = (f"{limit:g}".replace("inf", "∞") for limit in metric.scale)
        better = "high" if metric.higher_is_better else "low"
        if metric.best is not None:
            better = f"near {metric.best:g}"
        yield f"| `{name}` | {_first_line(metric)} | {low} to {high} | {better} |"
    for name in catalogue.names("metric"):
        yield f"\n## `{name}`\n\n{_with_fenced_examples(inspect.getdoc(catalogue.find('metric', name)) or '')}\n"
        yield from _settings(entry("metric", name).settings)


def _with_fenced_examples(text: str) -> str:
    """A docstring in which each example stands in a block of its own."""
    parts = text.split("\n\n")
    return "\n\n".join(f"```pycon\n{part}\n```" if part.startswith(">>>") else part for part in parts)


def _settings(settings: tuple[SettingInfo, ...]) -> Iterator[str]:
    """A metric's settings as a table."""
    if not settings:
        yield "It has no settings."
        return
    yield "| setting | values | default | what it is |\n|---|---|---|---|"
    words = {"yes": "true", "no": "false"}  # as Python and the study file have them
    for each in settings:
        holds = " or ".join(f"`{words.get(value, value)}`" for value in each.values) or each.holds
        default = each.default if each.unset else f"`{words.get(each.default or '', each.default)}`"
        yield f"| `{each.name}` | {holds} | {default} | {each.meaning} |"


def statistics() -> Iterator[str]:
    """Every statistic: what it is for, the R call that gives the same, an example, and the details."""
    yield "# Statistics\n\nIn `textassay.stats`: arrays in, frozen results out. Each has its purpose, the R call that"
    yield "gives the same, and an example; its numbers are compared with those of other programs in `tests/golden/`.\n"
    yield "```python\nimport textassay as ta\n\nta.stats.mean_interval([1, 2, 3, 4, 5])\n```\n"
    articles = {name: statistic_article(catalogue.find("statistic", name)) for name in catalogue.names("statistic")}
    yield "| statistic | for what |\n|---|---|"
    for name, article in articles.items():
        yield f"| [`{name}`](#{name}) | {_capitalised(article['Purpose'])} |"
    for name, article in articles.items():
        yield f"\n## `{name}`\n\n{article['summary']}\n"
        yield f"**For what:** {_capitalised(article['Purpose'])}\n"
        yield f"**In R:** {article['R']}\n"
        numpy = ">>> import numpy as np\n" if "np." in article["Example"] else ""
        yield f"```pycon\n{numpy}>>> from textassay.stats import {name}\n{article['Example']}\n```\n"
        yield from _parameters(name, article["Args"])
        yield f"\n```text\n{article['details']}\n```"


def _parameters(name: str, described: str) -> Iterator[str]:
    """The parameters of a statistic as a table: what they take, their defaults, what they are."""
    function = catalogue.find("statistic", name)
    words = re.split(r"(?m)^(\*{0,2}\w+): ", described)
    meanings = {key.lstrip("*"): " ".join(text.split()) for key, text in zip(words[1::2], words[2::2], strict=True)}
    yield "| parameter | takes | default | what it is |\n|---|---|---|---|"
    for each in inspect.signature(function).parameters.values():
        takes = _annotation(str(each.annotation), function.__globals__)
        default = "needed" if each.default is each.empty else _shown(each.default)
        yield f"| `{each.name}` | {takes} | {default} | {meanings.get(each.name, '')} |"


def _annotation(annotation: str, names: dict[str, Any]) -> str:
    """A type as written, or the values that can be chosen."""
    parts = literal_values(annotation, names) or [part for part in annotation.split(" | ") if part != "None"]
    return " or ".join(f"`{part.replace('npt.', '')}`" for part in parts)


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _model(model: type[BaseModel], prefix: str) -> Iterator[str]:
    """A model's keys as a table, followed into the models inside it."""
    schema = model.model_json_schema(by_alias=True)
    rows = list(SchemaRows(schema.get("$defs", {})).walk(schema, prefix))
    if not rows:
        yield "It has no settings."
        return
    yield "| key | holds | default | what it is |\n|---|---|---|---|"
    yield from rows


class SchemaRows:
    """The keys of a JSON schema as rows of a table."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions

    def resolved(self, here: dict[str, Any]) -> dict[str, Any]:
        """What a reference refers to."""
        return self.definitions[here["$ref"].rsplit("/", 1)[-1]] if "$ref" in here else here

    def walk(self, here: dict[str, Any], path: str, when: str = "") -> Iterator[str]:
        """The keys of a mapping and of what is inside it; `when` says in which case it has them."""
        for key, value in here.get("properties", {}).items():
            needed = key in here.get("required", [])
            options = value.get("anyOf") or value.get("oneOf") or [value]
            options = [part for part in options if part.get("type") != "null"]
            default = "needed" if needed else _shown(value.get("default"))
            description = value.get("description") or self.resolved(options[0]).get("description", "")
            kinds = " or ".join(dict.fromkeys(_kind(self.resolved(option)) for option in options))
            yield f"| `{path}{key}` | {kinds} | {default} | {when}{' '.join(description.split())} |"
            for inner in map(self.resolved, options):
                if inner.get("type") == "array":
                    yield from self.entries(inner["items"], f"{path}{key}[].")
                else:
                    yield from self.walk(inner, f"{path}{key}.")

    def entries(self, items: dict[str, Any], path: str) -> Iterator[str]:
        """The keys of a list's entries: those that all types of entries have, then those of each type."""
        kinds = [self.resolved(part) for part in items.get("oneOf", [items])]
        if len(kinds) == 1:
            yield from self.walk(kinds[0], path)
            return
        types = [kind["properties"]["type"]["const"] for kind in kinds]
        yield f"| `{path}type` | {' or '.join(f'`{name}`' for name in types)} | needed | Which type it is. |"
        rows = [list(self.walk(kind, path)) for kind in kinds]
        shared = set(rows[0]).intersection(*rows)
        yield from (row for row in rows[0] if row in shared)
        for name, kind, plain in zip(types, kinds, rows, strict=True):
            said = self.walk(kind, path, f"With `type: {name}`. ")
            own = zip(plain, said, strict=True)
            yield from (row for bare, row in own if bare not in shared and not bare.startswith(f"| `{path}type`"))


def _kind(here: dict[str, Any]) -> str:
    """What a key holds, in words."""
    if "enum" in here:
        return " or ".join(f"`{value}`" for value in here["enum"])
    if "const" in here:
        return f"`{here['const']}`"
    names = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
        "array": "list",
    }
    limits = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
    said = [f"{words} {here[limit]:,}" for limit, words in limits.items() if limit in here]
    return ", ".join([names.get(here.get("type", ""), "mapping"), *said])


def _shown(default: Any) -> str:
    if default is None or default in ({}, [], (), ""):
        return ""
    if isinstance(default, dict):
        return "as below"
    if isinstance(default, tuple):
        return ", ".join(f"`{value}`" for value in default)
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split("\n\n")[0]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    KINDS.write_text(with_study_files(KINDS.read_text(encoding="utf-8")), encoding="utf-8")
    write_text(SCHEMA_FILE, schema_text())
