"""The local twin: the deployment's gateway, event sources and token issuer on one machine."""
