"""The order of a report: what a reader needs first comes first, and what most readers pass over is folded.

Results, one section for each criterion or measure; agreement; who answered; metrics; then, in the appendix, details and
what is kept only to be set beside published work. An analysis says where it belongs (`Analysis.place`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from textassay.headline import Headline
from textassay.marked_text import MarkedText
from textassay.report.summary import BlockSummary, QuestionSummary, Section
from textassay.results import Analysis, Figure, Place, Table


@dataclass(frozen=True)
class OutlineSection:
    """A section of the page, with its parts in their order."""

    heading: str
    place: Place
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    cautions: tuple[str, ...] = ()
    """What changes what a reader may conclude."""
    notes: tuple[str, ...] = ()
    """What else there is to know about the numbers."""
    headlines: tuple[Headline, ...] = ()
    question: QuestionSummary | None = None
    """What participants were asked, where the section is about one question."""
    texts: tuple[MarkedText, ...] = ()


def outline(sections: Iterable[Section], blocks: Sequence[BlockSummary]) -> list[OutlineSection]:
    """All sections in the order of the page.

    Args:
        sections: In the order in which they were analysed.
        blocks: What was asked.
    """
    parts = [part for section in sections for part in _parts(section, _questions(section, blocks))]
    return sorted(parts, key=lambda part: get_args(Place).index(part.place))


def _questions(section: Section, blocks: Sequence[BlockSummary]) -> dict[str, QuestionSummary]:
    """The questions of the section's block by their names; of a study with one block, those of that."""
    own = [block for block in blocks if block.name == section.block or len(blocks) == 1]
    return {question.name: question for block in own for question in block.questions}


def _parts(section: Section, questions: Mapping[str, QuestionSummary]) -> Iterator[OutlineSection]:
    """The section; results on several criteria or measures in as many.

    What is about none of them, or about all, comes with the last that has a headline.
    """
    analysis, notes = section.analysis, _notes(section.analysis)
    headlines = {headline.subject: headline for headline in analysis.headlines}
    if analysis.place != "results" or not headlines:
        yield OutlineSection(
            section.heading,
            analysis.place,
            analysis.figures,
            tuple(table for table in analysis.tables if table.rows),
            analysis.cautions,
            notes,
            analysis.headlines,
            texts=analysis.texts,
        )
        return
    subjects = list(dict.fromkeys([*headlines, *analysis.subjects]))
    for subject in subjects:
        last = subject == analysis.headlines[-1].subject
        own = [table.about(subject) for table in analysis.tables]
        common = [_of_none(table, subjects) for table in analysis.tables if last]
        tables = tuple(table for table in (*own, *common) if table is not None and table.rows)
        figures = tuple(x for x in analysis.figures if x.subject == subject or (last and x.subject not in subjects))
        if subject not in headlines and not tables and not figures:
            continue
        heading = analysis.subjects.get(subject, subject)
        yield OutlineSection(
            heading=f"{section.block}: {heading}" if section.block else heading,
            place=analysis.place,
            figures=figures,
            tables=tables,
            cautions=_about(analysis.cautions, subject, subjects),
            notes=_about(notes, subject, subjects),
            headlines=(headlines[subject],) if subject in headlines else (),
            question=questions.get(subject),
            texts=analysis.texts if last else (),
        )


def _of_none(table: Table, subjects: Sequence[str]) -> Table | None:
    """What of a table is about none of the subjects: all of it, or the rows that name none."""
    if table.subject:
        return None if table.subject in subjects else table
    return replace(table, rows=tuple(row for row in table.rows if not row or row[0] not in subjects))


def _about(texts: Iterable[str], subject: str, subjects: Sequence[str]) -> tuple[str, ...]:
    """Those that name the subject, as `subject: text` or `subject, other: text`, without its name where it is alone."""
    found = []
    for text in texts:
        named, _, rest = text.partition(": ")
        names = named.split(", ")
        if not rest or not set(names) <= set(subjects):
            names, rest = [subjects[0]], text
        if subject in names:
            found.append(rest)
    return tuple(found)


def _notes(analysis: Analysis) -> tuple[str, ...]:
    """The warnings of the analysis, then further warnings of its results."""
    notes = list(dict.fromkeys(analysis.warnings))
    for result in analysis.results:
        known = [*notes, *analysis.cautions]
        notes += [text for text in result.warnings if not any(note.endswith(text) for note in known)]
    return tuple(notes)
