"""Drawings of figures: one file per kind, one style for all."""
