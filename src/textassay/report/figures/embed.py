"""matplotlib's SVG made fit to stand in a page.

The page's security policy forbids `style` attributes, so they become presentation attributes; ids become the figure's
own, because a page holds several figures; the elements that stand for somebody say for whom.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from textassay.report.figures.drawing import Mark

_LINK = re.compile(r"url\(#([^)]+)\)|^#(.+)$")
_NOT_TURNED = re.compile(r"rotate\(-?0(\.0+)? ")
_FONT = re.compile(r"(?:(?P<weight>bold|\d{3}) )?(?P<size>[\d.]+)px .*", re.DOTALL)
_DROPPED_TAGS = frozenset({"metadata", "style"})
_DROPPED_STYLES = frozenset({"font-family", "font-style"})
"""The page has a font of its own, for all scripts."""


def page_svg(svg: str, prefix: str, marks: Mapping[str, Mark], alt: str) -> str:
    """The SVG as an element of a page.

    Args:
        svg: What matplotlib wrote.
        prefix: Goes before each id.
        marks: Mark by the id of its element.
        alt: The figure in a few words, for those who cannot see it.
    """
    root = ET.fromstring(svg)  # noqa: S314 -- matplotlib has just written it
    links = {link for element in root.iter() for link in _links(element)}
    _clean(root, prefix, links, marks)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "direction": "ltr",
        "stroke-linejoin": "round",  # what matplotlib says in a <style> that would reach beyond the figure
        "stroke-linecap": "butt",
    }
    return ET.tostring(root, encoding="unicode")


def _links(element: ET.Element) -> list[str]:
    found = (_LINK.search(value) for value in element.attrib.values())
    return [match.group(1) or match.group(2) for match in found if match]


def _clean(element: ET.Element, prefix: str, links: set[str], marks: Mapping[str, Mark]) -> None:
    element.tag = _local(element.tag)
    element.attrib = _attributes(element, prefix, links)
    for child in list(element):
        if _local(child.tag) in _DROPPED_TAGS:
            element.remove(child)
            continue
        gid = child.get("id", "")
        _clean(child, prefix, links, marks)
        if gid in marks:
            child.set("data-mark", marks[gid].name)
            title = ET.Element("title")
            title.text = marks[gid].tip
            child.insert(0, title)
    if element.tag not in ("text", "tspan", "title"):
        element.text = None
    element.tail = None


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _attributes(element: ET.Element, prefix: str, links: set[str]) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for key, value in element.attrib.items():
        name = _local(key)
        if name == "style":
            attributes |= _presentation(value)
        elif name == "id":
            if value in links:
                attributes["id"] = f"{prefix}-{value}"
        elif not (name == "transform" and _NOT_TURNED.match(value)):
            attributes[name] = _LINK.sub(lambda match: _renamed(match, prefix), " ".join(value.split()))
    return attributes


def _renamed(match: re.Match[str], prefix: str) -> str:
    return f"url(#{prefix}-{match.group(1)})" if match.group(1) else f"#{prefix}-{match.group(2)}"


def _presentation(style: str) -> dict[str, str]:
    """The declarations of a style attribute as attributes.

    >>> _presentation("font: 700 9px 'DejaVu Sans'; text-anchor: end")
    {'font-weight': '700', 'font-size': '9px', 'text-anchor': 'end'}
    """
    attributes: dict[str, str] = {}
    for declaration in style.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if name == "font" and (font := _FONT.fullmatch(value)):  # matplotlib up to 3.9
            attributes |= {"font-weight": font["weight"]} if font["weight"] else {}
            attributes["font-size"] = f"{font['size']}px"
        elif name and name not in _DROPPED_STYLES:
            attributes[name] = value
    return attributes
