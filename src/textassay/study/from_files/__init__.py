"""From the files that people have to a study: guess the layout, choose a design, write the study directory."""
