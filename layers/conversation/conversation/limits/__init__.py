"""Rate limits: a token bucket per tenant, concurrent turns per user, bytes per day."""
