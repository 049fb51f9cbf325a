"""The edge of the product: connects the domain to HTTP and AWS."""
