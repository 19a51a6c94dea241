"""The study file, read and checked."""

from pathlib import Path

SCHEMA_FILE = Path(__file__).with_name("study.schema.json")
"""The JSON Schema of the study file, for editors."""
