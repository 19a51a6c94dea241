"""Reading times: what is left out or replaced, and what they depend on."""
