"""The master agent, the answers to its offers, and labelled examples learned from turns."""
