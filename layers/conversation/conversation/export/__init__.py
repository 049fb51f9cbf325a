"""Export and import of conversations as documents."""
