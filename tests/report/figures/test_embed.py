from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from made_up_results import made_up

from textassay.report.figures.draw import render, systems_in
from textassay.report.figures.drawing import Mark
from textassay.report.figures.embed import page_svg
from textassay.report.figures.style import Palette

_, PARTS = made_up()
FIGURES = [figure for part in PARTS for figure in part.valid.figures if figure.name != "participants"]


@pytest.fixture(scope="module")
def elements() -> list[ET.Element]:
    palette = Palette.of(systems_in(FIGURES))
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
