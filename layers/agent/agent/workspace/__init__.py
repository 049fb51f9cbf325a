"""What a tenant owns: agents, skills, runs as values, as items, in stores; the roster of a turn."""
