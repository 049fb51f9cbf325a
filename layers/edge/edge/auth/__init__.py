"""The authorizer: verifies tokens and turns them into claims."""
