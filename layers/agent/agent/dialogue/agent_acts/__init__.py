"""Acts on agents: creating, changing, listing and running them."""
