"""Orders of whole tables, and scorers of orders."""
