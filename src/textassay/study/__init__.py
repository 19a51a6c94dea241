"""The study file, read and checked."""
