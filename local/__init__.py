"""The local twin: the gateway, its tokens and its clock, on one machine."""
