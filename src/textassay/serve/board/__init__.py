"""The researcher's board: how the study is getting on, links to pass on, a preview of every page, the data."""
