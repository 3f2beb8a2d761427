//! The method reference, from the method table.

use mcpbolt_proto::policy::{apps, skills};
use mcpbolt_proto::protocol::methods::{ALL, Direction, Kind, Method};
use mcpbolt_proto::protocol::version::Revision;
use std::fmt::Write as _;

/// The page.
pub(crate) fn page() -> String {
    let mut out = String::from(
        "# Methods\n\nWritten by `cargo xtask generate` from the method table; do not edit.\n\n\
         A capability in *needs* is one the receiver of a request declared; for a notification, the side it names.\n\
         *Embedded* methods travel inside an `input_required` result instead of as messages.\n",
    );
    for (title, kind) in [("Requests", Kind::Request), ("Notifications", Kind::Notification)] {
        let _ = writeln!(out, "\n## {title}\n");
        out.push_str("| method | sent by | revisions | needs | params | result | notes |\n|---|---|---|---|---|---|---|\n");
        let mut rows: Vec<&Method> = ALL.iter().filter(|method| method.kind == kind).collect();
        rows.sort_by_key(|method| method.name);
        for method in rows {
            let _ = writeln!(out, "{}", row(method));
        }
    }
    out.push_str(
        "\n## Methods of extensions that are rows of their own\n\n\
         A server that declares the extension has them. Extensions of a program's own have rows of the same kind.\n\n\
         | method | extension | for clients that did not declare it |\n|---|---|---|\n",
    );
    for method in &skills::METHODS {
        let id = method.extension.map_or("", |(_, id)| id);
        let others = if method.for_undeclared { "yes" } else { "-32021" };
        let _ = writeln!(out, "| `{}` | `{id}` | {others} |", method.name);
    }
    let ui = apps::EXTENSION;
    let _ = writeln!(
        out,
        "\n`{ui}` has no methods: pages are resources of type `{}`, and tools name them in `_meta.{}`.",
        apps::MIME_TYPE,
        apps::META
    );
    out
}

fn row(method: &Method) -> String {
    let needs = method.capability.map_or(String::new(), |c| format!("`{}`", c.path().join(".")));
    let result = if method.result.is_empty() { String::new() } else { format!("`{}`", method.result) };
    format!(
        "| `{}` | {} | {} | {needs} | `{}` | {result} | {} |",
        method.name,
        sender(method),
        revisions(method),
        method.params,
        notes(method).join("; ")
    )
}

fn sender(method: &Method) -> String {
    let said = |direction| match direction {
        Direction::ClientToServer => "client",
        Direction::ServerToClient => "server",
        Direction::Both => "both",
    };
    match method.narrowed {
        Some((from, direction)) => {
            format!("{}; from {from} {}", said(method.direction), said(direction))
        }
        None => said(method.direction).to_owned(),
    }
}

fn revisions(method: &Method) -> String {
    let own: Vec<Revision> = Revision::ALL.into_iter().filter(|revision| method.is_in(*revision)).collect();
    let span = match own.as_slice() {
        [] => "never a message".to_owned(),
        all if all.len() == Revision::ALL.len() => "all".to_owned(),
        [only] => only.to_string(),
        [first, .., last] if last.is_modern() => format!("from {first} on"),
        [first, .., last] if *first == Revision::ALL[0] => format!("to {last}"),
        [first, .., last] => format!("{first} to {last}"),
    };
    match method.embedded_from {
        Some(from) => format!("{span}; embedded from {from}"),
        None => span,
    }
}

fn notes(method: &Method) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(param) = method.name_source.param() {
        notes.push(format!("`Mcp-Name` = `{param}`"));
    }
    if method.cacheable {
        notes.push("cache hints".to_owned());
    }
    if method.may_require_input {
        notes.push("may ask for input".to_owned());
    }
    if let Some((from, id)) = method.extension {
        notes.push(format!("extension `{id}` from {from}"));
    }
    notes
}
