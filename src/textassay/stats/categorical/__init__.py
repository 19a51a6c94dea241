"""Models of answers in categories, ordered or not, with and without random effects."""
