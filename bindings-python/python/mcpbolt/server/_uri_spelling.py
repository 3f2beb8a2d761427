"""How models spell a URI.

Owns: that spelling, by which resources are registered and handlers of the 1.x kind are called. Must
not know: which resources there are.
"""

from __future__ import annotations


def as_model(uri: str) -> str:
    """A URI as models of resources spell it: `AnyUrl` resolves dots, writes scheme and host in
    lower case, and so on. What it refuses stays as it is.

    Args:
        uri: The URI as it was received.
    """
    from pydantic import AnyUrl, ValidationError

    try:
        return str(AnyUrl(uri))
    except ValidationError:
        return uri
