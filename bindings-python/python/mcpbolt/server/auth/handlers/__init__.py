"""The endpoints of an authorization server, one module each."""
