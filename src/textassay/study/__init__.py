"""The study file, read and checked; and studies made of texts that somebody has.

import textassay as ta

ta.study.from_frame(frame, "my-study")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textassay.study.study import Study

SCHEMA_FILE = Path(__file__).with_name("study.schema.json")
"""The JSON Schema of the study file, for editors."""


def from_frame(  # noqa: PLR0913 -- one for each option of `textassay new --from`
    frame: Any,
    directory: Path | str | None = None,
    *,
    item: str | None = None,
    systems: Sequence[str] = (),
    system: str | None = None,
    text: str | None = None,
    context: str | None = None,
    reference: str | Sequence[str] = (),
    task: str = "",
    items: int | None = None,
) -> Study:
    """Make a study of the texts in a data frame; what is not said of its columns is guessed.

    The columns may be in any layout that `textassay new --from` knows: a column for each system, a row for each text
    (`system`, `text`), all outputs in one column, conversations. Whatever is not certain is given as a warning.

    Example:
        >>> rows = [
        ...     {"id": 1, "prompt": "How is the sea?", "gpt-x": "The sea is calm.", "llama-y": "Calm."},
        ...     {"id": 2, "prompt": "How is the sky?", "gpt-x": "The sky is blue.", "llama-y": "Blue."},
        ... ]
        >>> study = from_frame(rows)
        >>> study.systems, len(study.texts)
        (('gpt-x', 'llama-y'), 4)

    Args:
        frame: A data frame of pandas or polars, a pyarrow table, a Hugging Face `Dataset`, a mapping of names to
            columns, or a list of dicts.
        directory: The directory to make, which must be new or empty; by default a temporary one, for a look.
        item: Column that identifies the item; "none" to number the rows.
        systems: Columns with the texts of one system each.
        system: Column with the name of the system, where each text has its own row.
        text: Column with the text, where each text has its own row.
        context: Column that is shown beside the text; "none" for none.
        reference: Column or columns with references; "none" for none.
        task: The kind of trial: rating (the default), side-by-side, preference, ranking or reading.
        items: Draw this many items at random instead of taking all.

    Raises:
        UsageError: it cannot be told what the columns are, or the directory is not empty.
        ProblemsError: the texts are not sound.
    """
    import tempfile  # noqa: PLC0415 -- the server imports this package, and makes no studies
    import warnings  # noqa: PLC0415

    from textassay.errors import UsageError  # noqa: PLC0415
    from textassay.study.from_files.frames import in_python, table_of  # noqa: PLC0415
    from textassay.study.from_files.layout import Said  # noqa: PLC0415
    from textassay.study.from_files.new_study import study_from_table  # noqa: PLC0415

    references = (reference,) if isinstance(reference, str) else tuple(reference)
    said = Said(item, tuple(systems), system, text, context, references)
    table = table_of(frame)
    where = Path(directory) if directory is not None else Path(tempfile.mkdtemp(prefix="textassay-"))
    try:
        made = study_from_table(where, table, said, task, items, origin="the frame")
    except UsageError as error:
        raise UsageError(in_python(str(error))) from None
    for doubt in made.doubts:
        warnings.warn(in_python(doubt), stacklevel=2)
    return made.study
