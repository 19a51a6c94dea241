"""Measures of orders: of one against another, and of a set against a target."""
