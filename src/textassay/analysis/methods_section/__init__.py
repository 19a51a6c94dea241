"""The methods of a study as a researcher would write them: material, participants, procedure, screening, analysis.

Each sentence comes from what was done: the study file and its tables, the plan, the answers, and the results that were
computed. Tasks say what participants did (`tasks/*/methods.py`), screening rules whom they exclude (`Rule.criterion`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textassay.analysis.methods_section.bibliography import cited_in
from textassay.analysis.methods_section.design import design_sentences, material_sentences, procedure_sentences
from textassay.analysis.methods_section.people import participant_sentences, screening_sentences
from textassay.analysis.methods_section.statistics import (
    metric_sentences,
    metrics_table,
    software_sentence,
    test_sentences,
)
from textassay.report.summary import MethodsParagraph, MethodsText

if TYPE_CHECKING:
    from textassay.answers.dataset import Dataset
    from textassay.design.plan import Plan
    from textassay.report.summary import ParticipantsSummary, Section
    from textassay.screening.verdicts import Verdict
    from textassay.study.study import Study


def methods_section(
    study: Study,
    plan: Plan,
    data: Dataset,
    verdicts: Sequence[Verdict],
    people: ParticipantsSummary,
    sections: Sequence[Section],
    scores: Sequence[Mapping[str, Any]] = (),
) -> MethodsText:
    """The methods section of a study.

    Args:
        study: The study.
        plan: Who sees what.
        data: All answers.
        verdicts: Who was excluded, and why.
        people: Who answered, as counted for the report.
        sections: What was computed.
        scores: Rows of the scores table, whose signatures tell how metrics were computed.
    """
    analyses = [section.analysis for section in sections]
    written = {
        "Material": material_sentences(study),
        "Design": design_sentences(study, plan),
        "Procedure": procedure_sentences(study, served=bool(data.through_pages)),
        "Participants": participant_sentences(
            study, people, sum(bool(row.get("simulated")) for row in data.participants)
        ),
        "Screening": screening_sentences(study, data, verdicts),
        "Analysis": [*test_sentences(study, analyses), software_sentence(study)],
        "Metrics": metric_sentences(study, analyses, scores),
    }
    paragraphs = [MethodsParagraph(heading, tuple(said)) for heading, said in written.items()]
    kept = tuple(paragraph for paragraph in paragraphs if paragraph.sentences)
    references = cited_in(" ".join(each.text for each in kept))
    return MethodsText(kept, references, metrics_table(scores), tuple(_unsaid(study)))


def _unsaid(study: Study) -> Iterator[str]:
    """What a reviewer asks and no file of the study can tell."""
    if study.file.participants.platform is None:
        yield "how participants were recruited"
    yield "what participants were paid"
    yield "whether an ethics board approved the study"
    yield "how the texts of each system were made"
