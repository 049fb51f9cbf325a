"""How long things are kept, the sweep, legal holds, and the jobs of the retention queue."""
