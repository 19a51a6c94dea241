"""Wrong study files and tables, each with its complete error message: one case a check."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from textassay.catalogue import names
from textassay.errors import StudyError
from textassay.study.load import load_study

STUDY = """\
format: 1
title: Reports
language: en
seed: 7
tables:
  texts: texts.csv
  items: items.csv
  references: references.csv
participants:
  wanted: 4
consent: consent.md
questionnaire:
  - name: native
    question: Is English your first language?
    type: choice
    choices: ["yes", "no"]
    exclude: ["no"]
  - name: age
    question: How old are you?
    type: number
    min: 0
    max: 120
blocks:
  - task: rating
    name: quality
    instructions: instructions.md
    practice: practice.csv
    context: context
    criteria:
      - name: clarity
        question: How clear is the text?
        scale: {from: 1, to: 7, labels: {1: not clear, 7: very clear}}
      - name: fluency
        question: How well does it read?
        scale:
          from: 0
          to: 100
          widget: slider
          labels: {0: badly, 100: well}
    attention_checks:
      - text: Please choose 2 for clarity.
        expected: {clarity: 2}
    design:
      order: random
      repeats: 1
screening:
  questionnaire: {}
  too-fast: {seconds: 1.5}
metrics:
  - metric: rouge-l
analysis: {alpha: 0.05}
finish:
  message: finish.md
"""
"""A sound study; its lines and columns are those in the messages below."""

TABLES = {
    "texts.csv": "item,system,text\ni1,A,One.\ni1,B,Two.\ni2,A,Three.\ni2,B,Four.\n",
    "items.csv": "item,context,picture\ni1,Data 1,map.png\ni2,Data 2,map.png\n",
    "references.csv": "item,text\ni1,A reference.\ni2,Another.\n",
    "practice.csv": "item,text,context\np1,To practise.,Data\n",
    "consent.md": "I agree.\n",
    "instructions.md": "Read, then rate.\n",
    "finish.md": "Thank you.\n",
    "map.png": "(an image)\n",
}

TASKS = ", ".join(names("task"))
RULES = ", ".join(names("screening"))


class Change(NamedTuple):
    """What is done to a file of the sound study."""

    file: str
    old: str | None
    """What is replaced, which stands there once; nothing: the whole file."""
    new: str | bytes | None
    """What takes its place; nothing: the file is removed."""


def study(old: str, new: str) -> Change:
    return Change("study.yaml", old, new)


def table(file: str, old: str, new: str) -> Change:
    return Change(file, old, new)


def whole(file: str, new: str | bytes | None) -> Change:
    return Change(file, None, new)


Case = tuple[str, list[Change], str]
"""Name, what is done to the sound study, and the whole message."""

CHECKS = "    attention_checks:\n      - text: Please choose 2 for clarity.\n        expected: {clarity: 2}\n"
MAIL = "    max: 120\n  - name: email\n    question: Your e-mail address?\n    type: email\n"
SECOND_BLOCK = "  - {task: rating, name: quality, criteria: [{name: truth, question: Is it true?}]}\nscreening:\n"
IMAGE = study("    context: context\n", "    image: picture\n    image_description: context\n")
JSON_LINES = study("references: references.csv", "references: references.jsonl")
LINES = range(2, 52)
UNITS = ("i1,A,u1,One.", "i1,A,,More.", "i1,B,,Two.", "i2,A,,Three.", "i2,B,,Four.")
ALIASES = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 6))

NO_YAML: list[Case] = [
    (
        "empty file",
        [whole("study.yaml", "")],
        "study.yaml:1:1: a mapping of keys to values is needed, got nothing; begin with 'format: 1'",
    ),
    (
        "Latin-1",
        [whole("study.yaml", b"format: 1\ntitle: K\xe4se\n")],
        "study.yaml:2:9: byte 0xE4 is not UTF-8; save the file as UTF-8",
    ),
    (
        "UTF-16",
        [whole("study.yaml", b"\xff\xfef\x00o\x00")],
        "study.yaml:1:1: the file is UTF-16, not UTF-8; save it as UTF-8",
    ),
    (
        "NUL byte",
        [whole("study.yaml", b"format: 1\x00\n")],
        "study.yaml:1:10: a NUL byte; is this a text file? Save it as plain UTF-8 text",
    ),
    (
        "tab",
        [study("  wanted: 4", "\twanted: 4")],
        "study.yaml:10:1: not YAML: a tab where only spaces are allowed; indent with spaces",
    ),
    (
        "colon in a value",
        [study("title: Reports", "title: Reports: a study")],
        (
            "study.yaml:2:15: not YAML: ':' where no key is allowed; "
            "correct the indentation, or put the whole value in quotation marks"
        ),
    ),
    (
        "no colon",
        [study("seed: 7", "seed 7")],
        "study.yaml:4:1: not YAML: this line has no ':' after its key; add it, or indent the line",
    ),
    (
        "indentation",
        [study("  items: items.csv", " items: items.csv")],
        (
            "study.yaml:7:2: not YAML: this does not fit the lines above; "
            "line up what belongs together, close quotation marks"
        ),
    ),
    (
        "open quotation mark",
        [study("title: Reports", "title: 'Reports")],
        "study.yaml:2:8: not YAML: the quotation mark here is never closed; close it",
    ),
    (
        "open bracket",
        [study('choices: ["yes", "no"]', 'choices: ["yes", "no"')],
        "study.yaml:16:14: not YAML: a bracket opened here is not closed; close it",
    ),
    (
        "value begins with an asterisk",
        [study("title: Reports", "title: *Reports*")],
        "study.yaml:2:8: not YAML: a value begins with '*'; put the whole value in quotation marks",
    ),
    (
        "value begins with @",
        [study("consent.md", "@consent.md")],
        (
            "study.yaml:11:10: not YAML: a value cannot begin with this character; "
            "put the whole value in quotation marks"
        ),
    ),
    (
        "two documents",
        [study("seed: 7", "seed: 7\n---")],
        "study.yaml:5:1: not YAML: a second document begins here; remove the line '---'",
    ),
    (
        "backslash in quotation marks",
        [study("title: Reports", 'title: "C:\\data"')],
        "study.yaml:2:12: not YAML: '\\' has a meaning in double quotation marks; write it twice or use single ones",
    ),
    (
        "control character",
        [study("Reports", "Rep\x07orts")],
        "study.yaml:2:11: not YAML: the invisible character U+0007; remove it",
    ),
    (
        "escaped control character",
        [study("title: Reports", 'title: "Rep\\0orts"')],
        "study.yaml:2:8: title: the value contains the invisible character U+0000; remove it",
    ),
    (
        "duplicate key",
        [study("seed: 7", "seed: 7\ntitle: Again")],
        "study.yaml:5:1: key 'title' is already in line 2; keep one of the two",
    ),
    (
        "merging",
        [study("  message: finish.md", "  <<: {message: finish.md}")],
        "study.yaml:53:3: finish: '<<' does not work here; write the keys out",
    ),
    (
        "tag",
        [study("title: Reports", "title: !mine Reports")],
        "study.yaml:2:8: title: the tag !mine is not known; remove it",
    ),
    (
        "key that is a list",
        [study("seed: 7", "[seed]: 7")],
        "study.yaml:4:1: a key must be a word or a number; name the key before ':'",
    ),
    (
        "aliases of aliases",
        [study("seed: 7", ALIASES)],
        "study.yaml:9:1: a5: more than 100000 values, counting aliases; write the study without aliases",
    ),
    (
        "alias of itself",
        [study('    choices: ["yes", "no"]\n    exclude: ["no"]', '    choices: &c ["yes", "no", *c]')],
        "study.yaml:16:14: questionnaire[0].choices[2]: this refers to itself; write the value out",
    ),
    (
        "nested too deeply",
        [whole("study.yaml", "format: " + "[\n" * 5000)],
        "study.yaml:1:1: nested too deeply; a study needs only a few levels",
    ),
    (
        "title without end",
        [whole("study.yaml", "format: 1\ntitle: " + "x" * 20_000_000)],
        (
            "study.yaml: the file has 20 MB, and at most 4 are read; a study file needs a few kB: shorten its values, "
            "and keep texts in tables and pages in files of their own"
        ),
    ),
    (
        "number without end",
        [study("seed: 7", "seed: " + "7" * 5000)],
        (
            "study.yaml:4:7: seed: 777777777777777777777777777777777777777… cannot be read as a number; "
            "write a shorter one, or put it in quotation marks"
        ),
    ),
]

FORM: list[Case] = [
    (
        "newer format",
        [study("format: 1", "format: 2")],
        "study.yaml:1:1: format: this release of textassay reads format 1, got 2; install a newer release",
    ),
    (
        "format in quotation marks",
        [study("format: 1", 'format: "1"')],
        "study.yaml:1:1: format: '1' is not possible here; use 1 without quotation marks",
    ),
    ("missing key", [study("title: Reports\n", "")], "study.yaml:1:1: title: 'title' is missing; add it"),
    (
        "misspelt key",
        [study("title: Reports", "title: Reports\nlangage: en")],
        "study.yaml:3:1: langage: unknown key 'langage'; did you mean 'language'?",
    ),
    (
        "unknown key",
        [study("{alpha: 0.05}", "{alpha: 0.05, tails: 2}")],
        (
            "study.yaml:51:25: analysis.tails: unknown key 'tails'; remove it, or use one of alpha, confidence, "
            "published_tables, smallest_difference"
        ),
    ),
    (
        "number for a text",
        [study("title: Reports", "title: 2026")],
        "study.yaml:2:1: title: a text is needed, got 2026; put it in quotation marks",
    ),
    ("blank text", [study("title: Reports", 'title: " "')], "study.yaml:2:1: title: got ' '; it must not be empty"),
    (
        "nothing for a text",
        [study("title: Reports", "title:")],
        "study.yaml:2:1: title: a text is needed, got nothing; write it after ':'",
    ),
    (
        "no language tag",
        [study("language: en", "language: English")],
        "study.yaml:3:1: language: got 'English'; write a language tag such as en, de or pt-BR",
    ),
    (
        "no address of a proxy",
        [study("seed: 7", "seed: 7\nproxy: [10.0.0.0/8, my-server]")],
        (
            "study.yaml:5:21: proxy[1]: got 'my-server'; "
            "write an IP address or a network, such as 127.0.0.1 or 10.0.0.0/8"
        ),
    ),
    ("seed below 0", [study("seed: 7", "seed: -1")], "study.yaml:4:1: seed: got -1; it must be 0 or more"),
    (
        "seed too large",
        [study("seed: 7", "seed: 9007199254740993")],
        "study.yaml:4:1: seed: got 9007199254740993; it must be 9007199254740991 or less",
    ),
    (
        "number in quotation marks",
        [study("seed: 7", 'seed: "7"')],
        "study.yaml:4:1: seed: a whole number is needed, got '7'; remove the quotation marks",
    ),
    (
        "fraction for a whole number",
        [study("seed: 7", "seed: 7.5")],
        "study.yaml:4:1: seed: a whole number is needed, got 7.5; write one instead",
    ),
    (
        "word for a number",
        [study("max: 120", "max: many")],
        "study.yaml:22:5: questionnaire[1].max: a number is needed, got 'many'; write one instead",
    ),
    (
        "word for true or false",
        [study("  wanted: 4", "  wanted: 4\n  may_go_back: sometimes")],
        "study.yaml:11:3: participants.may_go_back: true or false is needed, got 'sometimes'; write one of the two",
    ),
    (
        "single value for a list",
        [study('exclude: ["no"]', "exclude: no")],
        (
            "study.yaml:17:5: questionnaire[0].exclude: a list is needed, got 'no'; "
            "begin each entry with '- ' on a line of its own"
        ),
    ),
    (
        "list for a mapping",
        [study("participants:\n  wanted: 4", "participants:\n  - wanted: 4")],
        (
            "study.yaml:9:1: participants: a mapping of keys to values is needed, got a list of 1; "
            "remove the '- ' before its keys"
        ),
    ),
    (
        "nothing for a mapping",
        [study("finish:\n  message: finish.md", "finish:")],
        (
            "study.yaml:52:1: finish: a mapping of keys to values is needed, got nothing; "
            "write its keys below it, or {} for none"
        ),
    ),
    (
        "text for a mapping",
        [study("  - task: rating", "  - the rating block\n  - task: rating")],
        (
            "study.yaml:24:5: blocks[0]: a mapping of keys to values is needed, got 'the rating block'; "
            "write its keys below it, each with ':' and its value"
        ),
    ),
    (
        "unknown kind of field",
        [study("type: number", "type: slider")],
        (
            "study.yaml:20:5: questionnaire[1].type: 'slider' is not possible here; "
            "use 'choice', 'number', 'text', 'email'"
        ),
    ),
    (
        "field without a kind",
        [study("    type: number\n", "")],
        "study.yaml:18:5: questionnaire[1].type: 'type' is missing; add one of choice, email, number, text",
    ),
    (
        "no blocks",
        [
            whole(
                "study.yaml", "format: 1\ntitle: T\ntables: {texts: texts.csv}\nparticipants: {wanted: 2}\nblocks: []\n"
            )
        ],
        "study.yaml:5:1: blocks: got a list of 0; add entries: there must be 1 or more",
    ),
    (
        "name with a blank",
        [study("name: quality", "name: text quality")],
        (
            "study.yaml:25:5: blocks[0].name: got 'text quality'; "
            "begin with a letter and use only letters A to Z, digits, '_' and '-'"
        ),
    ),
    (
        "name too long",
        [study("name: quality", "name: q" + "x" * 40)],
        (
            "study.yaml:25:5: blocks[0].name: got 'qxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; "
            "shorten it: at most 40 characters are possible"
        ),
    ),
    (
        "alpha too large",
        [study("alpha: 0.05", "alpha: 5")],
        "study.yaml:51:12: analysis.alpha: got 5; it must be less than 1",
    ),
    (
        "alpha too small",
        [study("alpha: 0.05", "alpha: 0")],
        "study.yaml:51:12: analysis.alpha: got 0; it must be more than 0",
    ),
    (
        "smallest difference as large as the scale",
        [study("{alpha: 0.05}", "{smallest_difference: {clarity: 6}}")],
        (
            "study.yaml:51:34: analysis.smallest_difference.clarity: got 6, but systems can differ by 6 at most; give "
            "the smallest difference that matters"
        ),
    ),
    (
        "tables of metrics without metrics",
        [study("metrics:\n  - metric: rouge-l\nanalysis: {alpha: 0.05}", "analysis: {published_tables: c09}")],
        (
            "study.yaml:49:12: analysis.published_tables: these tables are about metrics, and the study has none; add "
            "'metrics'"
        ),
    ),
    (
        "effect of something that texts do not have",
        [study("finish:\n", "simulate: {effects: {lenght: 0.5}}\nfinish:\n")],
        "study.yaml:52:22: simulate.effects.lenght: there is no property of texts 'lenght'; did you mean 'length'?",
    ),
    (
        "effect of a metric that the study does not score",
        [study("finish:\n", "simulate: {effects: {relevance: 0.5}}\nfinish:\n")],
        "study.yaml:52:22: simulate.effects.relevance: relevance is not among the study's metrics; add it to 'metrics'",
    ),
    (
        "effect of a column of words",
        [
            study("finish:\n", "simulate: {effects: {note: 0.5}}\nfinish:\n"),
            whole("texts.csv", "item,system,text,note\ni1,A,One.,1\ni1,B,Two.,2\ni2,A,Three.,x\ni2,B,Four.,4\n"),
        ],
        (
            "study.yaml:52:22: simulate.effects.note: column 'note' must hold one number per text, but item 'i2', "
            "system 'A' has 'x'; correct the texts table"
        ),
    ),
    (
        "infinite number",
        [study("max: 120", "max: .inf")],
        "study.yaml:22:5: questionnaire[1].max: got inf; it must be a finite number",
    ),
    (
        "wrong choice",
        [study("order: random", "order: latin")],
        "study.yaml:44:7: blocks[0].design.order: 'latin' is not possible here; use 'random', 'williams' or 'fixed'",
    ),
    (
        "label for a word",
        [study("{1: not clear, 7: very clear}", "{low: not clear, 7: very clear}")],
        (
            "study.yaml:32:42: blocks[0].criteria[0].scale.labels.low: a whole number is needed as key, got "
            "'low'; write one instead"
        ),
    ),
    (
        "no task",
        [study("  - task: rating\n    name: quality", "  - name: quality")],
        "study.yaml:24:5: blocks[0].task: 'task' is missing; add it with one of: " + TASKS,
    ),
    (
        "unknown task",
        [study("task: rating", "task: likert")],
        "study.yaml:24:5: blocks[0].task: 'likert' is not a task; use one of: " + TASKS,
    ),
    (
        "scale with one step",
        [study("from: 1, to: 7", "from: 7, to: 7")],
        "study.yaml:32:9: blocks[0].criteria[0].scale: one step only (from 7 to 7); set 'to' above 'from'",
    ),
    (
        "scale downwards",
        [study("from: 1, to: 7", "from: 7, to: 1")],
        "study.yaml:32:9: blocks[0].criteria[0].scale: from 7 to 1 runs downwards; swap the two and the labels",
    ),
    (
        "label outside the scale",
        [study("7: very clear", "7: very clear, 9: perfect")],
        (
            "study.yaml:32:71: blocks[0].criteria[0].scale.labels[9]: a label for 9, which is outside 1 to 7; "
            "correct or remove it"
        ),
    ),
    (
        "too many radio buttons",
        [study("{from: 1, to: 7, labels: {1: not clear, 7: very clear}}", "{from: 1, to: 12}")],
        (
            "study.yaml:32:9: blocks[0].criteria[0].scale: 12 radio buttons do not fit a page (at most 11); "
            "use 'widget: slider'"
        ),
    ),
    (
        "slider without a middle",
        [study("to: 100", "to: 99"), study("{0: badly, 100: well}", "{0: badly, 99: well}")],
        (
            "study.yaml:35:9: blocks[0].criteria[1].scale: a slider from 0 to 99 has no middle; "
            "make the two both even or both odd"
        ),
    ),
    (
        "slider without labels",
        [study("labels: {0: badly, 100: well}", "labels: {100: well}")],
        (
            "study.yaml:35:9: blocks[0].criteria[1].scale: a slider shows no numbers, so both ends need a label; "
            "label 0 and 100"
        ),
    ),
    (
        "neither numbers nor labels",
        [study("labels: {1: not clear, 7: very clear}", "numbers: false")],
        (
            "study.yaml:32:33: blocks[0].criteria[0].scale.numbers: neither numbers nor labels at both ends; "
            "label 1 and 7 or show the numbers"
        ),
    ),
]

BETWEEN: list[Case] = [
    (
        "no number of participants",
        [study("  wanted: 4", "  may_go_back: true")],
        (
            "study.yaml:9:1: participants.wanted: 'wanted' is missing; "
            "add how many participants are to complete the study"
        ),
    ),
    (
        "number beside cohorts",
        [study("  wanted: 4", "  wanted: 4\n  cohorts:\n    - {name: lay, wanted: 2}")],
        (
            "study.yaml:10:3: participants.wanted: got 4, but each cohort has its own number; "
            "remove 'wanted' or the cohorts"
        ),
    ),
    (
        "id parameter beside a platform",
        [study("  wanted: 4", "  wanted: 4\n  platform: mturk\n  id_parameter: pid")],
        (
            "study.yaml:12:3: participants.id_parameter: got 'pid', but mturk has its own parameters; "
            "remove one of the two"
        ),
    ),
    (
        "code of those who complete twice",
        [study("  message: finish.md", "  completion_code: A1\n  codes: {completed: A2}")],
        ("study.yaml:54:11: finish.codes.completed: 'completion_code' is the same code; remove one of the two"),
    ),
    (
        "Prolific without a code",
        [study("  wanted: 4", "  wanted: 4\n  platform: prolific")],
        (
            "study.yaml:53:1: finish.codes.completed: 'completed' is missing: prolific needs a code; "
            "copy it from the study's page there, or remove participants.platform"
        ),
    ),
    (
        "one code for two ends",
        [study("  message: finish.md", "  completion_code: A1\n  codes: {no_consent: A1}")],
        (
            "study.yaml:54:11: finish.codes.no_consent: got 'A1', which is also the code for 'completed'; "
            "use another one"
        ),
    ),
    (
        "cohort twice",
        [study("  wanted: 4", "  cohorts:\n    - {name: lay, wanted: 2}\n    - {name: lay, wanted: 4}")],
        "study.yaml:12:8: participants.cohorts[1].name: duplicate cohort 'lay'; rename one",
    ),
    (
        "field with the name of a column",
        [study("name: age", "name: status")],
        (
            "study.yaml:18:5: questionnaire[1].name: 'status' is already a column of the participants table; "
            "choose another name"
        ),
    ),
    (
        "field twice",
        [study("name: age", "name: native")],
        "study.yaml:18:5: questionnaire[1].name: duplicate field 'native'; rename one",
    ),
    (
        "choice twice",
        [study('["yes", "no"]', '["yes", "no", "yes"]')],
        "study.yaml:16:28: questionnaire[0].choices[2]: duplicate choice 'yes'; remove one",
    ),
    (
        "excluded answer that is no choice",
        [study('exclude: ["no"]', 'exclude: ["No"]')],
        "study.yaml:17:15: questionnaire[0].exclude[0]: 'No' is not one of the choices; did you mean 'no'?",
    ),
    (
        "every choice excludes",
        [study('exclude: ["no"]', 'exclude: ["yes", "no"]')],
        "study.yaml:17:5: questionnaire[0].exclude: every choice excludes; leave at least one that does not",
    ),
    (
        "least above greatest",
        [study("min: 0", "min: 130")],
        "study.yaml:22:5: questionnaire[1].max: max 120 is below min 130; swap them",
    ),
    (
        "all numbers too low",
        [study("max: 120", "max: 120\n    exclude_below: 121")],
        "study.yaml:23:5: questionnaire[1].exclude_below: every number up to max 120 is below 121; lower it",
    ),
    (
        "all numbers too high",
        [study("max: 120", "max: 120\n    exclude_above: -1")],
        "study.yaml:23:5: questionnaire[1].exclude_above: every number from min 0 is above -1; raise it",
    ),
    (
        "label misspelt",
        [study("    context: context\n", "    context: context\n    labels: {contxt: Article}\n")],
        "study.yaml:29:14: blocks[0].labels.contxt: unknown key 'contxt'; did you mean 'context'?",
    ),
    (
        "label that another kind of trial has",
        [study("    context: context\n", "    context: context\n    labels: {first: A}\n")],
        "study.yaml:29:14: blocks[0].labels.first: unknown key 'first'; remove it, or use one of context, text",
    ),
    (
        "message misspelt",
        [study("language: en", "language: en\nmessages: words.yaml"), whole("words.yaml", "page.nexd: Go on\n")],
        "words.yaml:1:1: page.nexd: there is no message 'page.nexd'; did you mean 'page.next'?",
    ),
    (
        "interface without words",
        [study("language: en", "language: en\ninterface: tlh")],
        "study.yaml:4:1: interface: buttons and hints are not translated into 'tlh'; use one of: ar, de, en, es, fr",
    ),
    (
        "reference system unknown",
        [study("  references: references.csv", "  reference_system: C")],
        "study.yaml:8:3: tables.reference_system: there is no system 'C'; use one of: A, B",
    ),
    (
        "metric misspelt",
        [study("metric: rouge-l", "metric: rougel")],
        "study.yaml:50:5: metrics[0].metric: there is no metric 'rougel'; did you mean 'rouge-l'?",
    ),
    (
        "metric unknown",
        [study("metric: rouge-l", "metric: taste")],
        "study.yaml:50:5: metrics[0].metric: there is no metric 'taste'; use one of: " + ", ".join(names("metric")),
    ),
    (
        "metric of orders without units and without a reference",
        [study("metric: rouge-l", "metric: order-tau")],
        (
            "study.yaml:50:5: metrics[0]: order-tau compares orders of units, but item i1, system A has none; "
            "give the texts table one row per unit, with its id in the column 'unit'\n"
            "study.yaml:50:5: metrics[0]: order-tau compares orders of units, but the reference of item i1 has none; "
            "give the references table one row per unit, or name a tables.reference_system"
        ),
    ),
    (
        "setting that the metric has not",
        [study("metric: rouge-l", "metric: rouge-l\n    alpha: 0.5")],
        "study.yaml:51:5: metrics[0].alpha: rouge-l has no setting 'alpha'; it has: multi, tokeniser, stem, stop_words",
    ),
    (
        "value that the setting has not",
        [study("metric: rouge-l", "metric: rouge-l\n    multi: worst")],
        "study.yaml:51:5: metrics[0].multi: rouge-l: multi is 'worst'; choose one of: best, mean, pooled, jackknife",
    ),
    (
        "wrong type of a setting beside one that is right",
        [study("metric: rouge-l", "metric: rouge-l\n    multi: mean\n    stem: porter")],
        "study.yaml:52:5: metrics[0].stem: rouge-l: stem is 'porter'; it must be of type bool, like False",
    ),
    (
        "metric twice",
        [study("metric: rouge-l", "metric: rouge-l\n  - metric: rouge-l\n    stem: true")],
        "study.yaml:51:5: metrics[1]: duplicate metric 'rouge-l'; give one of the two another 'label'",
    ),
    (
        "metric without references",
        [study("  references: references.csv\n", "")],
        "study.yaml:49:5: metrics[0]: rouge-l needs references; add tables.references or tables.reference_system",
    ),
    (
        "screening rule unknown",
        [study("  too-fast: {seconds: 1.5}", "  too-quick-to-be-true: {}")],
        (
            "study.yaml:48:3: screening.too-quick-to-be-true: there is no screening rule 'too-quick-to-be-true'; "
            "use one of: " + RULES
        ),
    ),
    (
        "screening rule that excludes nobody",
        [study('    exclude: ["no"]\n', "")],
        (
            "study.yaml:46:3: screening.questionnaire: no answer in the questionnaire excludes a participant; "
            "add 'exclude' to a field or remove this rule"
        ),
    ),
    (
        "rule for checks without checks",
        [study(CHECKS, ""), study("  questionnaire: {}", "  questionnaire: {}\n  attention-checks: {}")],
        (
            "study.yaml:45:3: screening.attention-checks: no block has attention checks; "
            "add 'attention_checks' to a block or remove this rule"
        ),
    ),
    (
        "rule that no check can break",
        [study("  questionnaire: {}", "  questionnaire: {}\n  attention-checks: {allowed: 1}")],
        (
            "study.yaml:48:3: screening.attention-checks: allows 1 failures, but the study has only 1 attention "
            "checks; lower 'allowed'"
        ),
    ),
    (
        "rule for e-mail without e-mail",
        [study("  questionnaire: {}", "  questionnaire: {}\n  took-part-twice: {}")],
        (
            "study.yaml:48:3: screening.took-part-twice: the questionnaire has no field of type email; "
            "add one or remove this rule"
        ),
    ),
    (
        "other study that is this one",
        [
            study("    max: 120\n", MAIL),
            study("  questionnaire: {}", "  questionnaire: {}\n  took-part-elsewhere: {studies: [.]}"),
        ],
        (
            "study.yaml:51:3: screening.took-part-elsewhere: '.' is this study itself; "
            "name another, or use the rule took-part-twice"
        ),
    ),
    (
        "other study that is none",
        [
            study("    max: 120\n", MAIL),
            study("  questionnaire: {}", "  questionnaire: {}\n  took-part-elsewhere: {studies: [no-study]}"),
        ],
        (
            "study.yaml:51:3: screening.took-part-elsewhere: 'no-study' is not a study directory (no study.yaml "
            "in it); correct the path"
        ),
    ),
    (
        "block twice",
        [study("screening:\n", SECOND_BLOCK)],
        "study.yaml:46:20: blocks[1].name: duplicate block 'quality'; give each block its own name",
    ),
    (
        "more items than there are",
        [study("repeats: 1", "repeats: 1\n      items_per_participant: 3")],
        "study.yaml:46:7: blocks[0].design.items_per_participant: got 3, but there are only 2 items; lower it",
    ),
    (
        "more repeats than half",
        [study("repeats: 1", "repeats: 2")],
        (
            "study.yaml:45:7: blocks[0].design.repeats: got 2, but at most half of the 2 trials can be repeated; "
            "lower it"
        ),
    ),
    (
        "criterion twice",
        [study("- name: fluency", "- name: clarity")],
        "study.yaml:33:9: blocks[0].criteria[1].name: duplicate criterion 'clarity'; rename one",
    ),
    (
        "context column missing",
        [study("context: context", "context: background")],
        (
            "study.yaml:28:5: blocks[0].context: the items table has no column 'background'; "
            "use one of: item, context, picture; or add it"
        ),
    ),
    (
        "context without items table",
        [study("  items: items.csv\n", "")],
        (
            "study.yaml:27:5: blocks[0].context: column 'context' is expected in the items table, but the study "
            "has none; add tables.items"
        ),
    ),
    (
        "image without description",
        [study("    context: context\n", "    image: picture\n")],
        (
            "study.yaml:28:5: blocks[0].image: an image needs words for those who cannot see it; "
            "name the column that holds them in 'image_description'"
        ),
    ),
    (
        "check of an unknown criterion",
        [study("expected: {clarity: 2}", "expected: {truth: 2}")],
        (
            "study.yaml:42:20: blocks[0].attention_checks[0].expected.truth: 'truth' is not a criterion of this "
            "block; use one of: clarity, fluency"
        ),
    ),
    (
        "check beyond the scale",
        [study("expected: {clarity: 2}", "expected: {clarity: 8}")],
        (
            "study.yaml:42:20: blocks[0].attention_checks[0].expected.clarity: 8 is outside the scale from 1 to "
            "7; ask for a value on it"
        ),
    ),
]

FILES: list[Case] = [
    (
        "file missing",
        [whole("consent.md", None)],
        "study.yaml:11:1: consent: file 'consent.md' is not there; create it or correct the path",
    ),
    (
        "backslash in a path",
        [study("consent: consent.md", "consent: pages\\consent.md")],
        "study.yaml:11:1: consent: file 'pages\\consent.md' is not there; write '/' for '\\'",
    ),
    (
        "path outside the directory",
        [study("consent: consent.md", "consent: ../consent.md")],
        "study.yaml:11:1: consent: file '../consent.md' is outside the study directory; copy it into the directory",
    ),
    (
        "folder for a file",
        [study("consent: consent.md", "consent: .")],
        "study.yaml:11:1: consent: file '.' is a folder; name a file in it",
    ),
    (
        "impossible name of a file",
        [study("consent.md", "x" * 300)],
        (
            "study.yaml:11:1: consent: file 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' cannot "
            "be the name of a file; shorten or correct it"
        ),
    ),
    (
        "empty Markdown",
        [whole("instructions.md", " \n")],
        (
            "study.yaml:26:5: blocks[0].instructions: file 'instructions.md' is empty; "
            "write something in it or remove this key"
        ),
    ),
    (
        "image missing",
        [IMAGE, whole("map.png", None)],
        (
            "study.yaml:28:5: blocks[0].image: image 'map.png' of item 'i1' in the items table is not there; "
            "create it or correct the table\n"
            "study.yaml:28:5: blocks[0].image: image 'map.png' of item 'i2' in the items table is not there; "
            "create it or correct the table"
        ),
    ),
    (
        "image outside the directory",
        [IMAGE, table("items.csv", "Data 1,map.png", "Data 1,../map.png")],
        (
            "study.yaml:28:5: blocks[0].image: image '../map.png' of item 'i1' in the items table is outside the "
            "study directory; copy it into the directory"
        ),
    ),
    (
        "image that is none",
        [IMAGE, table("items.csv", "Data 1,map.png", "Data 1,finish.md")],
        (
            "study.yaml:28:5: blocks[0].image: image 'finish.md' of item 'i1' in the items table is not an "
            "image; use one of: .png, .jpg, .jpeg, .webp, .gif, .svg"
        ),
    ),
]

IN_TABLES: list[Case] = [
    (
        "unknown file format",
        [study("items: items.csv", "items: finish.md")],
        "finish.md: unknown file format (.md); use one of: .csv, .json, .jsonl, .ndjson, .parquet, .tsv, .xlsx",
    ),
    ("empty table", [whole("texts.csv", "")], "texts.csv: the table is empty; it needs the columns item, system, text"),
    (
        "header only",
        [whole("texts.csv", "item,system,text\n")],
        "texts.csv:1: the table has a header but no rows; add at least one",
    ),
    (
        "column missing",
        [table("texts.csv", "item,system,text", "item,author,text")],
        "texts.csv:1: system: column 'system' is missing; add it; columns seen: item, author, text",
    ),
    (
        "column misspelt",
        [table("texts.csv", "item,system,text", "item,System,text")],
        "texts.csv:1: system: column 'system' is missing; rename 'System' to 'system'",
    ),
    (
        "column twice",
        [table("items.csv", "item,context,picture", "item,context,context")],
        "items.csv:1:14: context: duplicate column 'context'; rename or remove one",
    ),
    (
        "column without a name",
        [table("items.csv", "item,context,picture", "item,context,")],
        "items.csv:1:14: column 3 has no name; name it or remove it",
    ),
    (
        "header in two rows",
        [whole("items.csv", "item;About;\n;context;picture\ni1;Data 1;map.png\ni2;Data 2;map.png\n")],
        (
            "items.csv:1: the header seems to have two rows, as merged cells leave it (no name in column 3); "
            "make it one row: item, context, picture"
        ),
    ),
    (
        "values missing",
        [table("texts.csv", "i2,A,Three.", "i2,A")],
        "texts.csv:4: 2 values, but the header has 3 columns; add the missing values, if only as empty ones",
    ),
    (
        "comma in a value",
        [table("texts.csv", "i2,A,Three.", "i2,A,Three, or four.")],
        "texts.csv:4: 4 values, but the header has 3 columns; put a value that contains ',' in quotation marks",
    ),
    (
        "quotation mark left open",
        [table("texts.csv", "i2,A,Three.", 'i2,A,"Three.')],
        (
            "texts.csv:4:6: the quotation mark here is never closed; close it; "
            "inside a value, write each quotation mark twice"
        ),
    ),
    (
        "quotation mark inside a value",
        [table("texts.csv", "i2,A,Three.", 'i2,A,"The "third" one."')],
        (
            "texts.csv:4:6: 't' follows the closing quotation mark of this value instead of ','; "
            "inside a value, write each quotation mark twice"
        ),
    ),
    (
        "text without a system",
        [table("texts.csv", "i2,A,Three.", "i2,,Three.")],
        "texts.csv:4:4: system: column 'system' is empty; fill it in or remove the row",
    ),
    (
        "text twice",
        [table("texts.csv", "i2,A,Three.", 'i2,A,"Three\nor more."\ni2,A,Three.')],
        "texts.csv:6: item, system: item 'i2', system 'A' is already in line 4; keep one of the two rows",
    ),
    (
        "system lacks a text",
        [table("texts.csv", "i2,A,Three.\n", "")],
        "texts.csv:4: system: item 'i2' has no text from system 'A'; add that row",
    ),
    (
        "many texts missing",
        [table("texts.csv", "i2,B,Four.\n", "i2,B,Four.\ni1,C,.\ni2,D,.\ni1,E,.\ni2,F,.\ni1,G,.\ni2,H,.\ni1,I,.\n")],
        (
            "texts.csv:2: system: item 'i1' has no text from system 'D'; add that row\n"
            "texts.csv:2: system: item 'i1' has no text from system 'F'; add that row\n"
            "texts.csv:2: system: item 'i1' has no text from system 'H'; add that row\n"
            "texts.csv:4: system: 2 more texts are missing; every system needs a text for every item\n"
            "texts.csv:4: system: item 'i2' has no text from system 'C'; add that row\n"
            "texts.csv:4: system: item 'i2' has no text from system 'E'; add that row"
        ),
    ),
    (
        "item without properties",
        [table("items.csv", "i2,Data 2,map.png\n", "")],
        "items.csv: item: no properties for item 'i2' of texts.csv; add a row for it",
    ),
    (
        "item without reference",
        [table("references.csv", "i2,Another.\n", "")],
        "references.csv: item: no reference for item 'i2' of texts.csv; add a row for it",
    ),
    (
        "item without texts",
        [table("items.csv", "i2,", "i3,Data,\ni2,")],
        "items.csv:3: item: item 'i3' has no texts in texts.csv; correct it or remove the row",
    ),
    (
        "unit of practice with a space",
        [whole("practice.csv", "item,unit,text,context\np1,u 1,To practise.,Data\n")],
        "practice.csv:2: unit: unit 'u 1' contains a space, which separates units in orders; use another id",
    ),
    (
        "unit without an id",
        [whole("texts.csv", "item,system,unit,text\n" + "".join(f"{text}\n" for text in UNITS))],
        "texts.csv:3: unit: this text has several rows; give each the id of its unit",
    ),
    (
        "practice without context",
        [table("practice.csv", ",context\np1,To practise.,Data", "\np1,To practise.")],
        (
            "study.yaml:27:5: blocks[0].practice: the practice table has no column 'context', which 'context' "
            "shows; add it"
        ),
    ),
    (
        "line that is no JSON",
        [JSON_LINES, whole("references.jsonl", '{"item": "i1", "text": "x"}\n{"item": "i2", "text": x}\n')],
        "references.jsonl:2:24: not a JSON object (Expecting value); write one object per line",
    ),
    (
        "line that is no object",
        [JSON_LINES, whole("references.jsonl", '{"item": "i1", "text": "x"}\n["i2", "x"]\n')],
        'references.jsonl:2:1: not a JSON object (got ["i2", "x"]); write one object per line',
    ),
    (
        "key twice in a line",
        [
            JSON_LINES,
            whole("references.jsonl", '{"item": "i1", "text": "x"}\n{"item": "i2", "item": "i3", "text": "x"}\n'),
        ],
        "references.jsonl:2: duplicate key 'item'; keep one",
    ),
    (
        "list for a text",
        [JSON_LINES, whole("references.jsonl", '{"item": "i1", "text": "x"}\n{"item": "i2", "text": ["x", "y"]}\n')],
        "references.jsonl:2: text: ['x', 'y'] is not a text; write it as a string",
    ),
    (
        "half a character",
        [JSON_LINES, whole("references.jsonl", '{"item": "i1", "text": "x"}\n{"item": "i2", "text": "x\\ud83d"}\n')],
        "references.jsonl:2: text: contains a character that is not text (U+D83D); remove it",
    ),
    (
        "number too large",
        [JSON_LINES, whole("references.jsonl", '{"item": "i1", "text": ' + "7" * 5000 + "}")],
        "references.jsonl:1: a value is too large; write it as a string",
    ),
    (
        "very many problems",
        [whole("references.csv", "item,text\n" + "i1,\n" * 60)],
        "".join(
            f"references.csv:{line}:4: text: column 'text' is empty; fill it in or remove the row\n" for line in LINES
        )
        + "references.csv:52: 10 more problems from here on; correct those above first",
    ),
]


CASES = [*NO_YAML, *FORM, *BETWEEN, *FILES, *IN_TABLES]


def write(directory: Path, changes: list[Change]) -> Path:
    """Write the sound study with the changes."""
    directory.mkdir()
    files: dict[str, str | bytes | None] = {"study.yaml": STUDY, **TABLES}
    for file, old, new in changes:
        content = files.get(file)
        if old is not None:
            assert isinstance(content, str)
            assert isinstance(new, str)
            assert content.count(old) == 1, f"{old!r} is to stand once in {file}"
            new = content.replace(old, new)  # noqa: PLW2901 -- the same thing, complete
        files[file] = new
    for file, content in files.items():
        if content is not None:
            (directory / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return directory


def test_the_study_without_changes_is_sound(tmp_path: Path) -> None:
    assert load_study(write(tmp_path / "study", [])).systems == ("A", "B")


@pytest.mark.parametrize(("changes", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_message(tmp_path: Path, changes: list[Change], message: str) -> None:
    with pytest.raises(StudyError) as caught:
        load_study(write(tmp_path / "study", changes))
    assert str(caught.value) == message


def template(line: str) -> str:
    """A line of a message without its place and the values seen."""
    _, _, message = line.partition(": ")
    return re.sub(r"'[^']*'|-?[0-9]+|[a-z0-9_\[\]]+(\.[a-z0-9_\[\]-]+)+", "…", message)


def test_each_case_hits_a_check_of_its_own() -> None:
    of_case = {name: {template(line) for line in message.split("\n")} for name, _, message in CASES}
    times = Counter(each for templates in of_case.values() for each in templates)
    own = {name: min(templates, key=lambda each: times[each]) for name, templates in of_case.items()}
    assert len(set(own.values())) == len(own) == len(CASES) >= 60
