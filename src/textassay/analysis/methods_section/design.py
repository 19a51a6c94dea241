"""What was shown to whom: material, design and procedure in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from textassay.design.balance import cell_label
from textassay.design.between import Between
from textassay.design.own_plan import OwnPlan
from textassay.design.schemes import Dealing, Everyone
from textassay.prose import counted, listed, number, quoted, sentence, spread, times
from textassay.study.planning import BlockBalance, block_places, main_trials, proofs
from textassay.tasks.cannot_judge import CannotJudgeSettings
from textassay.tasks.comments import CommentSettings, ReasonedCriterion
from textassay.tasks.context import ContextSettings

if TYPE_CHECKING:
    from textassay.design.plan import Plan, Trial
    from textassay.study.study import Block, Study

_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fi": "Finnish", "fr": "French", "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
_WHOSE = "{whose}"
"""Stands for the cohorts, so that what is the same in several is said once."""
_MOST_NAMED = 12
"""Systems that are named one by one."""


def material_sentences(study: Study) -> Iterator[str]:
    """Items, systems, texts and references."""
    items = study.items_in_order
    read = [system for system in study.systems if any(block.task.shows_text(system) for block in study.blocks)]
    unread = [system for system in study.systems if system not in read]
    words = [len(text.split()) for (_, system), text in study.texts.items() if system in read]
    named = f" ({listed(read)})" if len(read) <= _MOST_NAMED else ""
    every = "each of " if len(words) == len(items) * len(read) and len(read) > 1 else ""
    yield (
        f"The material consisted of {counted(len(words), 'text')} {_language(study)}, on "
        f"{counted(len(items), 'item')} by {every}{counted(len(read), 'system')}{named}."
    )
    if words:
        yield f"The texts had {_words(words)}."
    if unread:
        form = "in another form than text"
        yield f"{counted(len(unread), 'further system').capitalize()} ({listed(unread)}) showed the items {form}."
    yield from _references(study)


def _language(study: Study) -> str:
    tag = study.file.language
    name = _LANGUAGES.get(tag.partition("-")[0].lower())
    return f"in {name}" if name else f"in the language {tag}"


def _words(words: Sequence[int]) -> str:
    if len(set(words)) == 1:
        return f"{counted(words[0], 'word')} each"
    return f"{sum(words) / len(words):.1f} words on average (range {min(words)} to {max(words)})"


def _references(study: Study) -> Iterator[str]:
    """What metrics compared with; nothing where there are no metrics."""
    if not study.file.metrics:
        return
    system = study.file.tables.reference_system
    if system is not None:
        yield f"The texts of {system} also served as references for the metrics."
    elif study.references:
        per_item = [len(texts) for texts in study.references.values()]
        alike = len(set(per_item)) == 1
        many = counted(per_item[0], "reference text") if alike else f"several reference texts ({spread(per_item)})"
        yield f"Metrics compared them with {many} per item, not shown to participants."


def design_sentences(study: Study, plan: Plan) -> Iterator[str]:
    """Blocks, who saw what, the order, and how far the plan is balanced."""
    if len(study.blocks) > 1:
        names = listed(f"{block.name} ({block.task.title.lower()})" for block in study.blocks)
        order = _block_order(study, plan)
        yield f"The study had {counted(len(study.blocks), 'block')}: {names}. {order}"
    alike: dict[tuple[str, ...], list[str]] = {}
    for proof in proofs(study, plan):
        alike.setdefault(tuple(_assigned(study, plan, proof)), []).append(proof.cohort)
    for said, cohorts in alike.items():
        yield from (text.replace(_WHOSE, _cohorts(cohorts)) for text in said)
    for block in study.blocks:
        where = f"In block {block.name}, " if len(study.blocks) > 1 else ""
        yield from (sentence(where + text) for text in _within(block))
    yield f"All randomisation followed from the seed {study.file.seed}; the plan was drawn before the first answer."


def _block_order(study: Study, plan: Plan) -> str:
    if study.file.block_order == "fixed":
        return "They came in this order for everybody."
    exact = all(line.exact for line in block_places(study, plan).values())
    how = "balanced" if exact else "balanced as far as possible"
    return f"Their order was {how} over participants by Williams squares (Williams 1949)."


def _assigned(study: Study, plan: Plan, proof: BlockBalance) -> Iterator[str]:
    """What one participant saw, and how often everything was shown over all planned participants."""
    block = study.block(proof.block)
    slots = [main_trials(plan.slot(each), proof.block) for each in plan.numbers(proof.cohort)]
    who = f"each of the {number(len(slots))} planned participants{_WHOSE}"
    where = f" in block {proof.block}" if len(study.blocks) > 1 else ""
    match block.task.scheme():
        case Everyone() as scheme:
            yield sentence(f"{who} saw all {number(len(scheme.cells))} {_shown_at_once(block)}s{where}")
        case Dealing() as scheme:
            once = "possibly several of the same item" if scheme.items_twice else "no two of the same item"
            yield sentence(f"{who} saw {_many(block, slots)}{where}, {once}")
            shared = ", dealt at random so that any two participants share about equally many"
            yield f"{_judged(block, len(scheme.cells), slots)}{shared}."
        case Between() as scheme:
            yield from _between(block, scheme, slots, f"{who} saw", where)
        case OwnPlan() as scheme:
            yield sentence(f"{who} saw {_many(block, slots)}{where}, chosen by the researchers")
            yield f"{_judged(block, len(scheme.cells), slots)}."
        case _:
            yield from _rotated(study, proof, len(slots[0]), f"{who} saw", where)
    if column := block.settings.design.stratify:
        yield f"Of the items of each {quoted(column)} every participant saw an equal share, to within one item."


def _shown_at_once(block: Block) -> str:
    """What one trial shows."""
    return cell_label(block.task.condition_label)


def _many(block: Block, slots: Sequence[Sequence[Trial]]) -> str:
    """How many texts one participant saw."""
    what, own = _shown_at_once(block), sorted({len(slot) for slot in slots})
    return counted(own[0], what) if len(own) == 1 else f"{number(own[0])} to {counted(own[-1], what)}"


def _judged(block: Block, cells: int, slots: Sequence[Sequence[Trial]]) -> str:
    """How many of the participants judged each text."""
    seen = Counter((trial.item, trial.systems) for slot in slots for trial in slot)
    least, most = min(seen.values()) if len(seen) == cells else 0, max(seen.values())
    judged = (
        number(least) if least == most else f"{number(least)} to {number(most)}" if least else "at most " + number(most)
    )
    return f"Each of the {number(cells)} {_shown_at_once(block)}s was judged by {judged} of them"


def _between(
    block: Block, scheme: Between[tuple[str, ...]], slots: Sequence[Sequence[Trial]], saw: str, where: str
) -> Iterator[str]:
    """Systems between participants."""
    label = block.task.condition_label
    yield sentence(f"{saw} {_many(block, slots)} of one {label} only{where}")
    people = Counter(slot[0].systems for slot in slots)
    least, most = min(people.values()), max(people.values())
    each = counted(least, "participant") if least == most else f"{number(least)} to {counted(most, 'participant')}"
    several = counted(2, label).partition(" ")[2]
    yield f"Each {label} was assigned to {each} at random, so {several} were compared between participants."
    yield f"{_judged(block, len(scheme.cells), slots)}."


def _rotated(study: Study, proof: BlockBalance, per_slot: int, saw: str, where: str) -> Iterator[str]:
    """Each item once, over participants in all conditions."""
    block, items = study.block(proof.block), len(study.items_in_order)
    label, lines = block.task.condition_label, {line.what: line for line in proof.balance.lines}
    every = f"all {number(items)} items" if per_slot == items else f"{number(per_slot)} of the {number(items)} items"
    if per_slot > items:
        every = f"{number(per_slot)} trials on {counted(items, 'item')}"
    if len(block.task.conditions()) == 1:
        yield sentence(f"{saw} {every}{where}")
        return
    own, over = lines[f"a {label}, for one participant"], lines[f"an item × {label}, over participants"]
    once = ", each once" if per_slot <= items else ""
    yield sentence(f"{saw} {every}{once}{where}, and each {label} {times(own.least, own.most)}")
    often = f"{times(over.least, over.most)}{_squares(proof)}"
    yield f"Over these participants{_WHOSE}, every item was shown with every {label} {often}."
    group = block.settings.design.group_by
    if group:
        yield f"Items with the same {quoted(group)} were shown to a participant with the same {label}."
    if not proof.balance.exact:
        yield "The plan was as balanced as these numbers allow, but not exactly; the table of balance shows where."


def _cohorts(names: Sequence[str]) -> str:
    """Whose participants a sentence is about, where there are cohorts."""
    if not any(names):
        return ""
    return f" of cohort {names[0]}" if len(names) == 1 else f" of each cohort ({listed(names)})"


def _squares(proof: BlockBalance) -> str:
    """The plan in the words of the literature, where that is Latin squares."""
    return f" ({proof.balance.squares})" if "Latin" in proof.balance.squares else ""


def _within(block: Block) -> Iterator[str]:
    """Order, practice, checks, repeats and breaks, each as a sentence without its beginning."""
    design, practice = block.settings.design, len(block.practice)
    checks = len(block.task.attention_items())
    yield {
        "given": "trials came in an order set by the researchers",
        "random": "the order of trials was random for each participant",
        "williams": "the order of trials was balanced for carry-over by Williams squares (Williams 1949)",
        "fixed": "trials came in the same order for everybody",
    }["given" if block.task.scheme().ordered else design.order]
    if practice:
        yield f"{counted(practice, 'practice trial')} came first and {_was(practice)} not analysed"
    if checks:
        kind = f"{counted(checks, 'attention check')} with a known correct answer"
        yield f"{kind} {_was(checks)} mixed with the other trials and not analysed"
    if design.repeats:
        yield (
            f"{counted(design.repeats, 'trial')} {_was(design.repeats)} shown a second time after the others, to "
            "measure how consistent participants were with themselves; only first answers count in the results"
        )
    if design.sittings > 1:
        yield f"trials were spread over {number(design.sittings)} sittings, for which participants came back"
    if design.break_every:
        yield f"a break was offered after every {number(design.break_every)} trials"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def procedure_sentences(study: Study, *, served: bool) -> Iterator[str]:
    """What participants did, page by page.

    Args:
        study: The study.
        served: Whether any answer was given on its own pages; others come from imported tables.
    """
    if served:
        yield "The study ran in participants' own web browsers."
    before = [
        *(["a welcome page"] if "welcome" in study.pages else []),
        *(["a consent form, to which they had to agree"] if "consent" in study.pages else []),
        *(["a questionnaire about themselves"] if study.file.questionnaire else []),
        *(["instructions"] if any(block.instructions for block in study.blocks) else []),
    ]
    if before:
        yield f"Participants first saw {listed(before)}."
    for block in study.blocks:
        said = [*block.task.procedure(), *_shown_besides(block)]
        named = f"Block {block.name}. " if len(study.blocks) > 1 else ""
        yield from (f"{named if place == 0 else ''}{text}" for place, text in enumerate(said))
    if study.file.participants.may_go_back:
        yield "Participants could return to earlier trials; the last version of an answer counts."


def _shown_besides(block: Block) -> Iterator[str]:
    settings = block.settings
    if isinstance(settings, ContextSettings) and (settings.context or settings.image):
        columns = [name for name in (settings.context, settings.image) if name]
        kind = listed([*(["a context"] if settings.context else []), *(["an image"] if settings.image else [])])
        yield f"Each trial also showed {kind} of the item ({listed(map(quoted, columns))} in the items table)."
    if settings.marks_events:
        yield "The annotated events of the texts were marked in colour."
    if isinstance(settings, CannotJudgeSettings) and settings.cannot_judge:
        words = "cannot judge" if settings.cannot_judge is True else settings.cannot_judge
        yield f"Each question could also be answered with {quoted(words)}; such answers count in no mean and no test."
    yield from _asked_why(getattr(settings, "criteria", ()))
    if isinstance(settings, CommentSettings) and settings.comment:
        yield f"They could add a comment ({quoted(settings.comment)})."


def _asked_why(criteria: Iterable[object]) -> Iterator[str]:
    """Of which criteria participants said why they answered so."""
    asked = [each for each in criteria if isinstance(each, ReasonedCriterion) and each.why]
    for why, verb in (("required", "had to say"), ("optional", "could say")):
        names = [each.name for each in asked if each.why == why]
        if names:
            yield f"They {verb} in their own words why they answered so ({listed(names)})."
