"""Self-paced reading: one unit of a text at a time, its time taken, then questions about the text."""
