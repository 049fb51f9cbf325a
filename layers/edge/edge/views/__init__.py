"""Response bodies: the domain's values as clients see them."""
