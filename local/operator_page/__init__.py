"""The operator's page: the figures of a running twin, live, from the events of its functions."""
