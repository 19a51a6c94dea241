"""A simulated participant for rating scales."""
