"""The turn service, the master agent, and the tenants' own agents."""
