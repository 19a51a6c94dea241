"""Who is excluded from the results, and why: one rule per file; a verdict with its reasons, never a deletion."""
