"""Agreement of the annotators of PandaLM's test set, as its makers publish it. Apache-2.0; read, not copied."""

import json
from collections import Counter

import pytest

from textassay.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha, percentage_agreement


@pytest.fixture(scope="module")
def annotators(data_dir):
    stored = json.loads((data_dir / "pandalm" / "testset-v1.json").read_text(encoding="utf-8"))
    return [[pair[f"annotator{index}"] for pair in stored] for index in (1, 2, 3)]


def test_kappa_of_every_two_annotators(annotators):
    # The makers' README: .85, .88, .86 for 999 pairs.
    one, two, three = annotators
    found = [cohen_kappa(*pair) for pair in ((one, two), (one, three), (two, three))]
    assert sorted(round(result.kappa, 2) for result in found) == [0.85, 0.86, 0.88]
    assert {result.n for result in found} == {999}


def test_labels_of_the_majority(annotators):
    # 105 ties, 422 for the first, 472 for the second output.
    majority = Counter(Counter(labels).most_common(1)[0][0] for labels in zip(*annotators, strict=True))
    assert (majority[0], majority[1], majority[2]) == (105, 422, 472)


def test_all_three_together_agree_as_their_pairs_do(annotators):
    # Without gaps the mean of the pairwise kappas and Fleiss' kappa differ in the third digit only.
    one, two, three = annotators
    mean = sum(cohen_kappa(*pair).kappa for pair in ((one, two), (one, three), (two, three))) / 3
    kappa = fleiss_kappa(annotators).kappa
    assert kappa == pytest.approx(mean, abs=2e-3)
    assert krippendorff_alpha(annotators, level="nominal").alpha == pytest.approx(kappa + (1 - kappa) / 2997)
    assert percentage_agreement(annotators).agreement > kappa
