"""How tau falls out over all orders, and random orders with a tau that is wanted."""
