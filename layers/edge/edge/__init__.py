"""Serve: where HTTP and AWS touch the domain."""
