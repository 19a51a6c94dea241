"""Who is left out of the results, and why: one rule a file; a verdict with its reason, never a deletion."""
