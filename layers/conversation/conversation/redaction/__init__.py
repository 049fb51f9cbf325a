"""Finds secrets and personal data in text, and masks them."""
