"""Make the reference pages and the schema of the study file from the code: `python docs/make_reference.py`.

A test sees that they are up to date.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from textassay import catalogue
from textassay.study import SCHEMA_FILE
from textassay.study.interface_messages import interface_languages, shipped_messages
from textassay.study.model import StudyFile
from textassay.study.schema import schema_text
from textassay.tables.schema import TABLES, TableSchema
from textassay.tables.writer import write_text

FOLDER = Path(__file__).parent / "reference"
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


def pages() -> dict[str, str]:
    """Each page's name and text."""
    made = {
        "study-file": study_file,
        "messages": messages,
        "tables": tables,
        "screening": screening,
        "metrics": metrics,
        "statistics": statistics,
    }
    return {f"{name}.md": MADE + "\n".join(page()).rstrip() + "\n" for name, page in made.items()}


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
    yield "and in `textassay.metrics.score`.\n"
    yield "| metric | what it is | scale | better |\n|---|---|---|---|"
    for name in catalogue.names("metric"):
        metric = catalogue.find("metric", name)
        low, high = (f"{limit:g}".replace("inf", "∞") for limit in metric.scale)
        better = "high" if metric.higher_is_better else "low"
        if metric.best is not None:
            better = f"near {metric.best:g}"
        yield f"| `{name}` | {_first_line(metric)} | {low} to {high} | {better} |"
    for name in catalogue.names("metric"):
        yield f"\n## `{name}`\n\n{inspect.getdoc(catalogue.find('metric', name))}"


def statistics() -> Iterator[str]:
    """Every statistic: what it is for, the R call that gives the same, an example, and the details."""
    yield "# Statistics\n\nIn `textassay.stats`: arrays in, frozen results out. Each has its purpose, the R call that"
    yield "gives the same, and an example; its numbers are compared with those of other programs in `tests/golden/`.\n"
    yield "```python\nimport textassay as ta\n\nta.stats.mean_interval([1, 2, 3, 4, 5])\n```\n"
    articles = {name: statistic_article(name) for name in catalogue.names("statistic")}
    yield "| statistic | for what |\n|---|---|"
    for name, article in articles.items():
        yield f"| [`{name}`](#{name}) | {_capitalised(article['Purpose'])} |"
    for name, article in articles.items():
        yield f"\n## `{name}`\n\n{article['summary']}\n"
        yield f"**For what:** {_capitalised(article['Purpose'])}\n"
        yield f"**In R:** {article['R']}\n"
        numpy = ">>> import numpy as np\n" if "np." in article["Example"] else ""
        yield f"```pycon\n{numpy}>>> from textassay.stats import {name}\n{article['Example']}\n```\n"
        signature = inspect.signature(catalogue.find("statistic", name))
        yield f"```text\n{name}{signature}\n\n{article['details']}\n```"


def statistic_article(name: str) -> dict[str, str]:
    """A statistic's docstring in its parts: summary, `Purpose`, `R`, `Example`, and all the rest as details."""
    text = inspect.getdoc(catalogue.find("statistic", name)) or ""
    summary, *paragraphs = text.split("\n\n")
    found, details = {"summary": summary}, []
    for paragraph in paragraphs:
        key, _, rest = paragraph.partition(":")
        if key in ("Purpose", "R", "Example"):
            lines = textwrap.dedent(rest.lstrip("\n")).strip()
            found[key] = lines if key == "Example" else " ".join(lines.split())
        else:
            details.append(paragraph)
    return found | {"details": "\n\n".join(details)}


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _model(model: type[BaseModel], prefix: str) -> Iterator[str]:
    """A model's keys as a table, followed into the models inside it."""
    rows = list(_rows(model.model_json_schema(by_alias=True), prefix))
    if not rows:
        yield "It has no settings."
        return
    yield "| key | holds | default | what it is |\n|---|---|---|---|"
    yield from rows


def _rows(schema: dict[str, Any], prefix: str) -> Iterator[str]:
    definitions = schema.get("$defs", {})

    def resolved(here: dict[str, Any]) -> dict[str, Any]:
        return definitions[here["$ref"].rsplit("/", 1)[-1]] if "$ref" in here else here

    def walk(here: dict[str, Any], path: str) -> Iterator[str]:
        for key, value in here.get("properties", {}).items():
            needed = key in here.get("required", [])
            options = value.get("anyOf") or value.get("oneOf") or [value]
            options = [part for part in options if part.get("type") != "null"]
            kinds = " or ".join(dict.fromkeys(_kind(option, resolved) for option in options))
            default = "needed" if needed else _shown(value.get("default"))
            description = value.get("description") or resolved(options[0]).get("description", "")
            yield f"| `{path}{key}` | {kinds} | {default} | {' '.join(description.split())} |"
            for option in options:
                inner = resolved(option)
                if inner.get("type") == "array":
                    for part in inner["items"].get("oneOf", [inner["items"]]):
                        yield from walk(resolved(part), f"{path}{key}[].")
                else:
                    yield from walk(inner, f"{path}{key}.")

    yield from walk(schema, prefix)


def _kind(here: dict[str, Any], resolved: Any) -> str:
    here = resolved(here)
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
    return names.get(here.get("type", ""), "mapping")


def _shown(default: Any) -> str:
    if default is None or default in ({}, []):
        return ""
    if isinstance(default, dict):
        return "as below"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split("\n\n")[0]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    write_text(SCHEMA_FILE, schema_text())
