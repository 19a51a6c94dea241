"""Models of choices and preferences: who beats whom, and by how much."""
