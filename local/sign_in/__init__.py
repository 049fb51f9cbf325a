"""The twin's OpenID provider."""
