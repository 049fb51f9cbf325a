"""The product's regular expressions: where they are, the texts that take them longest, and how long."""
