"""Retention of conversations: the rules, the sweep, legal holds, and the jobs of the retention queue."""
