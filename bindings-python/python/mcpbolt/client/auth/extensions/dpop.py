"""Tokens that are bound to a key (DPoP, RFC 9449), so that a stolen one is worth nothing. Drafts of the
protocol have it (SEP-1932). Not in the official package.

```python
from mcpbolt.client.auth import OAuthClientProvider
from mcpbolt.client.auth.extensions.dpop import DpopKey

provider = OAuthClientProvider(url, metadata, storage, show, wait, dpop=DpopKey())
```

Where the storage outlasts the program, the key has to: keep `key.pkcs8` beside the tokens, and make
the next one of it.
"""

from __future__ import annotations

from ...._mcpbolt import DpopKey

__all__ = ["DpopKey"]
