"""Limits: token buckets, concurrent turns, bytes per day, and quotas of all that is made or started."""
