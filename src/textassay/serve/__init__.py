"""The web application: pages for participants, the researcher's board, and the server that runs them."""
