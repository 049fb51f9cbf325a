"""Request in, response out: resolver, binding, problems, cursors, the caller."""
