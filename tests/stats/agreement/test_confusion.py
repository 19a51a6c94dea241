"""Two raters' labels as a confusion matrix that holds its filled cells only."""

import numpy as np
import pytest

from textassay.errors import DataError
from textassay.stats.agreement.confusion import confusion_of_lists, confusion_of_matrix


def test_lists_become_cells_and_margins():
    found = confusion_of_lists(["a", "b", "b", None], ["a", "a", "b", "b"], None, "kappa")
    assert (found.n, found.left_out) == (3, 1)
    assert list(zip(found.row.tolist(), found.column.tolist(), strict=True)) == [(0, 0), (1, 0), (1, 1)]
    assert found.rows == pytest.approx(np.array([1, 2]) / 3)
    assert found.columns == pytest.approx(np.array([2, 1]) / 3)


def test_matrix_keeps_empty_categories():
    found = confusion_of_matrix([[2, 0, 0], [1, 1, 0], [0, 0, 0]], None)
    assert found.categories.names == ("1", "2", "3")
    assert found.rows.tolist() == [0.5, 0.5, 0]
    assert found.row.size == 3


def test_measure_is_named_where_nothing_is_shared():
    with pytest.raises(DataError, match="some kappa needs items that both raters judged"):
        confusion_of_lists([None], [1], None, "some kappa")
    with pytest.raises(DataError, match="square"):
        confusion_of_matrix([[1, 2]], None)
    with pytest.raises(DataError, match="second must be a plain list"):
        confusion_of_lists([1, 2], 3, None, "kappa")
