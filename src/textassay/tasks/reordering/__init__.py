"""Reordering: the sentences or other units of one text put in the most coherent order."""
