"""A turn under way as others see it: stored frames to resume from, and cancelling."""
