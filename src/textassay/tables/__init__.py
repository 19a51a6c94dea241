"""Plain tables: what their columns are, and how they are read and written."""
