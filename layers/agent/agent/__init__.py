"""Act: the turn service, the master agent and what a tenant's agents are."""
