"""Histories of many writers under faults, and the checker that says whether every promise was kept."""
