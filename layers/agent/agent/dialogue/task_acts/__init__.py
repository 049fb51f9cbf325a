"""Acts on tasks: creating, changing, completing and listing them."""
