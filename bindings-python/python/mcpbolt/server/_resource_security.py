"""Which parameter values resource templates accept: `ResourceSecurity`.

Owns: the policy and its refusal. Must not know: templates, or who reads resources.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

__all__ = ["DEFAULT_RESOURCE_SECURITY", "ResourceSecurity", "ResourceSecurityError"]


@dataclass(frozen=True)
class ResourceSecurity:
    """Which values the parameters of resource templates may have. They are checked after they were
    decoded.

    Example:
        ```python
        # A range of revisions has two dots in it.
        @server.resource("git://diff/{+range}", security=ResourceSecurity(exempt_params={"range"}))
        def diff(range: str) -> str: ...
        ```
    """

    reject_path_traversal: bool = True
    """Refuse paths that lead above their starting point with `..`. Default: yes."""
    reject_absolute_paths: bool = True
    """Refuse values that are absolute paths on any operating system. Default: yes."""
    reject_null_bytes: bool = True
    """Refuse null bytes, at which some programs end a text. Default: yes."""
    exempt_params: Set[str] = field(default_factory=frozenset[str])
    """Names of parameters that are not checked. Default: none."""

    def validate(self, params: Mapping[str, str | list[str]]) -> str | None:
        """Return the name of the first parameter that is refused; `None` if all are accepted.

        Args:
            params: The values by parameter name; of a list, each item is checked.
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
"""The default policy: all checks, for all parameters."""


class ResourceSecurityError(ValueError):
    """A parameter value was refused. No other template is tried, since it might be less strict.

    Args:
        template: The template that the URI matched.
        param: The name of the refused parameter.
    """

    def __init__(self, template: str, param: str) -> None:
        super().__init__(f"Parameter {param!r} of template {template!r} failed security validation")
        self.template = template
        """The template that the URI matched."""
        self.param = param
        """The name of the refused parameter."""
