"""CoNLL-U: what is read, and what each mistake is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parses import conllu, parsed

from textassay.content.conllu import ParsedSentence, forest_problem, read_conllu, texts_by_name
from textassay.errors import ProblemsError


def rows(*lines: str) -> str:
    """Lines with spaces for tabs."""
    return "\n".join(line if line.startswith("#") else line.replace(" ", "\t") for line in lines) + "\n"


GOOD = rows("# sent_id = s1", "1 Zum _ ADP _ _ 2 case _ _", "2 Haus Haus NOUN _ _ 0 root _ _")


def test_words_heads_types_and_comments_are_kept() -> None:
    [sentence] = read_conllu(GOOD)
    assert sentence == ParsedSentence(
        ("Zum", "Haus"), (2, 0), ("case", "root"), ("_", "Haus"), ("ADP", "NOUN"), {"sent_id": "s1"}, 2
    )


def test_multiword_tokens_and_empty_nodes_are_counted_but_are_no_words() -> None:
    lines = ("1-2 Zum _ _ _ _ _ _ _ _", "1 zu _ _ _ _ 3 case _ _", "2 dem _ _ _ _ 3 det _ _")
    text = rows(*lines, "3 Haus _ _ _ _ 0 root _ _", "3.1 _ _ _ _ _ _ _ 3:conj _")
    [sentence] = read_conllu(text)
    assert (sentence.forms, sentence.multiword_tokens, sentence.empty_nodes) == (("zu", "dem", "Haus"), 1, 1)


@pytest.mark.parametrize("text", [GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, GOOD + "\n\n", "\n\n" + GOOD, GOOD[:-1]])
def test_line_ends_a_byte_order_mark_and_empty_lines_do_not_matter(text: str) -> None:
    [sentence] = read_conllu(text)
    assert sentence.forms == ("Zum", "Haus")


def test_a_head_beyond_the_usual_numbers_is_read() -> None:
    words = [f"{word} w _ _ _ _ {word - 1} dep _ _" for word in range(1, 702)]
    [sentence] = read_conllu(rows(*words))
    assert sentence.heads[-1] == 700


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (("1 a _ _ 0 root _ _",), 1, "8 columns instead of 10; separate them by tabs, with _ if empty"),
        (("# c", "1 a _ _ _ _ 0 root _ _", "# late"), 3, "a comment inside a sentence; put comments first"),
        (("# only",), 1, "comments without a sentence"),
        (("2 a _ _ _ _ 0 root _ _",), 1, "the ID is '2', but this is word 1 of its sentence; count from 1"),
        (("1 a _ _ _ _ 0 root _ _", "1 b _ _ _ _ 0 root _ _"), 2, "an empty line is missing before a new sentence"),
        (("x a _ _ _ _ 0 root _ _",), 1, "the ID is 'x'"),
        (("1-x a _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 root _ _"), 1, "'1-x' is no ID"),
        (("1 a _ _ _ _ 0 root _ _", "2-3 b _ _ _ _ _ _ _ _"), 2, "the multiword token 2-3 is before word 2 of 1"),
        (("2-1 b _ _ _ _ _ _ _ _", "1 a _ _ _ _ 0 root _ _"), 1, "put it before its first word"),
        (("1.1 b _ _ _ _ _ _ _ _",), 1, "a sentence without words; remove it"),
        (("1 a _ _ _ _ _ root _ _",), 1, "word 1 has no head; parse the text first"),
        (("1 a _ _ _ _ 1_0 root _ _",), 1, "word 1 has the head '1_0'; give the number of a word"),
        (("1 a _ _ _ _ -1 root _ _",), 1, "word 1 has the head '-1'"),
        (("1 a _ _ _ _ 3 root _ _",), 1, "the head of word 1 is 3, but the sentence has 1 word"),
        (("1 a _ _ _ _ 1 dep _ _",), 1, "word 1 is above itself (1 → 1); a sentence must be a tree"),
        (
            ("1 a _ _ _ _ 0 root _ _", "2 b _ _ _ _ 3 dep _ _", "3 c _ _ _ _ 4 dep _ _", "4 d _ _ _ _ 3 dep _ _"),
            3,
            "word 3 is above itself (3 → 4 → 3)",
        ),
        (("1 a _ _ _ _ 0 _ _ _",), 1, "word 1 has no DEPREL"),
        (("1  _ _ _ _ 0 root _ _",), 1, "word 1 has no FORM"),
    ],
)
def test_mistakes_are_named_with_their_line(lines: tuple[str, ...], line: int, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_conllu(rows(*lines), "parses.conllu")
    [problem] = caught.value.problems
    assert problem.line == line
    assert message in problem.message


def test_spaces_in_place_of_tabs_are_recognised() -> None:
    with pytest.raises(ProblemsError, match=r"^a:1: 1 column instead of 10; separate them by tabs, not spaces$"):
        read_conllu("1 a _ _ _ _ 0 root _ _\n", "a")


def test_every_sentence_with_a_mistake_is_named() -> None:
    with pytest.raises(ProblemsError) as caught:
        read_conllu(rows("1 a _ _ _ _ 1 dep _ _", "", "1 a _ _ _ _ 0 root _ _", "", "1 a _ _ _ _ 9 dep _ _"))
    assert [problem.line for problem in caught.value.problems] == [1, 5]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=7))
def test_a_forest_is_what_every_word_leaves_towards_a_root(heads: list[int]) -> None:
    def reaches_root(word: int) -> bool:
        for _ in range(len(heads) + 1):
            if word == 0:
                return True
            if not 0 <= heads[word - 1] <= len(heads):
                return False
            word = heads[word - 1]
        return False

    sound = all(0 <= head <= len(heads) for head in heads) and all(
        reaches_root(word) for word in range(1, len(heads) + 1)
    )
    assert (forest_problem(heads) is None) == sound


@settings(max_examples=200)
@given(st.text(alphabet="12-.0_a#=\t\n ", max_size=60) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        sentences = read_conllu(text)
    except ProblemsError:
        return
    assert all(len(sentence) for sentence in sentences)


def test_a_german_treebank_is_read_whole(data_dir: Path) -> None:
    # A second count of the lines: those that begin with "1", with a number, and with two numbers.
    text = (data_dir / "german-ud" / "de_gsd-ud-dev.conllu").read_text(encoding="utf-8")
    sentences = read_conllu(text)
    lines = [line.split("\t")[0] for line in text.splitlines() if "\t" in line]
    assert len(sentences) == lines.count("1") == 799
    assert sum(map(len, sentences)) == sum(line.isdecimal() for line in lines)
    assert sum(sentence.multiword_tokens for sentence in sentences) == sum("-" in line for line in lines)


def named(*comments: str, notation: str = "a>0:root") -> str:
    return "".join(f"# {comment}\n" for comment in comments) + conllu(notation)


def test_comments_say_which_text_a_sentence_is_of() -> None:
    text = "\n".join(
        [
            named("item = 1", "system = A", "parser = p-1"),
            conllu("b>0:root"),
            named("system = B"),
            named("item = 2", "system = A"),
            named("item = 1", "role = reference"),
            named("newdoc", "item = 1", "role = reference"),
        ]
    )
    systems, references = texts_by_name(read_conllu(text))
    assert list(systems) == [("1", "A"), ("1", "B"), ("2", "A")]
    assert [sentence.forms for sentence in systems["1", "A"].sentences] == [("a",), ("b",)]
    assert systems["1", "A"].parser == "p-1"
    assert [len(text) for text in references["1"]] == [1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (named(), "no comment says which text this is; add '# item = …' and '# system = …' above it"),
        (named("item = 1"), "item 1: no comment says whose text this is; add '# system = …'"),
        (named("item = 1", "role = gold"), "# role = gold; it is system or reference"),
        (
            "\n".join([named("item = 1", "system = A"), named("system = B"), named("system = A")]),
            "item 1, system A: duplicate of the text in line 3",
        ),
    ],
)
def test_texts_without_a_name_are_refused(text: str, message: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        texts_by_name(read_conllu(text), "parses.conllu")
    assert message in str(caught.value)


def test_a_short_notation_of_the_tests_is_what_the_reader_reads() -> None:
    notation = "the>2:det dog>3:nsubj barks>0:root | yes>0:root"
    read = read_conllu(conllu(notation))
    assert [each.forms for each in read] == [each.forms for each in parsed(notation).sentences]
