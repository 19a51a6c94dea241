"""The kinds of trial: a folder each, and nothing outside a folder knows its name."""
