"""Recipes for orders of sentences and other units."""
