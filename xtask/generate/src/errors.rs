//! The reference of errors: each kind, its codes per era, its name in each language.

use mcpbolt::bridge::{ErrorNames, names_of};
use mcpbolt_proto::protocol::version::Revision;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use std::fmt::Write as _;

/// The page.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "# Errors\n\nWritten by `cargo xtask generate` from the kinds and the table of names; do not edit.\n\n\
         One kind for every failure, in all layers and languages. Errors *of the peer* came over the wire or go \
         there. *Local* failures happened on this side and are never disguised as the peer's: each language has \
         classes of their own for them, with `kind` and `local = true`. What has landed says the support \
         matrix of the README; the names are decided for all. *(code)*: no name of its own, the code tells.\n",
    );
    for (title, about, local) in [
        ("Of the peer", "The code is what the wire says, per era.", false),
        (
            "Local",
            "The code is what is sent when such a failure must answer a request; in the 1.x faces of Python and \
             Node some show another one, as their official SDKs do.",
            true,
        ),
    ] {
        let _ = writeln!(out, "\n## {title}\n\n{about}\n");
        out.push_str(
            "| Rust | name | legacy | modern | shown in 1.x | Python 1.x | Python 2.x | Node 1.x | Node 2.x | \
             Kotlin | Swift |\n|---|---|--:|--:|--:|---|---|---|---|---|---|\n",
        );
        for kind in ErrorKind::ALL.into_iter().filter(|kind| kind.is_local() == local) {
            let _ = writeln!(out, "{}", row(kind, names_of(kind)));
        }
    }
    out.push_str(NOTES);
    out
}

const NOTES: &str = "\n## Node 1.x\n\n\
     The column names the member of `ErrorCode`. Local failures are classes below `McpError`, exported by the \
     root of the package: `RequestTimeoutError`, `ConnectionClosedError`, `RequestCancelledError`, \
     `OverloadedError`, `TransportError`, `ProtocolViolationError`, `UnauthorizedError`, `ForbiddenError`, \
     `StoreError`, `UsageError`. A withdrawn request shows -32001, as one that timed out. A server that cannot be \
     reached over HTTP is a `TypeError`, as with `fetch`, whose cause has the code of the system.\n\
     \n## Codes of your own\n\n\
     A handler may raise any integer code outside -32768 to -32000, with data, and the five of JSON-RPC. Other \
     codes of the reserved range become -32603 where the revision forbids them (2026-07-28) or in strict mode, \
     and are warned about elsewhere.\n\n\
     `ResourceNotFound` carries `data.uri`, `MissingClientCapability` `data.requiredCapabilities`, \
     `UnsupportedProtocolVersion` `data.supported` and `data.requested`, `UrlElicitationRequired` \
     `data.elicitations`, `Overloaded` `data.reason`. An `Internal` error whose `data.reason` is `node_gone` \
     answers a request whose [node died](../guide/nodes.md#when-a-node-dies), or whose answer is kept no more.\n";

fn row(kind: ErrorKind, names: &ErrorNames) -> String {
    let [legacy, modern] =
        [Revision::LATEST_LEGACY, Revision::LATEST_MODERN].map(|revision| code(kind, revision));
    let cells = [names.python, names.python2, names.node, names.node2, names.kotlin, names.swift].map(quoted);
    format!(
        "| `ErrorKind::{kind:?}` | `{}` | {legacy} | {modern} | {} | {} |",
        names.name,
        names.shown_code.map_or(String::new(), |code| code.to_string()),
        cells.join(" | ")
    )
}

/// The code on the wire. A peer's own code is its own.
fn code(kind: ErrorKind, revision: Revision) -> String {
    if kind == ErrorKind::Peer {
        return "its own".to_owned();
    }
    Error::new(kind, "").to_wire(revision).code.0.to_string()
}

fn quoted(name: &str) -> String {
    if name.is_empty() { "(code)".to_owned() } else { format!("`{name}`") }
}
