//! `types.py`, `v2/types` and the tables they find the classes by.
//!
//! Must not know: what is inside the modules.

use super::face::{Face, ItemKind, Line};
use crate::api::{Api, Shape};
use std::fmt::Write as _;

/// Names the official module has only because it imports them.
const BORROWED: &[(&str, &str)] = &[
    ("AnyUrl", "pydantic"),
    ("BaseModel", "pydantic"),
    ("ConfigDict", "pydantic"),
    ("Field", "pydantic"),
    ("FileUrl", "pydantic"),
    ("RootModel", "pydantic"),
    ("UrlConstraints", "pydantic"),
    ("Annotated", "typing"),
    ("Generic", "typing"),
    ("TypeVar", "typing"),
    ("datetime", "datetime"),
    ("deprecated", "typing_extensions"),
];

/// Kinds of failure and the names of their codes.
const CODES: &[(&str, &str)] = &[
    ("PARSE_ERROR", "Parse"),
    ("INVALID_REQUEST", "InvalidRequest"),
    ("METHOD_NOT_FOUND", "MethodNotFound"),
    ("INVALID_PARAMS", "InvalidParams"),
    ("INTERNAL_ERROR", "Internal"),
    ("URL_ELICITATION_REQUIRED", "UrlElicitationRequired"),
    ("HEADER_MISMATCH", "HeaderMismatch"),
    ("MISSING_REQUIRED_CLIENT_CAPABILITY", "MissingClientCapability"),
    ("UNSUPPORTED_PROTOCOL_VERSION", "UnsupportedProtocolVersion"),
];

/// Keys of `_meta` and the names of their constants.
const META_KEYS: &[(&str, &str)] = &[
    ("PROTOCOL_VERSION_META_KEY", "protocolVersion"),
    ("CLIENT_INFO_META_KEY", "clientInfo"),
    ("CLIENT_CAPABILITIES_META_KEY", "clientCapabilities"),
    ("LOG_LEVEL_META_KEY", "logLevel"),
    ("SERVER_INFO_META_KEY", "serverInfo"),
];

/// Names of modules of 2.x that are not public.
const PRIVATE2: &[&str] = &["AskingResult", "MethodT", "RequestParamsT", "NotificationParamsT"];

/// Names of enum values as constants.
const VALUES: &[(&str, &str)] = &[("TASK_STATUS", "TaskStatus"), ("TASK", "TaskSupport")];

/// `_index.py` beside the models.
pub(super) fn homes(face: &Face) -> String {
    let mut out = String::from(
        "\"\"\"Which module has which public name.\n\nWritten by `cargo xtask generate`; do not edit.\n\"\"\"\n\nHOMES = {\n",
    );
    for (module, item) in face.items() {
        let _ = writeln!(out, "    \"{}\": \"mcpbolt.{}.{}\",", item.name, face.package(), module.name);
    }
    for (name, home) in BORROWED.iter().filter(|_| face.line == Line::One) {
        let _ = writeln!(out, "    \"{name}\": \"{home}\",");
    }
    out.push_str("}\n");
    out
}

/// `v2/types/__init__.py`
pub(super) fn types2(api: &Api, face: &Face) -> String {
    let constants = constants2(api);
    let mut out = String::from(HEAD2);
    for module in &face.modules {
        let hidden = |name: &str| PRIVATE2.contains(&name);
        let names: Vec<_> =
            module.items.iter().map(|item| item.name.as_str()).filter(|n| !hidden(n)).collect();
        let _ = write!(
            out,
            "    from .._types.{} import (\n        {},\n    )\n",
            module.name,
            names.join(",\n        ")
        );
    }
    let mut names: Vec<&str> = face.items().map(|(_, item)| item.name.as_str()).collect();
    names.retain(|name| !PRIVATE2.contains(name));
    names.extend(constants.iter().map(|(name, _)| name.as_str()));
    names.push("CORE_RESULT_TYPES");
    names.sort_unstable();
    out.push_str("\n__all__ = [\n");
    for name in names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str("]\n\n");
    for (name, value) in &constants {
        let _ = writeln!(out, "{name}: Final = {value}");
    }
    out.push_str(TAIL2);
    out
}

/// `types.py`
pub(super) fn types(api: &Api, face: &Face) -> String {
    let constants = constants(api);
    let mut out = String::from(HEAD);
    for module in &face.modules {
        let _ = writeln!(out, "    from ._types.{} import (", module.name);
        for item in &module.items {
            let known = matches!(&item.kind, ItemKind::Class(class) if class.decorator.is_some());
            let note = if known { "  # pyright: ignore[reportDeprecated]" } else { "" };
            let _ = writeln!(out, "        {},{note}", item.name);
        }
        out.push_str("    )\n");
    }
    let mut names: Vec<&str> = face.items().map(|(_, item)| item.name.as_str()).collect();
    names.extend(constants.iter().map(|(name, _)| name.as_str()));
    names.push("AnyFunction");
    names.sort_unstable();
    out.push_str("\n__all__ = [\n");
    for name in names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str("]\n\n");
    for (name, value) in &constants {
        let kind =
            if value.starts_with('"') { format!("Final[Literal[{value}]]") } else { "Final".to_owned() };
        let kind =
            if name.ends_with("VERSION") && value.starts_with('"') { "Final".to_owned() } else { kind };
        let _ = writeln!(out, "{name}: {kind} = {value}");
    }
    out.push_str(TAIL);
    out
}

fn constants2(api: &Api) -> Vec<(String, String)> {
    let latest = api.revisions_of("modern").last().copied().unwrap_or_default();
    let mut out = vec![
        ("LATEST_PROTOCOL_VERSION".to_owned(), format!("\"{latest}\"")),
        ("DEFAULT_NEGOTIATED_VERSION".to_owned(), format!("\"{}\"", api.assumed_revision)),
        ("CONNECTION_CLOSED".to_owned(), "-32000".to_owned()),
        ("REQUEST_TIMEOUT".to_owned(), "-32001".to_owned()),
        ("JSONRPC_VERSION".to_owned(), "\"2.0\"".to_owned()),
    ];
    for (name, key) in META_KEYS {
        out.push(((*name).to_owned(), format!("\"io.modelcontextprotocol/{key}\"")));
    }
    out.extend(codes(api));
    out
}

fn codes(api: &Api) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (name, kind) in CODES {
        if let Some(row) = api.errors.iter().find(|row| row.kind == *kind) {
            // The code of the era that has one of its own.
            let code = if row.legacy == row.modern || *kind == "UrlElicitationRequired" {
                row.legacy
            } else {
                row.modern
            };
            out.push(((*name).to_owned(), code.to_string()));
        }
    }
    out
}

fn constants(api: &Api) -> Vec<(String, String)> {
    let legacy = api.revisions_of("legacy").last().copied().unwrap_or_default();
    let mut out = vec![
        ("LATEST_PROTOCOL_VERSION".to_owned(), format!("\"{legacy}\"")),
        ("DEFAULT_NEGOTIATED_VERSION".to_owned(), format!("\"{}\"", api.assumed_revision)),
        ("CONNECTION_CLOSED".to_owned(), "-32000".to_owned()),
    ];
    out.extend(codes(api));
    for (prefix, name) in VALUES {
        if let Some(Shape::Enum { values, .. }) = api.find(name).map(|found| &found.shape) {
            for value in values {
                out.push((
                    format!("{prefix}_{}", value.value.to_uppercase()),
                    format!("\"{}\"", value.value),
                ));
            }
        }
    }
    out
}

const HEAD: &str = r#""""The types of the protocol, name for name those of the official package's `mcp.types`.

Real pydantic models, made when they are first used. Fields are in camelCase as on the
wire and can be read, and given to constructors, in snake_case too.

Written by `cargo xtask generate`; do not edit.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

if TYPE_CHECKING:
"#;

const TAIL: &str = r#"AnyFunction: TypeAlias = Callable[..., Any]
"""Any function."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        # Every `from` import asks for `__path__`.
        raise AttributeError(name)
    from ._types import find

    value = find(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from ._types._index import HOMES

    return sorted({*globals(), *HOMES})
"#;

const HEAD2: &str = r#""""The types of the protocol, name for name those of the official package's `mcp_types`, 2.x.

Real pydantic models, made when they are first used. Members are in snake_case, and in
camelCase on the wire; constructors take both.

Written by `cargo xtask generate`; do not edit.
"""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
"#;

const TAIL2: &str = r#"# Under the alias, `__name__` is another.
_HERE = __name__
CORE_RESULT_TYPES: Final[frozenset[str]] = frozenset({"complete", "input_required"})
"""The kinds of result that the protocol itself defines."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        # Every `from` import asks for `__path__`.
        raise AttributeError(name)
    if name in ("jsonrpc", "version"):
        from importlib import import_module

        return import_module(f".{name}", _HERE)
    from .._types import find

    value = find(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
"#;
