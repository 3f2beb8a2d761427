//! The Kotlin programs and those in Rust, in Python and on Node: each client with each server,
//! over stdio and HTTP.
//!
//! Owns: which program of ours meets which. What clients check is what the official ones in
//! `tests/interop/clients` check; in Python and on Node it is their text, on our packages.

use super::interop::{BOTH, LEGACY, Official, Program, Reference, Tally, drive_ours, drive_theirs};
use super::third_party;
use crate::TestArgs;
use crate::report::Outcome;
use crate::{cargo, exec, kotlin, node as node_package, python as python_package};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "mcpbolt-examples";

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if let Err(missing) = kotlin::tools() {
        return Ok(Outcome::NotRun(missing));
    }
    let programs = kotlin::programs()?;
    let server = programs.join("everything-server");
    let node = node_package::environment()?;
    let mut tally = Tally::default();

    drive_ours(&Program::new("our Kotlin server", [&server]), &[python()?, script(&node)?], &mut tally)?;
    let rust = Program::new("our Rust client", [binary("interop-client")?]);
    drive_theirs(&rust, &served(&server), args, &mut tally)?;

    let client = [Official::new("our Kotlin client", programs.join("interop-client"), [], BOTH)];
    let examples = exec::root().join("examples");
    for (name, words) in [
        ("our Rust server", vec![binary("everything-server")?]),
        (
            "our Python server",
            vec![python_package::environment()?, examples.join("python/everything_server.py")],
        ),
        ("our Node server", vec![node, examples.join("node/everything-server.mjs")]),
        ("our Kotlin server", vec![server]),
    ] {
        drive_ours(&Program::new(name, words), &client, &mut tally)?;
    }
    Ok(tally.outcome())
}

fn binary(name: &str) -> Result<PathBuf, String> {
    cargo::build_bin(PACKAGE, name)?.ok_or_else(|| format!("no binary {name}"))
}

/// The client in Python: the official one's text, which finds our package.
fn python() -> Result<Official, String> {
    let text = exec::root().join("tests/interop/clients/py1.py");
    let first = [OsString::from("-m"), "mcpbolt.compat".into(), text.into()];
    Ok(Official::new("our Python client", third_party::environment()?, first, LEGACY))
}

/// The client on Node: the official one's text, with our package in its imports.
fn script(node: &Path) -> Result<Official, String> {
    let clients = exec::root().join("tests/interop/clients");
    let folder = exec::root().join(".cache/interop-node");
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    for name in ["checks.mjs", "ts1.mjs"] {
        let text = std::fs::read_to_string(clients.join(name)).map_err(failed)?;
        let ours = text.replace("@modelcontextprotocol/sdk", "mcpbolt");
        std::fs::write(folder.join(name), ours).map_err(failed)?;
    }
    Ok(Official::new("our Node client", node.to_owned(), [folder.join("ts1.mjs").into()], LEGACY))
}

/// The Kotlin server as the client in Rust is told of it.
fn served(server: &Path) -> Vec<Reference> {
    let program = server.to_string_lossy().into_owned();
    let http = vec![program.clone(), "--http".to_owned(), "127.0.0.1:{port}".to_owned()];
    let (call, expect) = (("greet", r#"{"name":"Zoë"}"#), "Hello, Zoë!");
    vec![
        Reference {
            name: "our Kotlin server, stdio",
            transport: "stdio",
            start: vec![program],
            call,
            expect,
        },
        Reference { name: "our Kotlin server, HTTP", transport: "http", start: http, call, expect },
    ]
}
