"""Metrics with a model for textassay. Nothing is loaded before a text is scored."""
