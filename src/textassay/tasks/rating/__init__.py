"""Rating scales: one text, one or more criteria, radio buttons or an unmarked slider."""
