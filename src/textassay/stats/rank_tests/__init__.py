"""Tests of ranks and signs."""
