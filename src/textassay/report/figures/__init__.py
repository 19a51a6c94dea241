"""Drawings of figures: one file a kind, one style for all."""
