"""Many orders together: consensus, several references, outlying systems."""
