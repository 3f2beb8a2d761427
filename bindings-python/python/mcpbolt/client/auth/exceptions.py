"""What goes wrong on the way to a token."""

from __future__ import annotations


class OAuthFlowError(Exception):
    """No token: a server's documents contradict each other, or somebody did not play along."""


class OAuthTokenError(OAuthFlowError):
    """The token endpoint refused, or answered what is no token."""


class OAuthRegistrationError(OAuthFlowError):
    """The registration endpoint refused, or answered what is no registration."""
