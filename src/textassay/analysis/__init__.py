"""Recipes: the one place where tables of answers become results, tables and figures."""
