from __future__ import annotations

import pytest

from textassay.headline import Headline, SystemName
from textassay.report.paste import PasteText, bibtex_text, latex_text, markdown_text, plain_tables
from textassay.report.summary import MethodsParagraph, MethodsText, Reference
from textassay.results import Table

HOLM = Reference("Holm 1979", ("Sture Holm",), 1979, "A simple procedure", "Scandinavian Journal 6(2)")
METHODS = MethodsText(
    (MethodsParagraph("Analysis", ("P_AP was tested (Holm 1979).", "min F′ < 5 %.")),),
    (HOLM,),
    Table("metric-signatures", "Metrics", ("metric", "computed as"), (("bleu", "bleu|case:mixed"),)),
)
MEANS = Table("means", "Means", ("system", "mean", "p", "signature"), (("a|b", 1.234, 0.0001, "x"),), "All of them.")
LONG = Table("long", "Long", ("n",), tuple((n,) for n in range(41)))
EMPTY = Table("empty", "Empty", ("n",), ())


@pytest.fixture(scope="module")
def text() -> PasteText:
    said = Headline("clarity", ((SystemName("a|b"), " was rated highest."),))
    return PasteText.of("R&D", METHODS, [said], [MEANS, LONG, EMPTY])


def test_main_tables_are_those_that_fit_a_page(text: PasteText) -> None:
    assert [table.name for table in text.tables] == ["means", "metric-signatures"]


def test_markdown(text: PasteText) -> None:
    written = markdown_text(text)
    assert "### Analysis\n\nP\\_AP was tested (Holm 1979). min F′ \\< 5 %.\n" in written
    assert "\na\\|b was rated highest.\n" in written
    assert "| system | mean | p |\n| --- | --- | --- |\n| a\\|b | 1.23 | \\<.001 |\n\nAll of them.\n" in written
    assert "- Sture Holm (1979). A simple procedure. Scandinavian Journal 6(2)." in written


def test_latex_escapes_everything(text: PasteText) -> None:
    written = latex_text(text)
    assert r"\paragraph{Analysis} P\_AP was tested (Holm 1979). min F$'$ $<$ 5 \%." in written
    assert r"a$|$b was rated highest." in written
    assert r"\label{tab:main-means}" in written
    assert written.count("{") == written.count("}")
    assert written.count(r"\begin{") == written.count(r"\end{")
    assert "_" not in written.replace(r"\_", "")


def test_bibtex() -> None:
    assert bibtex_text([HOLM]) == (
        "@misc{holm1979,\n  author = {Sture Holm},\n  title = {{A simple procedure}},\n"
        "  howpublished = {Scandinavian Journal 6(2)},\n  year = {1979},\n}\n"
    )


def test_tables_for_word_processors_are_rounded_and_without_signatures(text: PasteText) -> None:
    means, _ = plain_tables(text)
    assert (means.head, means.rows) == (("system", "mean", "p"), (("a|b", "1.23", "<.001"),))
