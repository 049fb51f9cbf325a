"""Functions, twins and gateways in this process or in processes of their own."""
