"""The datasheet's answers that a study knows; everything else is left to the researcher, with what helps to answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textassay import __version__
from textassay.sharing.datasheet.collected import Collected, agreement_of, consistency_of, tests_of
from textassay.sharing.datasheet.questions import LANGUAGES, OTHER_LANGUAGE
from textassay.sharing.datasheet.sheet import Answer, undecided
from textassay.sharing.registration import REGISTRATION
from textassay.study.model import DEFAULT_RULE, EmailField

if TYPE_CHECKING:
    from textassay.study.study import Block, Study
    from textassay.tasks.contract import TrialQuestion
    from textassay.tasks.elicitation import Elicitation

Filled = Iterator[tuple[str, Answer]]
_FORMS = {"direct": 2, "relative": 3, "editing": 6, "handling": 8, "performance": 9}
_INSTRUMENTS = {"choices": 1, "boxes": 2, "slider": 3, "none": 4}
_NO_ANSWERS = "Participants have not answered yet."


@dataclass(frozen=True)
class SheetCriterion:
    """A question of a block, which is what the datasheet calls a criterion."""

    name: str
    """In the datasheet."""
    block: Block
    question: TrialQuestion
    alone: bool
    """Whether its block asks nothing else."""


def criteria_of(study: Study) -> list[SheetCriterion]:
    """What is asked of texts, block by block."""
    several = len(study.blocks) > 1
    found = []
    for block in study.blocks:
        questions = block.task.questions()
        for each in questions:
            name = f"{block.name}, {each.name}" if several else each.name
            found.append(SheetCriterion(name, block, each, len(questions) == 1))
    return found


def of_study(study: Study, collected: Collected | None) -> Filled:
    """Sections 1, 2, 3 and 5: what the study knows of itself, and of the people who took part."""
    yield from _paper(study)
    yield from _systems(study)
    yield from _sample(study, collected)
    yield from _evaluators(study, collected)
    yield from _design(study, collected)
    yield from _quality(study)
    yield from _pages(study)
    yield from _ethics(study)


def _paper(study: Study) -> Filled:
    items, systems = len(study.items_in_order), len(study.systems)
    criteria = ", ".join(criterion.name for criterion in criteria_of(study))
    what = f"{systems} systems ({', '.join(study.systems)}) on {items} items; asked: {criteria}"
    yield "1.1.1", undecided()
    yield "1.1.2", Answer(f"{study.file.title}: {what}")
    yield "1.2", undecided("The study directory holds the texts, questions, instructions and settings.")
    for number in ("1.3.1.1", "1.3.1.2", "1.3.1.3", "1.3.2.1", "1.3.2.2"):
        yield number, undecided()
    contact = study.file.contact
    yield "1.3.2.3", undecided(f"The start page gives as contact: {contact}" if contact else "")


def _systems(study: Study) -> Filled:
    words = sorted(len(text.split()) for text in study.texts.values())
    code = study.file.language.split("-")[0].lower()
    languages = LANGUAGES.split()
    yield "2.1", undecided()
    yield "2.2", undecided(f"The texts have {words[0]} to {words[-1]} words; the median is {words[len(words) // 2]}.")
    yield "2.3", undecided()
    yield "2.4", undecided(f"The study's language is {study.file.language}.")
    if code in languages:
        yield "2.5", Answer("", (languages.index(code) + 2,))
    else:
        yield "2.5", Answer(study.file.language, (OTHER_LANGUAGE,))


def _sample(study: Study, collected: Collected | None) -> Filled:
    planned = {system: sum(one == system for _, one in study.texts) for system in study.systems}
    counts = collected.outputs if collected is not None else planned
    if len(set(counts.values())) == 1:
        yield "3.1.1", Answer(str(next(iter(counts.values()))))
    else:
        yield "3.1.1", Answer("; ".join(f"{system}: {count}" for system, count in counts.items()))
    yield "3.1.2", undecided()
    wanted = sum(cohort.wanted for cohort in study.cohorts)
    size = f"Planned: {wanted} participants, {len(study.items_in_order)} items."
    yield "3.1.3.1", undecided(f"{size} 'textassay power' simulates the study; say so if you used it.")
    yield "3.1.3.2", undecided()
    yield "3.1.3.3", undecided()


def _evaluators(study: Study, collected: Collected | None) -> Filled:
    wanted = sum(cohort.wanted for cohort in study.cohorts)
    if collected is None:
        yield "3.2.1", undecided(f"{_NO_ANSWERS} Planned: {wanted}.")
    else:
        yield "3.2.1", Answer(str(collected.participants.included))
    cohorts = ", ".join(f"{each.name} ({each.wanted})" for each in study.file.participants.cohorts)
    yield "3.2.2.1", undecided(f"Cohorts: {cohorts}." if cohorts else "")
    for number in ("3.2.2.2", "3.2.2.3", "3.2.2.4"):
        yield number, undecided()
    platform = study.file.participants.platform
    joined = f" Cohorts join by links of their own: {cohorts}." if cohorts else ""
    yield "3.2.3", undecided(f"Participants come by a link{f' from {platform}' if platform else ''}.{joined}")
    yield "3.2.4", Answer(" ".join(_training(study)))
    yield "3.2.5", _characteristics(study, collected)


def _training(study: Study) -> Iterator[str]:
    if "welcome" in study.pages:
        yield "A start page introduces the study."
    for block in study.blocks:
        before = f"Before the block {block.name}" if len(study.blocks) > 1 else "Before the first trial"
        told = f"instructions of {len(block.instructions.split())} words" if block.instructions else "no instructions"
        practice = f"practice trials: {len(block.practice)}, marked as such" if block.practice else "no practice"
        yield f"{before}: {told}, {practice}."


def _characteristics(study: Study, collected: Collected | None) -> Answer:
    asked = [field.name for field in study.file.questionnaire]
    if not asked:
        return undecided("The study asks participants nothing about themselves.")
    tables = collected.participants.demographics if collected is not None else ()
    if not tables:
        return Answer(f"Asked in a questionnaire: {', '.join(asked)}")
    said = []
    for table in tables:
        counts = ", ".join(f"{value} {count}" for value, count in table.rows)
        said.append(f"{table.columns[0]}: {counts}{f' ({table.note.rstrip(chr(46))})' if table.note else ''}")
    return Answer("; ".join(said))


def _design(study: Study, collected: Collected | None) -> Filled:
    frozen = (study.directory / REGISTRATION).exists()
    yield "3.3.1", undecided("The study is frozen in registration.json; say where it can be found." if frozen else "")
    if collected is not None and collected.imported:
        yield "3.3.2", undecided("Answers were imported from tables that were collected elsewhere.")
    else:
        yield "3.3.2", Answer(f"Web pages served by textassay {__version__}")


def _quality(study: Study) -> Filled:
    checks = sum(len(block.task.attention_items()) for block in study.blocks)
    rules = [rule.criterion(study) for rule in study.rules]
    described = [f"{checks} attention checks"] if checks else []
    described += [f"participants are excluded if they {'; or if they '.join(rules)}"] if rules else []
    if {rule.name for rule in study.rules} - {DEFAULT_RULE}:
        yield "3.3.3.1", Answer("Whether only native speakers take part, the study does not know", (2, 4))
    else:
        yield "3.3.3.1", undecided("The study has no rule but that participants must finish." if rules else "")
    yield "3.3.3.2", Answer("; ".join(described)) if described else undecided("The study has no rules.")


def _pages(study: Study) -> Filled:
    yield "3.3.4.1", undecided()
    yield "3.3.4.2", Answer(" ".join(_visible(study)))
    limited = [block.name for block in study.blocks if block.task.limit_seconds() is not None]
    if limited:
        yield "3.3.5", Answer(f"The pages end a trial after the time limit (blocks: {', '.join(limited)})", (2,))
    else:
        yield "3.3.5", undecided("The pages set no time limit, and a participant may come back later.")
    comments = any(getattr(block.settings, "comment", None) for block in study.blocks)
    chosen = [*((1, 2) if study.file.contact else ()), *((4,) if comments else ())]
    said = ["The start page names a contact"] if study.file.contact else []
    said += ["each trial has a box for comments"] if comments else []
    yield "3.3.6", Answer("; ".join(said), tuple(chosen)) if chosen else undecided("The pages name no contact.")
    yield "3.3.7", undecided("Participants open the pages by a link, wherever they are.")
    yield "3.3.8", undecided()


def _visible(study: Study) -> Iterator[str]:
    for block in study.blocks:
        where = f"Block {block.name} ({block.task.title.lower()})" if len(study.blocks) > 1 else block.task.title
        context = [key for key in ("context", "image") if getattr(block.settings, key, None)]
        title = block.settings.labels.words.get("context")
        titled = f" under the title “{title}”" if title else ""
        beside = f", with {' and '.join(context)} of the item{titled}" if context else ""
        condition = block.task.conditions()[0]
        shown = "the texts that are compared" if len(condition) > 1 else "one text"
        if len(block.task.judged("", condition)) > 1:
            shown = f"the texts of {len(condition)} systems together, each to be judged by itself"
        asked = "; ".join(f"“{each.question}” ({each.answer})" for each in block.task.questions())
        yield f"{where}: {shown}{beside}, and {asked}."


def _ethics(study: Study) -> Filled:
    agreed = "Participants must agree to a consent page first." if "consent" in study.pages else ""
    yield "5.1", undecided(agreed)
    people = study.file.participants
    kept = ["e-mail addresses, only as keyed hashes"] if any(map(_is_email, study.file.questionnaire)) else []
    if people.platform or people.id_parameter:
        kept.append("the recruiting platform's ids of participants")
    others = [field.name for field in study.file.questionnaire if not _is_email(field)]
    asked = f"Asked about the person: {', '.join(others)}." if others else "Nothing is asked about the person."
    if kept:
        yield "5.2", Answer(f"Stored: {'; '.join(kept)}. {asked} No IP addresses are stored", (2,))
    else:
        yield "5.2", undecided(f"{asked} No names, addresses or IP addresses are stored; the texts are yours to judge.")
    yield "5.3", undecided(asked)
    yield "5.4", undecided()


def _is_email(field: object) -> bool:
    return isinstance(field, EmailField)


def of_criterion(criterion: SheetCriterion, collected: Collected | None) -> Filled:
    """Section 4 for one criterion."""
    question, how = criterion.question, criterion.question.elicitation
    for number in ("4.1.1", "4.1.2", "4.1.3"):
        yield number, undecided()
    yield from _mode(how)
    yield "4.3.1.1", Answer(f"No name given (called {question.name} in the data)")
    yield "4.3.1.2", undecided()
    told = criterion.block.instructions
    none = Answer("No definition given besides the question")
    yield "4.3.2", undecided("If the instructions define it, copy that here.") if told else none
    yield from _instrument(how)
    yield "4.3.7", Answer(question.question)
    yield "4.3.8", Answer("", (_FORMS[how.form],)) if how is not None else undecided()
    yield "4.3.9", Answer(how.scores) if how is not None and how.scores else undecided()
    yield from _found(criterion, collected)


def _mode(how: Elicitation | None) -> Filled:
    if how is None:
        for number in ("4.2.1", "4.2.2", "4.2.3"):
            yield number, undecided()
        return
    yield "4.2.1", Answer("", (1 if how.objective else 2,))
    yield "4.2.2", Answer("", (2 if how.relative else 1,))
    yield "4.2.3", undecided() if how.extrinsic is None else Answer("", (2 if how.extrinsic else 1,))


def _instrument(how: Elicitation | None) -> Filled:
    if how is None:
        for number in ("4.3.3", "4.3.4", "4.3.5", "4.3.6"):
            yield number, undecided()
        return
    yield "4.3.3", Answer(how.size or "N/A")
    yield "4.3.4", Answer(how.values or "N/A")
    yield "4.3.5", Answer("", (_INSTRUMENTS[how.instrument],))
    yield "4.3.6", Answer(how.activity or "N/A")


def _found(criterion: SheetCriterion, collected: Collected | None) -> Filled:
    if collected is None:
        yield "4.3.10", undecided(_NO_ANSWERS)
        for number in ("4.3.11.1", "4.3.11.2"):
            yield number, undecided(_NO_ANSWERS)
        again = criterion.block.settings.design.repeats
        shown = f"Each participant sees {again} trials twice. {_NO_ANSWERS}"
        for number in ("4.3.12.1", "4.3.12.2"):
            yield number, undecided(shown) if again else Answer("IntraAA not assessed")
        return
    analyses = collected.analyses.get(criterion.block.name, ())
    tests = tests_of(analyses, criterion.question, alone=criterion.alone)
    yield "4.3.10", Answer(tests or "None")
    how, size = agreement_of(analyses, criterion.question)
    yield "4.3.11.1", Answer(how or "InterAA not assessed")
    yield "4.3.11.2", Answer(size or "InterAA not assessed")
    how, size = consistency_of(analyses, criterion.question, alone=criterion.alone)
    yield "4.3.12.1", Answer(how or "IntraAA not assessed")
    yield "4.3.12.2", Answer(size or "IntraAA not assessed")
