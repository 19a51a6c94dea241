"""Tests of systems with crossed participants and items."""
