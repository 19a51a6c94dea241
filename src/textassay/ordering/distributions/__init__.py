"""The distribution of tau over all orders, and random orders with a given tau."""
