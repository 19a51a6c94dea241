"""Frames of judgements for the recipes."""

from judgement_frames import drawn, latin, small

__all__ = ["drawn", "latin", "small"]
