"""AG-UI 1.0: what `HttpAgent` sends, and the events of a run that it reads."""
