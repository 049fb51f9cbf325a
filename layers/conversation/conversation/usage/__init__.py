"""Model usage: counters per day, the operators' cap, and the hard daily budget."""
