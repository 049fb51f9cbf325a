"""The local OpenID provider."""
