from __future__ import annotations

import io
import math
import re
import threading
import xml.etree.ElementTree as ET
import zlib
from functools import cache
from typing import Any

import matplotlib as mpl
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from made_up_results import made_up
from svg_only import svg_only

from textassay.errors import DataError, UsageError
from textassay.report.figures.drawing import Mark
from textassay.report.figures.render import (
    KINDS,
    RenderedFigure,
    describe_figure,
    figure_table,
    page_svg,
    render,
    systems_in,
)
from textassay.report.figures.style import Palette
from textassay.results import Figure

PALETTE = Palette.of(["a", "b"])
SMALL: dict[str, dict[str, Any]] = {
    "means": {
        "criterion": "clarity", "scale_from": 1, "scale_to": 7,
        "groups": [{"system": "a", "mean": 3.0, "low": 2.5, "high": 3.5, "n": 9},
                   {"system": "b", "mean": 5.0, "low": 4.5, "high": 5.5, "n": 9}],
    },
    "distribution": {"criterion": "clarity", "values": ["1", "2"], "systems": ["a", "b"], "counts": [[3, 1], [0, 4]]},
    "diagnostics": {"participants": [
        {"participant": "p1", "mean": 3.0, "sd": 1.0, "median_rt_ms": 900.0, "modal_share": 0.5, "agreement": 0.4,
         "excluded": False},
        {"participant": "p2", "mean": 4.0, "sd": 0.0, "median_rt_ms": 300.0, "modal_share": 1.0,
         "agreement": math.nan, "excluded": True},
    ]},
    "scatter": {
        "x_label": "BLEU", "y_label": "clarity", "r": 1.0, "p": 0.3333,
        "points": [{"label": "a", "system": "a", "x": 10.0, "y": 3.0},
                   {"label": "b", "system": "b", "x": 20.0, "y": 5.0}],
    },
    "courses": {
        "x_label": "place", "y_label": "time",
        "series": [{"system": "a", "points": [{"x": 1, "mean": 900.0, "low": 800.0, "high": 1000.0},
                                              {"x": 2, "mean": 700.0, "low": 600.0, "high": 800.0}]},
                   {"system": "b", "points": [{"x": 1, "mean": 950.0, "low": 800.0, "high": 1100.0}]}],
    },
    "heatmap": {"rows": ["1", "2"], "columns": ["a", "b"], "values": [[3, 1], [1, 3]],
                "row_label": "position", "column_label": "unit", "shown": "orders"},
    "matrix": {"rows": ["1"], "columns": ["x", "y"], "values": [[0.5, -0.5]], "texts": [[".50", "−.50*"]]},
    "rank-flow": {"systems": ["a", "b"], "columns": [{"name": "people", "ranks": [1, 2]}]},
    "weights": {"axis": "weight", "systems": True, "rows": [
        {"name": "a", "parts": [{"value": 0.5, "kind": "appropriate", "label": "1"}]},
        {"name": "b", "parts": [{"value": 0.25, "kind": "neutral", "label": "2"}]},
    ]},
    "text-means": {
        "criterion": "tau", "scale_from": -1, "scale_to": 1,
        "groups": [{"system": "text 1", "mean": 0.5, "low": 0.25, "high": 0.75, "n": 9}],
    },
}  # fmt: skip
EMPTY: dict[str, dict[str, Any]] = {
    "means": {"criterion": "clarity", "scale_from": None, "scale_to": None, "groups": []},
    "distribution": {"criterion": "clarity", "values": [], "systems": [], "counts": []},
    "diagnostics": {"participants": []},
    "scatter": {"x_label": "x", "y_label": "y", "points": [], "r": math.nan, "p": math.nan},
    "courses": {"x_label": "place", "y_label": "time", "series": []},
    "matrix": {"rows": [], "columns": [], "values": [], "texts": []},
    "rank-flow": {"systems": [], "columns": []},
    "heatmap": {"rows": [], "columns": [], "values": [], "row_label": "r", "column_label": "c", "shown": "orders"},
    "weights": {"axis": "weight", "rows": []},
    "text-means": {"criterion": "tau", "scale_from": None, "scale_to": None, "groups": []},
}
NEEDED = {
    "matrix": "texts", "rank-flow": "columns",
    "means": "groups", "distribution": "counts", "diagnostics": "participants", "scatter": "points",
    "courses": "series", "heatmap": "values", "text-means": "groups",
    "weights": "rows",
}  # fmt: skip
"""An entry that each kind cannot do without."""


def figure(kind: str, data: dict[str, Any] | None = None) -> Figure:
    return Figure(f"the-{kind}", f"The {kind}", kind, SMALL[kind] if data is None else data)


@cache
def drawn(kind: str) -> RenderedFigure:
    """The small figure, for all tests that only look at it."""
    return render(figure(kind), PALETTE)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_svg_pdf_and_png(kind: str) -> None:
    rendered = drawn(kind)
    assert rendered.files["svg"].startswith(b"<?xml")
    assert rendered.files["pdf"].startswith(b"%PDF-")
    assert rendered.files["png"].startswith(b"\x89PNG")
    assert rendered.missing == ""


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_data_give_the_same_bytes(kind: str) -> None:
    first, second = drawn(kind), render(figure(kind), PALETTE)
    assert first.files == second.files
    assert first.element("x") == second.element("x")


@pytest.mark.parametrize("kind", KINDS)
def test_pdf_has_no_type_3_fonts(kind: str) -> None:
    pdf = drawn(kind).files["pdf"]
    assert b"/Type3" not in pdf
    assert b"/CIDFontType2" in pdf or b"/TrueType" in pdf


def test_fonts_are_embedded_with_their_letters_but_without_what_sets_text() -> None:
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", drawn("means").files["pdf"], re.DOTALL)
    contents = [zlib.decompress(stream) for stream in streams]
    fonts = [TTFont(io.BytesIO(content)) for content in contents if content.startswith(b"\0\1\0\0")]
    assert fonts
    for font in fonts:
        assert {"glyf", "hmtx", "loca"} <= set(font.keys())
        assert not {"GDEF", "GPOS", "GSUB", "kern"} & set(font.keys())
    assert subset.load_font.__module__ == "fontTools.subset"  # as it was before


@pytest.mark.parametrize("kind", KINDS)
def test_no_data_give_a_figure_that_says_so(kind: str) -> None:
    empty = figure(kind, EMPTY[kind])
    assert b"to show" in render(empty, PALETTE).files["svg"]
    assert describe_figure(empty).startswith("There ")


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_entry_is_named(kind: str) -> None:
    data = dict(SMALL[kind])
    key = NEEDED[kind]
    del data[key]
    with pytest.raises(DataError, match=f"figure 'the-{kind}' of kind '{kind}' needs '{key}'"):
        render(figure(kind, data), PALETTE)


NUMBERS: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {
    "means": (("system", "mean", "low", "high", "n"), ("b", 5.0, 4.5, 5.5, 9)),
    "distribution": (("system", "1", "2"), ("b", 0.0, 4.0)),
    "diagnostics": (tuple(SMALL["diagnostics"]["participants"][0]), ("p1", 3.0, 1.0, 900.0, 0.5, 0.4, False)),
    "scatter": (("label", "system", "BLEU", "clarity"), ("a", "a", 10.0, 3.0)),
    "courses": (("system", "place", "time", "low", "high"), ("a", 1.0, 900.0, 800.0, 1000.0)),
    "heatmap": (("position", "a", "b"), ("1", 3.0, 1.0)),
    "matrix": (("row", "x", "y"), ("1", 0.5, -0.5)),
    "rank-flow": (("system", "people"), ("a", 1.0)),
    "weights": (("group", "name", "part", "kind", "value"), ("", "a", "1", "appropriate", 0.5)),
    "text-means": (("system", "mean", "low", "high", "n"), ("text 1", 0.5, 0.25, 0.75, 9)),
}
"""The columns and the first row of each kind's table."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_its_numbers_as_a_table(kind: str) -> None:
    found = figure_table(figure(kind))
    assert (found.columns, found.rows[0]) == NUMBERS[kind]
    assert figure_table(figure(kind, EMPTY[kind])).rows == ()


def test_an_unknown_kind_is_named_with_those_that_there_are() -> None:
    wrong = Figure("f", "F", "pie", {})
    with pytest.raises(
        UsageError, match=r"figure 'f': there is no kind 'pie'; use one of: courses, diagnostics, distribution, hea"
    ):
        render(wrong, PALETTE)


def test_systems_in_the_order_in_which_they_come() -> None:
    assert systems_in([figure(kind) for kind in KINDS]) == ["a", "b"]


def test_settings_of_matplotlib_are_neither_used_nor_changed() -> None:
    plain = drawn("means").files
    with mpl.rc_context({"font.size": 30.0, "svg.fonttype": "path", "lines.linewidth": 9.0}):
        before = dict(mpl.rcParams)
        assert render(figure("means"), PALETTE).files == plain
        assert dict(mpl.rcParams) == before


def test_figures_can_be_drawn_from_several_threads() -> None:
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(render(figure("scatter"), PALETTE).files["svg"])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_names_in_all_scripts_stay_text_in_svg_and_what_no_font_has_is_told() -> None:
    names = ["人間", "שלום", "قالب", "$x_1$ & <b>", "\U00100000"]
    groups = [
        {"system": name, "mean": float(n), "low": n - 0.5, "high": n + 0.5, "n": 3} for n, name in enumerate(names)
    ]
    odd = figure("means", {"criterion": "明瞭さ", "scale_from": None, "scale_to": None, "groups": groups})
    rendered = render(odd, Palette.of(names))
    texts = {element.text for element in ET.fromstring(rendered.element("f")).iter("text")}
    assert set(names) <= texts


@svg_only()
def test_the_whole_study_is_drawn() -> None:
    _, sections = made_up()
    figures = [one for section in sections for one in section.analysis.figures]
    palette = Palette.of(systems_in(figures))
    for one in figures:
        marks = render(one, palette).marks.values()
        assert {mark.name.partition(":")[0] for mark in marks} == (
            {"participant"} if one.kind == "diagnostics" else {"system"}
        )


_, SECTIONS = made_up()
FIGURES = [figure for section in SECTIONS for figure in section.analysis.figures if figure.name != "participants"]


@pytest.fixture(scope="module")
def elements() -> list[ET.Element]:
    palette = Palette.of(systems_in(FIGURES))
    with svg_only():
        return [ET.fromstring(render(figure, palette).element(f"f{n}")) for n, figure in enumerate(FIGURES)]


def test_nothing_that_the_security_policy_forbids(elements: list[ET.Element]) -> None:
    for root in elements:
        assert not list(root.iter("style"))
        assert not list(root.iter("metadata"))
        assert not [element for element in root.iter() if "style" in element.attrib]


def test_ids_are_unique_over_the_page_and_every_link_leads_somewhere(elements: list[ET.Element]) -> None:
    ids = [element.attrib["id"] for root in elements for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    text = "".join(ET.tostring(root, encoding="unicode") for root in elements)
    links = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))
    assert links
    assert links == set(ids)


def test_every_system_has_its_elements_in_every_figure(elements: list[ET.Element]) -> None:
    for root in elements:
        marks = {element.attrib["data-mark"] for element in root.iter() if "data-mark" in element.attrib}
        assert marks == {f"system:{system}" for system in systems_in(FIGURES)}


def test_a_figure_has_a_name_and_no_fixed_size(elements: list[ET.Element]) -> None:
    for root, figure in zip(elements, FIGURES, strict=True):
        assert root.tag == "svg"
        assert root.attrib["role"] == "img"
        assert root.attrib["aria-label"] == figure.title
        assert "viewBox" in root.attrib
        assert "width" not in root.attrib


def test_drawing_attributes_survive_and_text_is_escaped() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'width="9pt" viewBox="0 0 9 9">'
        '<defs><style>*{x:y}</style><path id="m" d="M 0 0\nL 1 1"/></defs>'
        '<g id="mark-1"><use xlink:href="#m" style="fill: #ffffff; stroke-width: 0.8"/></g>'
        '<text style="font: bold 9px \'DejaVu Sans\', sans-serif" transform="rotate(-0 1 1)">a &lt; b</text>'
        '<text transform="rotate(-90 1 1)">c</text></svg>'
    )
    found = page_svg(svg, "f", {"mark-1": Mark("system:<a>", "tip & more")}, 'alt "x"')
    root = ET.fromstring(found)
    assert root.attrib["aria-label"] == 'alt "x"'
    (use,) = root.iter("use")
    assert use.attrib == {"href": "#f-m", "fill": "#ffffff", "stroke-width": "0.8"}
    (group,) = root.iter("g")
    assert group.attrib == {"data-mark": "system:<a>"}
    assert group[0].tag == "title"
    assert group[0].text == "tip & more"
    first, second = root.iter("text")
    assert first.attrib == {"font-weight": "bold", "font-size": "9px"}
    assert first.text == "a < b"
    assert second.attrib == {"transform": "rotate(-90 1 1)"}
    assert next(root.iter("path")).attrib == {"id": "f-m", "d": "M 0 0 L 1 1"}
