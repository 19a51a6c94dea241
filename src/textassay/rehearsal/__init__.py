"""Simulated participants who take the whole study: straight into the store, or over HTTP as a browser would; power."""
