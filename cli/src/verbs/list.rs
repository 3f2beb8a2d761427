//! `list`: what a server offers.
//!
//! Owns: how entries are shown. Must not know: how they are asked for.

use std::fmt::Write as _;

use mcpbolt_inspector::server;
use serde_json::{Map, Value};

use super::lists::{self, text};
use super::no_more;
use crate::args::{Kind, List};
use crate::connection::{Connection, Setup};
use crate::exit::{Exit, Failure};
use crate::output::{BOLD, DIM, NAME, Output, WARN, bytes, first_line, safe, schema};
use crate::target::Place;

pub(super) async fn run(setup: &Setup<'_>, arguments: List) -> Result<Exit, Failure> {
    let (place, words) = Place::of(arguments.reach, setup.program)?;
    no_more(&words)?;
    let (only, schemas) = (arguments.only, arguments.schemas);
    setup
        .with(&place, async |connection: &Connection| {
            let found = collect(connection, &only).await?;
            connection.progress.clear();
            print(setup.output, connection, &found, schemas)?;
            Ok(Exit::Done)
        })
        .await
}

/// The lists asked for; of the others those that the server says it has.
async fn collect(connection: &Connection, only: &[Kind]) -> Result<Vec<(Kind, Vec<Value>)>, Failure> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let wanted =
            if only.is_empty() { kind.is_declared(&connection.session) } else { only.contains(&kind) };
        if wanted {
            found.push((kind, lists::all(&connection.session, kind).await?));
        }
    }
    Ok(found)
}

fn print(
    output: &Output,
    connection: &Connection,
    found: &[(Kind, Vec<Value>)],
    schemas: bool,
) -> Result<(), Failure> {
    if output.is_json() {
        let mut document = server(&connection.session).as_object().cloned().unwrap_or_else(Map::new);
        document.retain(|_, member| !member.is_null());
        for (kind, entries) in found {
            document.insert(kind.member().to_owned(), Value::Array(entries.clone()));
        }
        return output.document(&Value::Object(document));
    }
    if !output.is_rich() {
        for (kind, entries) in found {
            for entry in entries {
                output.print(&plain(*kind, entry, schemas))?;
            }
        }
        return Ok(());
    }
    output.print(&heading(output, connection))?;
    for (kind, entries) in found {
        output
            .print(&format!("\n{}", output.paint(BOLD, &format!("{} ({})", title(*kind), entries.len()))))?;
        for entry in entries {
            output.print(&rich(output, *kind, entry, schemas))?;
        }
    }
    if found.is_empty() {
        output.print("\nIt says of no tools, resources or prompts; --only asks all the same.")?;
    }
    Ok(())
}

/// A line for programs such as grep and cut.
fn plain(kind: Kind, entry: &Value, schemas: bool) -> String {
    let (what, name) = match kind {
        Kind::Tools => ("tool", text(entry, "name")),
        Kind::Resources => ("resource", text(entry, "uri")),
        Kind::Templates => ("template", text(entry, "uriTemplate")),
        Kind::Prompts => ("prompt", text(entry, "name")),
    };
    let description = match text(entry, "description") {
        "" => text(entry, "title"),
        description => description,
    };
    let mut line = format!("{what}\t{}\t{}", first_line(name), first_line(description));
    if schemas && kind == Kind::Tools {
        let _ = write!(line, "\t{}", entry.get("inputSchema").unwrap_or(&Value::Null));
    }
    line
}

fn heading(output: &Output, connection: &Connection) -> String {
    let session = &connection.session;
    let info = session.server_info();
    let name =
        info.as_ref().map_or("a server without a name", |info| info.title.as_deref().unwrap_or(&info.name));
    let version = info.as_ref().map_or(String::new(), |info| format!(" {}", info.version));
    let mut heading = format!(
        "{}{}",
        output.paint(BOLD, &safe(name)),
        output.paint(DIM, &safe(&format!("{version} · {}", session.revision().as_str())))
    );
    if let Some(instructions) = session.instructions() {
        let _ = write!(heading, "\n{}", output.wrap(instructions.trim(), 2));
    }
    heading
}

const fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools => "Tools",
        Kind::Resources => "Resources",
        Kind::Templates => "Resource templates",
        Kind::Prompts => "Prompts",
    }
}

fn rich(output: &Output, kind: Kind, entry: &Value, schemas: bool) -> String {
    let mut shown = match kind {
        Kind::Tools => tool(output, entry),
        Kind::Resources => resource(output, entry, "uri"),
        Kind::Templates => resource(output, entry, "uriTemplate"),
        Kind::Prompts => prompt(output, entry),
    };
    let description = text(entry, "description").trim();
    if !description.is_empty() {
        let _ = write!(shown, "\n{}", output.wrap(description, 6));
    }
    if schemas {
        for member in ["inputSchema", "outputSchema"] {
            if let Some(schema) = entry.get(member) {
                let pretty = safe(&format!("{member}: {schema:#}")).replace('\n', "\n      ");
                let _ = write!(shown, "\n      {}", output.paint(DIM, &pretty));
            }
        }
    }
    shown
}

fn tool(output: &Output, entry: &Value) -> String {
    let signature = entry.get("inputSchema").map(schema::signature).unwrap_or_default();
    let result = entry.get("outputSchema").map(|schema| format!(" -> {{{}}}", schema::signature(schema)));
    let name = output.paint(NAME, &safe(text(entry, "name")));
    let mut shown = format!("  {name}({}){}", safe(&signature), safe(&result.unwrap_or_default()));
    for (hint, value, style, word) in [
        ("readOnlyHint", true, DIM, "read-only"),
        ("destructiveHint", true, WARN, "destructive"),
        ("idempotentHint", true, DIM, "idempotent"),
        ("openWorldHint", true, DIM, "open world"),
    ] {
        if entry.get("annotations").and_then(|hints| hints.get(hint)).and_then(Value::as_bool) == Some(value)
        {
            let _ = write!(shown, " {}", output.paint(style, &format!("[{word}]")));
        }
    }
    shown
}

fn resource(output: &Output, entry: &Value, uri: &str) -> String {
    let mut shown = format!("  {}", output.paint(NAME, &safe(text(entry, uri))));
    let size = entry.get("size").and_then(Value::as_u64).map(bytes).unwrap_or_default();
    let title = match text(entry, "title") {
        "" => text(entry, "name"),
        title => title,
    };
    let details: Vec<&str> =
        [title, text(entry, "mimeType"), &size].into_iter().filter(|part| !part.is_empty()).collect();
    if !details.is_empty() {
        let _ = write!(shown, " {}", output.paint(DIM, &safe(&details.join(", "))));
    }
    shown
}

fn prompt(output: &Output, entry: &Value) -> String {
    let arguments = entry.get("arguments").and_then(Value::as_array);
    let arguments = arguments.into_iter().flatten().map(|argument| {
        let optional = argument.get("required").and_then(Value::as_bool) != Some(true);
        format!("{}{}", text(argument, "name"), if optional { "?" } else { "" })
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    format!("  {}({})", output.paint(NAME, &safe(text(entry, "name"))), safe(&arguments))
}
