"""How much twenty corrections of a tenant help to understand its other sentences, and cost elsewhere."""
