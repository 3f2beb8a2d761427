"""Which hosts and origins may ask over HTTP."""

from __future__ import annotations

from pydantic import BaseModel, Field


class TransportSecuritySettings(BaseModel):
    """Protection against pages that reach a local server through its name (DNS rebinding)."""

    enable_dns_rebinding_protection: bool = Field(default=True, description="Whether hosts and origins are checked")
    allowed_hosts: list[str] = Field(default=[], description="Values of `Host`; `name:*` is any port")
    allowed_origins: list[str] = Field(default=[], description="Values of `Origin`; `scheme://name:*` is any port")
