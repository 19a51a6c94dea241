"""Ontologies, parses and trees against their peers, both sides in one run.

    python3 run.py bench content

Prints a table of ratios and keeps it with machine and versions in `benchmarks/results/content.json`. Both sides must
give the same numbers. A bar that is a time and not a ratio has the time allowed as its other side.
"""

from __future__ import annotations

import math
import random
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyconll
import rdflib
from _house import Row, best_of, keep, machine, shown
from apted import APTED, Config
from apted.helpers import Tree
from rapidfuzz.distance import Indel

from textassay.content.annotation_tree import LabelledTree, edit_distances
from textassay.content.conllu import read_conllu
from textassay.content.ontology_files import read_ontology
from textassay.kernels.lcs import lcs_lengths

CONCEPTS = 100_000
PREFIXES = (
    "@prefix : <http://example.org/made-up#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from ontologies(Path(folder))
    yield from parses()
    yield from trees()


def made_up_ontology(path: Path, concepts: int) -> Path:
    """A hierarchy of some ten levels with labels, and a restriction at every tenth concept."""
    draw = random.Random(1)
    lines = [PREFIXES]
    for number in range(concepts):
        said = [f'a owl:Class ; rdfs:label "concept {number}"']
        if number:
            said.append(f"rdfs:subClassOf :c{draw.randrange(number // 3 + 1)}")
        if number % 10 == 9:
            some = f"owl:onProperty :concerns ; owl:someValuesFrom :c{draw.randrange(concepts)}"
            said.append(f"rdfs:subClassOf [ a owl:Restriction ; {some} ]")
        lines.append(f":c{number} {' ; '.join(said)} .\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def ontologies(folder: Path) -> Iterator[Row]:
    path = made_up_ontology(folder / "made-up.ttl", CONCEPTS)

    def peer() -> dict[str, set[str]]:
        graph = rdflib.Graph().parse(path)
        above: dict[str, set[str]] = {}
        for child, parent in graph.subject_objects(rdflib.RDFS.subClassOf):
            if isinstance(parent, rdflib.URIRef):
                above.setdefault(str(child), set()).add(str(parent))
        closed: dict[str, set[str]] = {}
        for number in range(CONCEPTS):  # parents come before their children in this file
            name = f"http://example.org/made-up#c{number}"
            closed[name] = {name}.union(*(closed[each] for each in above.get(name, ())))
        return closed

    found = read_ontology(path)
    pairs = found.closed()
    ours = best_of(3, lambda: read_ontology(path).closed())
    theirs = best_of(1, peer)
    same("pairs of concept and superconcept", pairs, sum(map(len, peer().values())))
    yield Row(f"{CONCEPTS:,} concepts loaded and closed", ours, "rdflib", theirs, 4)
    yield Row(f"{CONCEPTS:,} concepts loaded and closed", ours, "3 s", 3.0, 1)


def made_up_parses(sentences: int) -> str:
    draw = random.Random(2)
    lines = []
    for number in range(sentences):
        words = draw.randrange(8, 30)
        lines.append(f"# sent_id = s{number}\n# text = made up")
        root = draw.randrange(1, words + 1)
        for word in range(1, words + 1):
            head = 0 if word == root else (root if word < root or draw.random() < 0.5 else word - 1)
            head = head if head != word else root
            feats = "Case=Nom|Gender=Fem|Number=Sing" if word % 3 else "_"
            deprel = "root" if head == 0 else draw.choice(["nsubj", "obj", "det", "amod", "obl"])
            lines.append(
                f"{word}\twort{draw.randrange(999)}\twort\tNOUN\tNN\t{feats}\t{head}\t{deprel}\t_\tSpaceAfter=No"
            )
        lines.append("")
    return "\n".join(lines)


def parses() -> Iterator[Row]:
    text = made_up_parses(5_000)
    same("words", sum(map(len, read_conllu(text))), sum(map(len, pyconll.load_from_string(text))))
    ours, theirs = best_of(5, partial(read_conllu, text)), best_of(3, partial(pyconll.load_from_string, text))
    yield Row("CoNLL-U, 5,000 sentences", ours, "pyconll", theirs, 3)


class Costs(Config):
    """Those of our own default: a changed label costs as much as a deletion and an insertion."""

    def rename(self, node1: Tree, node2: Tree) -> int:
        """What it costs to give one node the label of the other."""
        return 0 if node1.name == node2.name else 2


def made_up_tree(nodes: int, seed: int) -> LabelledTree:
    draw = random.Random(seed)
    depths = [0]
    for _ in range(nodes - 1):
        depths.append(draw.randrange(1, min(depths[-1] + 1, 8) + 1))
    return LabelledTree(tuple(str(draw.randrange(12)) for _ in depths), tuple(depths))


def in_brackets(tree: LabelledTree) -> str:
    text, deepest = "", -1
    for label, depth in zip(tree.labels, tree.depths, strict=True):
        text += "}" * (deepest - depth + 1) + "{" + label
        deepest = depth
    return text + "}" * (deepest + 1)


def trees() -> Iterator[Row]:
    for nodes, bar in ((30, math.nan), (100, math.nan), (300, 50.0)):
        first, second = made_up_tree(nodes, 1), made_up_tree(nodes, 2)
        others = Tree.from_text(in_brackets(first)), Tree.from_text(in_brackets(second))

        def peer(one: Tree = others[0], other: Tree = others[1]) -> int:
            return int(APTED(one, other, Costs()).compute_edit_distance())

        same(f"tree edit distance, {nodes} nodes", edit_distances([(first, second)])[0], peer())
        ours = best_of(5, partial(edit_distances, [(first, second)]))
        yield Row(f"tree edit distance, {nodes} nodes", ours, "apted", best_of(1, peer), bar)
    for nodes, bar in ((30, math.nan), (300, 0.8), (3_000, math.nan)):
        pairs = 300_000 // nodes
        draw = np.random.default_rng(nodes)
        labels = draw.integers(0, 40, size=2 * pairs * nodes)
        offsets = np.arange(0, len(labels) + 1, nodes)
        left = np.arange(0, 2 * pairs, 2)
        listed = [labels[start : start + nodes].tolist() for start in offsets[:-1]]

        def indel(texts: list[list[int]] = listed) -> list[int]:
            return [Indel.distance(texts[row], texts[row + 1]) for row in range(0, len(texts), 2)]

        def ours_of(all_labels: np.ndarray = labels, at: np.ndarray = offsets, one: np.ndarray = left) -> list[int]:
            common = lcs_lengths(all_labels, at, one, one + 1)
            return (2 * int(at[1]) - 2 * common).tolist()

        same(f"preorder distance, {nodes} nodes", ours_of(), indel())
        what = f"preorder distance, {pairs:,} pairs of {nodes:,} nodes"
        yield Row(what, best_of(5, ours_of), "rapidfuzz", best_of(5, indel), bar)


def same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise SystemExit(f"{what}: {ours} here, {theirs} there")


def main() -> int:
    about = machine("pyoxigraph", "rdflib", "pyconll", "apted", "rapidfuzz")
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    found: list[Row] = []
    for row in rows():
        found.append(row)
        print(shown(row), flush=True)
    keep("content", about, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
