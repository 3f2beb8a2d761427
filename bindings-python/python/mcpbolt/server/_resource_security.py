"""What the parameters of resource templates may be: `ResourceSecurity`.

Owns: the policy and its refusal. Must not know: templates, and who reads resources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

__all__ = ["DEFAULT_RESOURCE_SECURITY", "ResourceSecurity", "ResourceSecurityError"]


@dataclass(frozen=True)
class ResourceSecurity:
    """A policy for values from URIs, looked at after they were decoded.

    Example:
        ```python
        # A range of revisions has two dots in it.
        @server.resource("git://diff/{+range}", security=ResourceSecurity(exempt_params={"range"}))
        def diff(range: str) -> str: ...
        ```
    """

    reject_path_traversal: bool = True
    """Refuse paths that go above where they begin."""
    reject_absolute_paths: bool = True
    """Refuse what is an absolute path on some system."""
    reject_null_bytes: bool = True
    """Refuse null bytes, which end a text for some programs and not for others."""
    exempt_params: Set[str] = field(default_factory=frozenset[str])
    """Parameters that may be anything."""

    def validate(self, params: Mapping[str, str | list[str]]) -> str | None:
        """The first parameter that is refused; `None` if all may be.

        Args:
            params: Values by name; of a list each item is looked at.
        """
        for name, value in params.items():
            values: Sequence[str] = [value] if isinstance(value, str) else value
            if name not in self.exempt_params and any(map(self._refuses, values)):
                return name
        return None

    def _refuses(self, value: str) -> bool:
        from ..shared.path_security import contains_path_traversal, is_absolute_path

        return (
            (self.reject_null_bytes and "\0" in value)
            or (self.reject_path_traversal and contains_path_traversal(value))
            or (self.reject_absolute_paths and is_absolute_path(value))
        )


DEFAULT_RESOURCE_SECURITY = ResourceSecurity()
"""Everything is refused that can be."""


class ResourceSecurityError(ValueError):
    """A parameter was refused. No other template is tried: it might be less strict."""

    def __init__(self, template: str, param: str) -> None:
        super().__init__(f"Parameter {param!r} of template {template!r} failed security validation")
        self.template = template
        """The template."""
        self.param = param
        """The parameter."""
