"""Removes conversations that have expired."""
