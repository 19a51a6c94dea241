"""Measures of one order against another, one idea a file."""
