"""Tokens that are bound to a key (DPoP, RFC 9449), so that a stolen one is worth nothing. Drafts of the
protocol have it (SEP-1932). Not in the official package.

```python
provider = OAuthClientProvider(url, metadata, storage, show, wait, dpop=DpopKey())
```

Where the storage outlasts the program, the key has to: keep `key.pkcs8` beside the tokens, and make
the next one of it.
"""

from __future__ import annotations

from ...._mcpbolt import DpopKey as EngineKey
from ...._mcpbolt import EngineError

__all__ = ["DpopKey"]


class DpopKey:
    """A key (on the curve P-256) to bind tokens to.

    Args:
        pkcs8: A stored key, as the attribute `pkcs8` returned it (PKCS#8 in DER). Default: a new key.

    Raises:
        ValueError: `pkcs8` is not such a key.
    """

    def __init__(self, pkcs8: bytes | None = None) -> None:
        try:
            # What signs, and knows which server wants which nonce.
            self.engine: EngineKey = EngineKey(pkcs8)
        except EngineError as error:
            raise ValueError(error.args[2]) from None

    @property
    def pkcs8(self) -> bytes:
        """The private key (PKCS#8 in DER), to be stored where nobody else can read it."""
        return self.engine.pkcs8

    @property
    def thumbprint(self) -> str:
        """The thumbprint of the public key (RFC 7638), which bound tokens contain as `cnf.jkt`."""
        return self.engine.thumbprint

    def __repr__(self) -> str:
        return f"DpopKey({self.thumbprint})"
