"""Questions about the workspace: what is in it, what runs when, what ran or changed, what it was used for."""
