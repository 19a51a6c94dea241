"""Ranking: several texts of one item put in order, with or without ties."""
