"""The exceptions of the high-level server."""

from __future__ import annotations

from .._exceptions import FastMCPError as FastMCPError
from .._exceptions import InvalidSignature as InvalidSignature
from .._exceptions import ResourceError as ResourceError
from .._exceptions import ToolError as ToolError
from .._exceptions import ValidationError as ValidationError
