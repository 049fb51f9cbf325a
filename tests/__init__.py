"""Tests by what they stand up: nothing, one room, a twin, what was built."""
