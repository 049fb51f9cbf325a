"""Names that people give to agents: the phrases that give one, where the name ends, and which act gets it."""
