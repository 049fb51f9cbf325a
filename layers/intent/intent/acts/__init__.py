"""Reads a message as a list of acts: what is asked for, about which thing, with which details."""
