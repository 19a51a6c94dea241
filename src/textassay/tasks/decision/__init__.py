"""Decisions under a time limit: read a text or look at a plot, then choose what to do."""
