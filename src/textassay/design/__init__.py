"""Who sees what: Latin squares, order of trials, balance and its proof. Pure: no files, no clock, no tables."""
