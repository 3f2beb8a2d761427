//! The Kotlin and Swift programs and those of the other languages: each client with each server,
//! over stdio and HTTP.
//!
//! Owns: which program of ours meets which. What clients check is what the official ones in
//! `tests/interop/clients` check; in Python and on Node it is their text, on our packages.

use super::interop::{BOTH, LEGACY, Official, Program, Reference, Tally, drive_ours, drive_theirs};
use super::third_party;
use crate::TestArgs;
use crate::report::Outcome;
use crate::swift::{self, Toolchain};
use crate::{cargo, exec, kotlin, node as node_package, python as python_package};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "mcpbolt-examples";

/// The Kotlin programs, with those in Rust, in Python and on Node.
pub(super) fn kotlin(args: &TestArgs) -> Result<Outcome, String> {
    if let Err(missing) = kotlin::tools() {
        return Ok(Outcome::NotRun(missing));
    }
    run(&Language::kotlin(&kotlin::programs()?), None, args)
}

/// The Swift programs, with those in Rust, in Python, on Node and in Kotlin.
pub(super) fn swift(args: &TestArgs) -> Result<Outcome, String> {
    let toolchain = match Toolchain::get() {
        Ok(toolchain) => toolchain,
        Err(missing) => return Ok(Outcome::NotRun(missing)),
    };
    let swift = Language::swift(&swift::programs(&toolchain)?);
    let kotlin = match kotlin::tools() {
        Ok(_) => Some(Language::kotlin(&kotlin::programs()?)),
        Err(missing) => {
            println!("    not run with Kotlin ({missing})");
            None
        }
    };
    run(&swift, kotlin.as_ref(), args)
}

/// The two programs of a language, and what cases call them.
struct Language {
    server: &'static str,
    /// The same over stdio and over HTTP.
    served: [&'static str; 2],
    client: &'static str,
    everything: PathBuf,
    /// What checks an everything server.
    checks: PathBuf,
}

impl Language {
    fn kotlin(programs: &Path) -> Self {
        Self {
            server: "our Kotlin server",
            served: ["our Kotlin server, stdio", "our Kotlin server, HTTP"],
            client: "our Kotlin client",
            everything: programs.join("everything-server"),
            checks: programs.join("interop-client"),
        }
    }

    fn swift(programs: &Path) -> Self {
        Self {
            server: "our Swift server",
            served: ["our Swift server, stdio", "our Swift server, HTTP"],
            client: "our Swift client",
            everything: programs.join("everything-server"),
            checks: programs.join("interop-checks"),
        }
    }

    fn server(&self) -> Program {
        Program::new(self.server, [&self.everything])
    }

    fn client(&self) -> Official {
        Official::new(self.client, self.checks.clone(), [], BOTH)
    }

    /// The server as the client in Rust is told of it.
    fn references(&self) -> [Reference; 2] {
        let program = self.everything.to_string_lossy().into_owned();
        let http = vec![program.clone(), "--http".to_owned(), "127.0.0.1:{port}".to_owned()];
        let (call, expect) = (("greet", r#"{"name":"Zoë"}"#), "Hello, Zoë!");
        let [over_stdio, over_http] = self.served;
        [
            Reference { name: over_stdio, transport: "stdio", start: vec![program], call, expect },
            Reference { name: over_http, transport: "http", start: http, call, expect },
        ]
    }
}

/// The client of a language on every server, and every client on its server.
fn run(language: &Language, other: Option<&Language>, args: &TestArgs) -> Result<Outcome, String> {
    let node = node_package::environment()?;
    let mut tally = Tally::default();

    let mut clients = vec![python()?, script(&node)?];
    clients.extend(other.map(Language::client));
    drive_ours(&language.server(), &clients, &mut tally)?;
    let rust = Program::new("our Rust client", [binary("interop-client")?]);
    drive_theirs(&rust, &language.references(), args, &mut tally)?;

    let examples = exec::root().join("examples");
    let python = [python_package::environment()?, examples.join("python/everything_server.py")];
    let mut servers = vec![
        Program::new("our Rust server", [binary("everything-server")?]),
        Program::new("our Python server", python),
        Program::new("our Node server", [node, examples.join("node/everything-server.mjs")]),
    ];
    servers.extend(other.map(Language::server));
    servers.push(language.server());
    for server in &servers {
        drive_ours(server, &[language.client()], &mut tally)?;
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
