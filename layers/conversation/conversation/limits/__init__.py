"""Rate limits: token bucket, concurrent turns, bytes a day."""
