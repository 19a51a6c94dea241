"""Steps from one layout of the store to the next; a store made by any earlier release opens with this one."""
