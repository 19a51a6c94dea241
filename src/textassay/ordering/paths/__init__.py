"""Shortest paths through units: distances, exact and near solutions, bounds."""
