"""Other protocols in front of the same turns: what a wire is, the table of routes, and a package for each."""
