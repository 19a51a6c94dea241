"""METEOR against the values of the program METEOR 1.5, and its parts by hand."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from textassay.errors import UsageError
from textassay.metrics import metric, score
from textassay.metrics.meteor import TASKS
from textassay.metrics.meteor_alignment import aligned, exact, keyed
from textassay.metrics.meteor_data import WordNet, read_paraphrases, read_wordnet
from textassay.metrics.tokenisers.meteor_norm import meteor_words
from textassay.metrics.tokenisers.porter2 import porter2

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "meteor.json").read_text("utf-8"))
HYPOTHESES = [row["hypothesis"] for row in GOLDEN["rows"]]
REFERENCES = [row["references"] for row in GOLDEN["rows"]]
PHRASES = (
    ("near the station", "by the station"),
    ("a cheap", "an inexpensive"),
    ("quickly", "fast"),
    ("the biggest one", "the largest"),
)


@pytest.mark.parametrize("task", TASKS)
def test_equals_the_program(task: str) -> None:
    result, program = score("meteor", HYPOTHESES, REFERENCES, task=task), GOLDEN["scores"][task]
    assert result.segments.tolist() == pytest.approx(program["segments"], abs=1e-12)
    assert result.corpus == pytest.approx(program["corpus"], abs=1e-12)


def test_equals_the_program_with_paraphrases(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("".join(f"0.5\n{one}\n{other}\n" for one, other in PHRASES), encoding="utf-8")
    result, program = score("meteor", HYPOTHESES, REFERENCES, paraphrases=str(table)), GOLDEN["scores"]["paraphrase"]
    assert result.segments.tolist() == pytest.approx(program["segments"], abs=1e-12)
    assert result.corpus == pytest.approx(program["corpus"], abs=1e-12)
    assert "modules:exact.stem.paraphrase" in result.signature
    assert "para:sha256-" in result.signature
    assert program["segments"] != GOLDEN["scores"]["rank"]["segments"]


def test_formula_by_hand() -> None:
    # "walks" and "walking" match by stem, weight 0.6: precision and recall 0.6, no penalty for a complete match.
    # "dog barks" in "dog sleeps": P = R = 1/2, one chunk of one word: penalty 0.6, score 0.5 · 0.4.
    result = score("meteor", ["walks", "dog barks", "x"], [["walking"], ["dog sleeps"], ["y"]])
    assert result.segments.tolist() == pytest.approx([0.6, 0.2, 0])


def test_inexact_words_alone_in_a_chunk() -> None:
    # Seen in the program: with two candidates, one inexact word begins no chunk of its own, but continues one.
    modules = [exact, keyed(porter2)]
    assert aligned(["walks", "walks"], ["walking"], modules)[0] == ()
    matches, chunks = aligned(["a", "walks"], ["a", "walking", "walking"], modules)
    assert [(match.module, match.start, match.reference_start) for match in matches] == [(0, 0, 0), (1, 1, 1)]
    assert chunks == 1


# Expected: meteor-1.5.jar -l en -norm -m 'exact stem', or -m 'exact paraphrase' -a TABLE. None is a function word, so
# with task `rank` P and R are weighed matches over words, F = PR / (.85 P + .15 R), score = F (1 - .6 (chunks /
# matches)^.2).
TIES = [
    # A chunk counts once it is closed, and "dog" at the start closes none: the fourth "dog" alone and "dog dog fox" as
    # one chunk, 4 matches in 2 chunks: P = 4/5, R = 4/6, F = .6838, penalty .5223.
    ("dog dog fox dog cat", "dog dog dog dog dog fox", "", 0.32661173471612),
    # The first "walking" takes the exact word, worth 2; its other candidates come later in the order, and nothing is
    # free to continue the chunk: 1 match, P = 1/3, R = 1/2, F = .4651, penalty .6.
    ("walks walks walking", "walking walking", "", 0.18604651162790697),
    # One direction: "fast" has one candidate, so it is certain: P = R = (1 + .6)/2, penalty .6.
    ("fast dog", "dog quickly", "quickly fast", 0.32),
    # Both directions: two candidates, so it is not certain, counts nothing and would begin a chunk: only "dog" matches.
    ("fast dog", "dog quickly", "quickly fast, fast quickly", 0.2),
    # One direction: as with "walks". Both: the exact word for the second "quickly", after a "fast" that continues to it
    # and costs no more distance: P = 1.6/3, R = 1.6/2, F = .7442, 2 matches in 1 chunk.
    ("fast fast quickly", "quickly quickly", "quickly fast", 0.18604651162790697),
    ("fast fast quickly", "quickly quickly", "quickly fast, fast quickly", 0.35547509731893995),
]


@pytest.mark.parametrize(("hypothesis", "reference", "table", "program"), TIES)
def test_equally_good_alignments(hypothesis: str, reference: str, table: str, program: float, tmp_path: Path) -> None:
    options: dict[str, object] = {}
    if table:
        entries = (entry.split() for entry in table.split(", "))
        (tmp_path / "table").write_text("".join(f"0.5\n{one}\n{other}\n" for one, other in entries), encoding="utf-8")
        options = {"paraphrases": str(tmp_path / "table"), "stem": False}
    assert metric("meteor", **options).one(hypothesis, reference) == pytest.approx(program, abs=1e-12)


def test_a_table_that_changes_is_read_anew(tmp_path: Path) -> None:
    table = tmp_path / "table"
    for second, value in (("fast", 0.32), ("slow", 0.2)):
        table.write_text(f"0.5\nquickly\n{second}\n", encoding="utf-8")
        made = metric("meteor", paraphrases=str(table), stem=False)
        assert made.one("fast dog", "dog quickly") == pytest.approx(value)


def test_words_that_are_not_normalised() -> None:
    # The program without -norm: "The" is a function word too, .25 / (.25 + .75) with penalty .6; a no-break space parts
    # no words, so that one of two matches: .5 with penalty .6.
    made = metric("meteor", tokeniser="none")
    assert made.one("The dog", "The cat") == pytest.approx(0.1)
    assert made.one("the\xa0dog barks", "the\xa0dog runs") == pytest.approx(0.2)
    # Stems keep capitals: "Dogs" has the stem "Dog", and "Youth" is not "youth".
    assert made.one("Dogs", "dog") == made.one("Youth", "youth") == 0
    assert made.one("Dogs", "Dog") == made.one("dogs", "dog") == pytest.approx(0.6)


def test_stems_of_capitals() -> None:
    # The stemmer marks a y that is a consonant by Y, and gives up every Y where it has marked one.
    assert [porter2(word) for word in ("Youth", "Boys", "Yays")] == ["Youth", "Boy", "yay"]


def test_base_forms() -> None:
    # As in the program: forms that WordNet lists go before rules, and of the rules the first that makes a word counts.
    sets = {"leave": "1", "leav": "2", "leaf": "3", "car": "4", "care": "5"}
    wordnet = WordNet({word: frozenset(ids) for word, ids in sets.items()}, {"leaves": ["leaf"]})
    assert wordnet.synsets("leaves") == {"3"}
    assert wordnet.synsets("caring") == {"5"}
    assert wordnet.synsets("carer") == {"4"}
    assert wordnet.synsets("cares") == {"5"}
    assert wordnet.synsets("car") == {"4"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't say ``no'' 'again'...", "don 't say \" no \" ' again ' ..."),
        ("A state-of-the-art 3,500 euros, e.g. 5% - No. 5", "a state of the art 3,500 euros , eg 5 % - no. 5"),
        ("The end. Of αβ", "the end . of α β"),
        (" ", ""),
    ],
)
def test_words(text: str, words: str) -> None:
    assert " ".join(meteor_words(text)) == words


def test_synonyms_from_wordnet_files(tmp_path: Path) -> None:
    # As in WordNet: lemma, part of speech, number of synsets, number of pointers, … and the synsets last.
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("  1 licence text\n", encoding="utf-8")
        (tmp_path / f"{part}.exc").write_text("", encoding="utf-8")
    with (tmp_path / "index.noun").open("a", encoding="utf-8") as file:
        file.write("car n 2 0 2 1 00000001 00000002  \nautomobile n 1 0 1 1 00000001  \nmouse n 1 0 1 1 00000009  \n")
    (tmp_path / "noun.exc").write_text("mice mouse\n", encoding="utf-8")
    wordnet = read_wordnet(str(tmp_path))
    assert wordnet.synsets("cars") == {"00000001", "00000002"}
    assert wordnet.synsets("mice") == {"00000009"}
    assert wordnet.synsets("unknown") == frozenset()
    result = score("meteor", ["the cars"], [["the automobile"]], wordnet=str(tmp_path))
    # The synonym has weight 0.8; δ = 0.75 for the content word, 0.25 for "the", which matches as it is.
    assert result.corpus == pytest.approx(0.75 * 0.8 + 0.25)


def test_data_of_a_jar(tmp_path: Path) -> None:
    jar = tmp_path / "meteor.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.writestr("function/english.words", "of\nzum\n")
        file.writestr("nonbreaking/english.prefixes", "# comment\nZt\nNum #NUMERIC_ONLY#\n")
        file.writestr("synonym/english.synsets", "big\n1 2\nlarge\n2\n")
        file.writestr("synonym/english.exceptions", "big\nbigly\n")
    made = metric("meteor", jar=str(jar))
    signature = score(made, ["big"], [["large"]]).signature
    assert "|wordnet:jar|" in signature
    assert "|func:jar|" in signature
    assert made.one("bigly", "large") == pytest.approx(0.8)
    assert made.one("Zt. X", "zt. x") == 1


def test_messages(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not METEOR's program file"):
        score("meteor", ["a"], [["a"]], jar=str(tmp_path / "none.jar"))
    short = tmp_path / "table"
    short.write_text("0.5\none\n", encoding="utf-8")
    with pytest.raises(UsageError, match="three lines"):
        read_paraphrases(str(short))
    with pytest.raises(UsageError, match="cannot be read"):
        score("meteor", ["a"], [["a"]], wordnet=str(tmp_path))
