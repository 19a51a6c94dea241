"""Recipes that several tasks share: data frames of answers in, `Analysis` (results, tables, figures) out."""

from textassay.analysis.compare_exclusions import compare_exclusions
from textassay.analysis.describe import describe
from textassay.analysis.system_text_evaluator import system_text_evaluator

__all__ = ["compare_exclusions", "describe", "system_text_evaluator"]
