"""What others get of a study, so that they can check it and redo it."""
