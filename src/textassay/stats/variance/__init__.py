"""Means compared: analysis of variance, with and without repeated measures, t tests, and what comes after them."""
