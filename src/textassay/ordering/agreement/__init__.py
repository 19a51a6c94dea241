"""Many orders together: consensus, several references, systems that stand apart."""
