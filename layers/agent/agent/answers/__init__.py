"""A tenant's own answers about the product, and what our answers say about its workspace."""
