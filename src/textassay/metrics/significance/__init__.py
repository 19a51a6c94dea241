"""How sure the scores are: intervals, and paired tests of systems, from the statistics that scoring kept.

No text is looked at again: a metric's corpus score needs the sums of its `summands` only, so a resample is a row of
counts, and all metrics and systems share the same rows. Not imported by `textassay.metrics` itself, which stays quick
to import.
"""

from textassay.metrics.significance.comparison import Comparison, Form, PairedOptions, PairedTest
from textassay.metrics.significance.intervals import CorpusInterval, CorpusIntervals, corpus_intervals
from textassay.metrics.significance.paired_tests import paired_bootstrap, paired_randomisation

__all__ = [
    "Comparison",
    "CorpusInterval",
    "CorpusIntervals",
    "Form",
    "PairedOptions",
    "PairedTest",
    "corpus_intervals",
    "paired_bootstrap",
    "paired_randomisation",
]
