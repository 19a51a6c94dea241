"""Reading times: what is excluded or replaced, and what they depend on."""
