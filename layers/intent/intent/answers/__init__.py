"""Written answers about the product, and the search that finds the one to a question."""
