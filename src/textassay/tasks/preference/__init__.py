"""Two texts of one item side by side: which is the better one, and by how much."""
