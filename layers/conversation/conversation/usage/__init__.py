"""Model usage: counters per day, and the hard daily budget."""
