"""The turn service: admit, lead, respond, store; degraded and stateless turns."""
