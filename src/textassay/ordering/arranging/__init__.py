"""Orders made by simple rules, by the shortest path, and by a model of entities; scorers of orders."""
