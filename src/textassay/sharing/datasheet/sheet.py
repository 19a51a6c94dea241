"""A filled datasheet: what the study says, what the researcher says, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from textassay.sharing.datasheet.questions import QUESTIONS, SECTIONS, VERSION, SheetQuestion

CRITERIA_FIELD = "heds-criteria-criterion"
"""Field of the form that lists the criteria."""
_OPEN = "**Open:** only the researcher can say."


@dataclass(frozen=True)
class Answer:
    """An answer to one question, or what the study knows towards one."""

    text: str = ""
    """In words; beside options, the explanation."""
    chosen: tuple[int, ...] = ()
    """Places of the options that are chosen, from 1."""
    source: Literal["study", "researcher", "open"] = "study"


def undecided(known: str = "") -> Answer:
    """The researcher has to answer; `known` is what the study can say towards it."""
    return Answer(known, source="open")


@dataclass(frozen=True)
class Datasheet:
    """The datasheet of one study."""

    title: str
    criteria: tuple[str, ...]
    """By their names in the tables, after the name of their block where there are several."""
    answers: Mapping[tuple[str, str], Answer]
    """By number of the question and criterion; the criterion is empty for questions about the whole study."""
    alerts: tuple[str, ...] = ()
    """What a reader must know first."""
    shown: Mapping[str, str] = field(default_factory=dict)
    """What participants read, as Markdown, by what it is: start page, consent, instructions."""

    def asked(self) -> Iterator[tuple[SheetQuestion, str, Answer]]:
        """Every question with its criterion and answer, in the order of the form."""
        for question in QUESTIONS:
            for criterion in self.criteria if question.of_criterion else ("",):
                yield question, criterion, self.answers[question.number, criterion]

    def open(self) -> list[tuple[SheetQuestion, tuple[str, ...]]]:
        """Questions that only the researcher can answer, each with the criteria of which it is open."""
        found: dict[str, tuple[SheetQuestion, tuple[str, ...]]] = {}
        for question, criterion, answer in self.asked():
            if answer.source == "open":
                criteria = found.get(question.number, (question, ()))[1]
                found[question.number] = question, (*criteria, criterion)
        return list(found.values())

    def form(self) -> dict[str, Any]:
        """The sheet as the form saves and loads it: one entry per field, open questions blank."""
        entries: dict[str, Any] = {}
        for question, criterion, answer in self.asked():
            given = answer.source != "open"
            text = answer.text if given else ""
            if question.kind == "text":
                entry = entries.setdefault(question.key, {"data": {}, "control": {}, "number": question.number})
                entry["data"][criterion] = text
                continue
            for place, option in enumerate(question.options, 1):
                empty = {"data": {}, "control": {}, "text": {}, "number": question.number}
                entry = entries.setdefault(f"{question.key}-{place}", empty)
                chosen = given and place in answer.chosen
                entry["data"][criterion], entry["text"][criterion] = chosen, option if chosen else ""
            more = entries.setdefault(f"{question.key}-other_text", {"data": {}, "control": {}, "number": None})
            more["data"][criterion] = text
        shown_first = {criterion: place == 0 for place, criterion in enumerate(self.criteria)}
        entries[CRITERIA_FIELD] = {"data": {}, "control": shown_first, "text": {}, "number": ""}
        return entries

    def markdown(self) -> str:
        """The sheet as a page, with the open questions at its end."""
        lines = [f"# Human Evaluation Datasheet: {self.title}", ""]
        lines += [f"Questions of HEDS {VERSION} (Belz & Thomson 2025) in our words, under their numbers.", ""]
        lines += [line for alert in self.alerts for line in (f"> {alert}", "")]
        heading = ""
        for question in QUESTIONS:
            for section in _sections(question.number):
                if section not in heading.split():
                    lines += [f"{'#' * (section.count('.') + 2)} {section} {SECTIONS[section]}", ""]
                    heading += f" {section}"
            lines += [f"**{question.number} {question.asks}**", "", *self._answered(question), ""]
        return "\n".join([*lines, *self._appendix(), *self._to_do()]) + "\n"

    def _answered(self, question: SheetQuestion) -> Iterator[str]:
        if not question.of_criterion:
            yield _in_words(question, self.answers[question.number, ""])
            return
        for criterion in self.criteria:
            yield f"- *{criterion}*: {_in_words(question, self.answers[question.number, criterion])}"

    def _appendix(self) -> Iterator[str]:
        for what, text in self.shown.items():
            yield from (f"## What participants read: {what}", "")
            yield from (*(f"> {line}".rstrip() for line in text.strip().splitlines()), "")

    def _to_do(self) -> Iterator[str]:
        open_ = self.open()
        yield from ("## What only the researcher can say", "")
        if not open_:
            yield "Nothing is open."
            return
        yield "Write the answers into `datasheet.yaml` in the study directory, and make the datasheet again:"
        yield from ("", "```yaml")
        for question, criteria in open_:
            yield f"# {question.asks}{_choices(question)}"
            if criteria == ("",):
                yield f"{question.number}:"
            else:
                yield f"{question.number}:"
                yield from (f"  {criterion}:" for criterion in criteria)
        yield "```"


def _sections(number: str) -> list[str]:
    parts = number.split(".")
    return [section for section in (parts[0], ".".join(parts[:2])) if section in SECTIONS]


def _in_words(question: SheetQuestion, answer: Answer) -> str:
    text = " ".join(answer.text.split())
    if answer.source == "open":
        return f"{_OPEN} {text}".rstrip()
    chosen = "; ".join(f"{place}. {question.options[place - 1]}" for place in answer.chosen)
    return ": ".join(filter(None, (chosen, text)))


def _choices(question: SheetQuestion) -> str:
    if not question.options:
        return ""
    how = "one of" if question.kind == "one" else "any of"
    if question.languages:
        return f" ({how} the languages by their codes, such as en)"
    return f" ({how}: {'; '.join(f'{place} {option}' for place, option in enumerate(question.options, 1))})"
