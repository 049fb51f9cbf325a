"""What users and admins do with conversations besides talking: list, rename, archive, fork, edit, pin,
rate."""
