"""The master agent: decides which handler answers; offers; labelled examples from turns."""
