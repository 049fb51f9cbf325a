"""Acts on the workspace as a whole: its policy, its connections, and what users do with their own data."""
