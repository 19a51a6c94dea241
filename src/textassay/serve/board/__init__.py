"""The researcher's board: progress of the study, links for participants, a preview of every page, downloads."""
