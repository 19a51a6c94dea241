"""The order of a report: what a reader needs first comes first, and what most readers pass over is folded.

Results, one section for each criterion or measure; agreement; who answered; metrics; then, in the appendix, details and
what is kept only to be set beside published work. An analysis says where it belongs (`Analysis.place`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from textassay.headline import Headline
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
    """The section; results on several criteria in as many, and what is about all of them in the last."""
    analysis, notes = section.analysis, _notes(section.analysis)
    subjects = [headline.subject for headline in analysis.headlines]
    if analysis.place != "results" or not subjects:
        yield OutlineSection(
            section.heading,
            analysis.place,
            analysis.figures,
            tuple(table for table in analysis.tables if table.rows),
            analysis.cautions,
            notes,
            analysis.headlines,
        )
        return
    for index, headline in enumerate(analysis.headlines):
        subject, last = headline.subject, index == len(subjects) - 1
        own = [table.about(subject) for table in analysis.tables]
        common = [table for table in analysis.tables if last and table.rows and not _of_subjects(table, subjects)]
        yield OutlineSection(
            heading=f"{section.block}: {subject}" if section.block else subject,
            place=analysis.place,
            figures=tuple(x for x in analysis.figures if x.subject == subject or (last and x.subject not in subjects)),
            tables=(*(table for table in own if table is not None), *common),
            cautions=_about(analysis.cautions, subject, subjects),
            notes=_about(notes, subject, subjects),
            headlines=(headline,),
            question=questions.get(subject),
        )


def _of_subjects(table: Table, subjects: Sequence[str]) -> bool:
    return table.subject in subjects or any(row[:1] == (subject,) for row in table.rows for subject in subjects)


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
