"""The questions of the Human Evaluation Datasheet, version 3.0 (Belz & Thomson 2025), in our own words.

Numbers and the names of the form's fields are those of its public form (nlp-heds.github.io); so is the order of the
options, because a saved form names them by their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VERSION = "3.0"
Kind = Literal["text", "one", "several"]
"""A text; one of the options; any number of them."""

SECTIONS = {
    "1": "Paper and resources",
    "2": "Systems",
    "3": "Sample, evaluators and experimental design",
    "3.1": "Sample of outputs",
    "3.2": "Evaluators",
    "3.3": "Experimental design",
    "4": "Quality criteria",
    "4.1": "Kind of quality",
    "4.2": "Mode of evaluation",
    "4.3": "How responses are elicited",
    "5": "Ethics",
}

LANGUAGES = (
    "ab aa af ak sq am ar an hy as av ae ay az bm ba eu be bn bi bs br bg my ca ch ce ny zh cu cv kw co cr hr cs da dv "
    "nl dz en eo et ee fo fj fi fr fy ff gd gl lg ka de el kl gn gu ht ha he hz hi ho hu is io ig id ia ie iu ik ga it "
    "ja jv kn kr ks kk km ki rw ky kv kg ko kj ku lo la lv li ln lt lu lb mk mg ms ml mt gv mi mr mh mn na nv nd nr ng "
    "ne no nb nn ii oc oj or om os pi ps fa pl pt pa qu ro rm rn ru se sm sg sa sc sr sn sd si sk sl so st es su sw ss "
    "sv tl ty tg ta tt te th bo ti to ts tn tr tk tw ug uk ur uz ve vi vo wa cy wo xh yi yo za zu"
)
"""Languages in the order of the form, which is that of their English names, as ISO 639-1 writes them."""
_LANGUAGES = ("none that applies", *LANGUAGES.split(), "another language")
OTHER_LANGUAGE = len(_LANGUAGES)


@dataclass(frozen=True)
class SheetQuestion:
    """One question of the datasheet."""

    number: str
    asks: str
    """The question in our words."""
    field: str
    """Name of its field in the form, without the common beginning."""
    kind: Kind = "text"
    options: tuple[str, ...] = ()
    """What can be chosen, in our words and in the order of the form."""

    @property
    def of_criterion(self) -> bool:
        """Whether it is asked of each quality criterion."""
        return self.number.startswith("4.")

    @property
    def languages(self) -> bool:
        """Whether its options are languages."""
        return self.options == _LANGUAGES

    @property
    def key(self) -> str:
        """Name of its field in a saved form."""
        return f"heds-{self.field}"


_YES_NO = ("yes", "no", "does not apply")
_TEXTS = ("part of a sentence", "a sentence", "several sentences", "a document", "a dialogue", "another kind of text")
_INPUTS = ("data", "deep linguistic representation", "shallow linguistic representation", *_TEXTS, "speech", "visual")
_WORK = (
    "selecting content",
    "ordering content",
    "aggregation",
    "referring expressions",
    "lexicalisation",
    "deep generation",
    "surface realisation",
    "generation with controlled features",
    "data to text",
    "turns of a dialogue",
    "asking questions",
    "answering questions",
    "paraphrase or simplification that keeps content",
    "compression or simplification that loses content",
    "translation",
    "summaries of texts",
    "text end to end",
    "describing images or videos",
    "correcting texts",
    "other",
)
_PLACES = (
    "where each evaluator chooses",
    "laboratory, same conditions for all",
    "laboratory, conditions vary",
    "real life, same conditions for all",
    "real life, conditions vary",
    "like real life, same conditions for all",
    "like real life, conditions vary",
    "other",
)
_FORMS = (
    "agreement with a statement",
    "direct judgement",
    "judgement relative to other outputs, or ranking",
    "counting in the text",
    "comments",
    "editing or annotating",
    "labelling outputs",
    "how people deal with the text",
    "how well people do a task",
    "how people deal with the system",
    "other",
)
_PERSON = "paper_and_resources-names_and_affiliations"
_SAMPLE, _PEOPLE = "sample_evaluators_design-sample", "sample_evaluators_design-evaluators"
_DESIGN, _ELICIT = "sample_evaluators_design-experimental_design", "criteria-criterion-response_elicitation"
_QUALITY, _MODE = "criteria-criterion-criteria", "criteria-criterion-evaluation_mode"

QUESTIONS = (
    SheetQuestion(
        "1.1.1",
        "Where is the experiment reported?",
        "paper_and_resources-paper-link",
        "one",
        ("paper", "unpublished report", "this sheet is the registration", "no report and no registration"),
    ),
    SheetQuestion("1.1.2", "Which experiment of that report?", "paper_and_resources-paper-experiment_identification"),
    SheetQuestion(
        "1.2",
        "Where are the materials?",
        "paper_and_resources-resources-links",
        "one",
        ("at this address", "not shared"),
    ),
    SheetQuestion("1.3.1.1", "Who fills in this sheet? Name", f"{_PERSON}-person_completing_this_sheet-name"),
    SheetQuestion("1.3.1.2", "Affiliation of that person", f"{_PERSON}-person_completing_this_sheet-affiliation"),
    SheetQuestion("1.3.1.3", "E-mail address of that person", f"{_PERSON}-person_completing_this_sheet-email"),
    SheetQuestion("1.3.2.1", "Who answers questions about the report? Name", f"{_PERSON}-contact_author-name"),
    SheetQuestion("1.3.2.2", "Affiliation of the contact author", f"{_PERSON}-contact_author-affiliation"),
    SheetQuestion("1.3.2.3", "E-mail address of the contact author", f"{_PERSON}-contact_author-email"),
    SheetQuestion(
        "2.1",
        "What do the systems take as input?",
        "system-input_types",
        "several",
        (*_INPUTS, "several media", "control feature", "no input", "other"),
    ),
    SheetQuestion(
        "2.2",
        "What do the systems put out?",
        "system-output_types",
        "several",
        (*_INPUTS, "several media", "nothing", "other"),
    ),
    SheetQuestion("2.3", "What is the systems' task?", "system-tasks", "several", _WORK),
    SheetQuestion(
        "2.4",
        "In which languages is the input?",
        "system-input_languages",
        "several",
        _LANGUAGES,
    ),
    SheetQuestion(
        "2.5",
        "In which languages is the output?",
        "system-output_languages",
        "several",
        _LANGUAGES,
    ),
    SheetQuestion("3.1.1", "How many outputs of each system are judged?", f"{_SAMPLE}-number_of_system_outputs"),
    SheetQuestion(
        "3.1.2",
        "How were these outputs chosen?",
        f"{_SAMPLE}-system_output_selection",
        "one",
        (
            "at random",
            "at random within strata",
            "automatically, not at random",
            "by hand",
            "by hand, for balance",
            "other",
        ),
    ),
    SheetQuestion("3.1.3.1", "Power analysis: which method?", f"{_SAMPLE}-statistical_power-method"),
    SheetQuestion("3.1.3.2", "Power analysis: what is the power?", f"{_SAMPLE}-statistical_power-value"),
    SheetQuestion("3.1.3.3", "Power analysis: where is the code?", f"{_SAMPLE}-statistical_power-script"),
    SheetQuestion("3.2.1", "How many evaluators do the results rest on?", f"{_PEOPLE}-number_of_evaluators"),
    SheetQuestion("3.2.2.1", "Are they experts of the field?", f"{_PEOPLE}-evaluators-expertise", "one", _YES_NO),
    SheetQuestion(
        "3.2.2.2",
        "Are they paid?",
        f"{_PEOPLE}-evaluators-payment",
        "one",
        ("with money", "otherwise, such as course credits", "not paid", "does not apply"),
    ),
    SheetQuestion(
        "3.2.2.3", "Did the authors know any of them?", f"{_PEOPLE}-evaluators-known_to_authors", "one", _YES_NO
    ),
    SheetQuestion("3.2.2.4", "Are researchers among them?", f"{_PEOPLE}-evaluators-are_authors", "one", _YES_NO),
    SheetQuestion("3.2.3", "How are they recruited?", f"{_PEOPLE}-recruitment_method"),
    SheetQuestion("3.2.4", "Which training and practice do they have?", f"{_PEOPLE}-training_practice"),
    SheetQuestion("3.2.5", "What else is known of them?", f"{_PEOPLE}-characteristics"),
    SheetQuestion(
        "3.3.1", "Is the design registered?", f"{_DESIGN}-preregistered", "one", ("yes, at this address", "no")
    ),
    SheetQuestion("3.3.2", "By which medium are responses collected?", f"{_DESIGN}-collection_method"),
    SheetQuestion(
        "3.3.3.1",
        "How is the quality of responses assured?",
        f"{_DESIGN}-quality_assurance-method",
        "several",
        (
            "native speakers only",
            "automatic checks",
            "checks by hand",
            "evaluators who fail are excluded",
            "single responses are excluded",
            "other",
            "not at all",
        ),
    ),
    SheetQuestion("3.3.3.2", "What is checked, and with which limits?", f"{_DESIGN}-quality_assurance-description"),
    SheetQuestion("3.3.4.1", "Where can one see what evaluators saw?", f"{_DESIGN}-what_evaluators_see-link"),
    SheetQuestion("3.3.4.2", "What do evaluators see while they judge?", f"{_DESIGN}-what_evaluators_see-description"),
    SheetQuestion(
        "3.3.5",
        "Are evaluators free in when and how fast they work?",
        f"{_DESIGN}-evaluator_freedom",
        "several",
        ("fixed date", "time limit for each judgement", "time limit for the whole", "one sitting", "no such limit"),
    ),
    SheetQuestion(
        "3.3.6",
        "Can evaluators ask questions or comment?",
        f"{_DESIGN}-evaluators_can_ask_questions",
        "several",
        ("they can ask", "they are told that they can ask", "they comment afterwards", "other", "no"),
    ),
    SheetQuestion("3.3.7", "Where do evaluators work?", f"{_DESIGN}-experimental_conditions", "one", _PLACES),
    SheetQuestion("3.3.8", "How do these conditions vary?", f"{_DESIGN}-evaluators_place_of_choosing"),
    SheetQuestion(
        "4.1.1", "Which kind of quality?", f"{_QUALITY}-quality_type", "one", ("correctness", "goodness", "feature")
    ),
    SheetQuestion("4.1.2", "Of form or content?", f"{_QUALITY}-output_aspect", "one", ("form", "content", "both")),
    SheetQuestion(
        "4.1.3",
        "Measured against what?",
        f"{_QUALITY}-self_vs_external_frame",
        "one",
        ("the output alone", "the input", "something outside the system"),
    ),
    SheetQuestion(
        "4.2.1",
        "Objective or subjective?",
        f"{_MODE}-objective_or_subjective",
        "one",
        ("objective", "subjective"),
    ),
    SheetQuestion("4.2.2", "Absolute or relative?", f"{_MODE}-absolute_or_relative", "one", ("absolute", "relative")),
    SheetQuestion(
        "4.2.3",
        "Intrinsic or extrinsic?",
        f"{_MODE}-intrinsic_or_extrinsic",
        "one",
        ("intrinsic", "extrinsic"),
    ),
    SheetQuestion(
        "4.3.1.1", "What do evaluators know the criterion as?", f"{_ELICIT}-qc_name-participant_criterion_name"
    ),
    SheetQuestion("4.3.1.2", "Which standard criterion is that?", f"{_ELICIT}-qc_name-mapped_criterion_name"),
    SheetQuestion("4.3.2", "Which definition do evaluators get?", f"{_ELICIT}-participant_criterion_definiiton"),
    SheetQuestion("4.3.3", "How many values has the scale?", f"{_ELICIT}-size_of_scale"),
    SheetQuestion("4.3.4", "Which values?", f"{_ELICIT}-list_or_range"),
    SheetQuestion(
        "4.3.5",
        "How is the scale shown?",
        f"{_ELICIT}-scale_presented_as",
        "one",
        ("one of several options", "boxes to tick", "slider", "there is no scale", "other"),
    ),
    SheetQuestion("4.3.6", "Without a scale: what do evaluators do?", f"{_ELICIT}-task_description"),
    SheetQuestion("4.3.7", "What are evaluators asked, word for word?", f"{_ELICIT}-verbatim_question"),
    SheetQuestion("4.3.8", "Which form do responses have?", f"{_ELICIT}-form_of_response", "one", _FORMS),
    SheetQuestion("4.3.9", "How do responses become scores?", f"{_ELICIT}-response_aggregation"),
    SheetQuestion("4.3.10", "Which tests and effect sizes?", f"{_ELICIT}-effect_size_method"),
    SheetQuestion("4.3.11.1", "Agreement between evaluators: how measured?", f"{_ELICIT}-inter_annotator-agreement"),
    SheetQuestion("4.3.11.2", "Agreement between evaluators: how large?", f"{_ELICIT}-inter_annotator-agreement_score"),
    SheetQuestion(
        "4.3.12.1",
        "Agreement of evaluators with themselves: how measured?",
        f"{_ELICIT}-intra_annotator-intra_annotator_agreement",
    ),
    SheetQuestion(
        "4.3.12.2",
        "Agreement of evaluators with themselves: how large?",
        f"{_ELICIT}-intra_annotator-intra_annotator_agreement_score",
    ),
    SheetQuestion("5.1", "Which ethics committee approved it?", "ethics-review_body"),
    SheetQuestion(
        "5.2", "Are there personal data in texts or responses?", "ethics-personal_data", "one", ("no", "yes")
    ),
    SheetQuestion("5.3", "Are there data of special categories?", "ethics-special_category_data", "one", ("no", "yes")),
    SheetQuestion("5.4", "Was the impact assessed?", "ethics-impact_assessments"),
)
"""In the order of the form."""
BY_NUMBER = {question.number: question for question in QUESTIONS}
