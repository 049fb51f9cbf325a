"""A tenant's agents, skills and runs: their models, items and stores, and the roster of a turn."""
