"""Bootstrap and randomisation."""
