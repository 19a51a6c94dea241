"""How much people's orders vary: agreement between people, by text and condition, and with given orders."""
