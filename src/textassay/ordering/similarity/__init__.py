"""How similar units are: by their words, by their characters, or by vectors of any kind."""
