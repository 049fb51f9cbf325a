"""Test doubles that implement the real interfaces."""
