"""Doubles that speak the real interface."""
