"""What models cost: counters per day, and the hard daily budget."""
