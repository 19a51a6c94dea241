"""The answers: where they are kept, and how they come out of the store and in from elsewhere."""
