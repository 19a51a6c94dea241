from __future__ import annotations

from dataclasses import replace

from textassay.headline import Headline
from textassay.report.outline import outline
from textassay.report.summary import BlockSummary, QuestionSummary, Section
from textassay.results import Analysis, Figure, Table

CLARITY, FLUENCY = (Headline(name, (("Said.",),)) for name in ("clarity", "fluency"))
BLOCK = BlockSummary("quality", "Rating scales", (QuestionSummary("clarity", "How clear is it?", "1 to 7"),))


def figure(name: str, subject: str = "") -> Figure:
    return Figure(name, name, "means", {}, subject=subject)


def compared(**more: object) -> Analysis:
    return Analysis(
        "systems",
        "Systems compared",
        tables=(
            Table("means", "Means", ("Criterion", "System"), (("clarity", "a"), ("fluency", "b"), ("clarity", "c"))),
            Table("ranks", "Ranks", ("System",), (("a",),), subject="fluency"),
            Table("all", "All", ("System",), (("a",),)),
        ),
        figures=(figure("f", "fluency"), figure("c", "clarity"), figure("both")),
        headlines=(CLARITY, FLUENCY),
        **more,  # type: ignore[arg-type]
    )


def test_the_order_of_a_report_whatever_the_order_of_analyses() -> None:
    places = ("published", "metrics", "details", "participants", "agreement", "results")
    sections = [Section(place, Analysis(place, place, place=place)) for place in places]  # type: ignore[arg-type]
    ordered = [section.heading for section in outline(sections, ())]
    assert ordered == ["results", "agreement", "participants", "metrics", "details", "published"]


def test_each_criterion_has_a_section_with_what_is_about_it() -> None:
    clarity, fluency = outline([Section("Systems compared", compared())], [BLOCK])
    assert (clarity.heading, clarity.headlines) == ("clarity", (CLARITY,))
    assert clarity.question == QuestionSummary("clarity", "How clear is it?", "1 to 7")
    assert [(table.name, table.columns, table.rows) for table in clarity.tables] == [
        ("means-clarity", ("System",), (("a",), ("c",)))
    ]
    assert [each.name for each in clarity.figures] == ["c"]
    assert (fluency.heading, fluency.question) == ("fluency", None)
    # what is about all of them comes last
    assert [table.name for table in fluency.tables] == ["means-fluency", "ranks", "all"]
    assert [each.name for each in fluency.figures] == ["f", "both"]


def test_no_row_is_lost() -> None:
    analysis = compared()
    # about something that has no section, with its own name or in a row
    stray = (
        Table("x", "X", ("n",), ((1,), (2,)), subject="length"),
        Table("y", "Y", ("Measure", "n"), (("speed", 3),)),
    )
    figures = (*analysis.figures, figure("l", "length"))
    analysis = replace(analysis, tables=(*analysis.tables, *stray), figures=figures)
    found = outline([Section("Systems compared", analysis)], [BLOCK])
    assert sum(len(table.rows) for section in found for table in section.tables) == 8
    assert [table.rows for table in found[-1].tables[-2:]] == [((1,), (2,)), (("speed", 3),)]
    assert sorted(each.name for section in found for each in section.figures) == ["both", "c", "f", "l"]


def test_notes_go_to_the_criterion_they_name() -> None:
    warnings = ("fluency: few", "clarity, fluency: both", "all: of them", "clarity: only", "clarity")
    clarity, fluency = outline([Section("S", compared(warnings=warnings, cautions=("fluency: separated",)))], [BLOCK])
    assert clarity.notes == ("both", "all: of them", "only", "clarity")
    assert fluency.notes == ("few", "both")
    assert (clarity.cautions, fluency.cautions) == ((), ("separated",))


def test_of_several_blocks_a_heading_names_the_block_and_its_own_question() -> None:
    other = BlockSummary("again", "Rating scales", (QuestionSummary("clarity", "And now?"),))
    found = outline([Section("S", compared(), "again")], [BLOCK, other])
    assert found[0].heading == "again: clarity"
    assert found[0].question == QuestionSummary("clarity", "And now?")
    assert outline([Section("S", compared())], [BLOCK, other])[0].question is None


def test_an_analysis_without_headlines_is_one_section() -> None:
    table = Table("t", "T", ("Criterion", "n"), (("clarity", 1),))
    (only,) = outline([Section("Cohorts", Analysis("c", "C", tables=(table,), warnings=("w",)))], [BLOCK])
    assert (only.heading, only.tables, only.notes) == ("Cohorts", (table,), ("w",))


def test_a_measure_without_a_headline_has_a_section_if_there_is_something_about_it() -> None:
    subjects = {"clarity": "Clarity (0 to 1)", "length": "Length in words", "ranks": "Ranks", "speed": "Speed"}
    more = Table("length", "Length", ("Measure", "n"), (("length", 1), ("clarity", 2)))
    analysis = compared(subjects=subjects, warnings=("length: few",))
    found = outline([Section("S", replace(analysis, tables=(*analysis.tables, more)), "again")], [BLOCK])
    assert [section.heading for section in found] == [
        "again: Clarity (0 to 1)", "again: fluency", "again: Length in words"
    ]  # fmt: skip
    clarity, fluency, length = found
    assert [table.rows for table in length.tables] == [((1,),)]
    assert (length.headlines, length.notes) == ((), ("few",))
    assert [table.name for table in clarity.tables] == ["means-clarity", "length-clarity"]
    # what is about all of them stays with the last that has a headline
    assert [table.name for table in fluency.tables] == ["means-fluency", "ranks", "all"]
