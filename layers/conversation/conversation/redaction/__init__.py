"""Finding secrets and personal data in text, and masking them."""
