"""What OmniForge costs: requests, units, money, time and size, each figure beside its limit."""
