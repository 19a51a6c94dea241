"""Metrics of orders: an order of units against reference orders, one metric a file."""
