//! Interoperability with the official SDKs and reference servers, both ways.
//!
//! Owns: which pinned client drives our server over which transport, and which
//! reference server our client drives. The clients are in `tests/interop`.

use super::{not_built, npm_packages, split_packages, third_party};
use crate::TestArgs;
use crate::listening::listen;
use crate::report::Outcome;
use crate::{bench, cargo, exec, folder, install};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "mcpbolt-examples";

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let mut tally = Tally::default();
    if let Some(server) = cargo::build_bin(PACKAGE, "everything-server")? {
        let mut all = officials()?;
        if args.full {
            all.push(rust_sdk()?.0);
        } else {
            println!("    not run rmcp-3.11.0 (only with --full)");
        }
        drive_ours(&Program::new("our server", [server]), &all, &mut tally)?;
    } else {
        tally.missing.push("everything-server".to_owned());
    }
    let client = cargo::build_bin(PACKAGE, "interop-client")?;
    match &client {
        Some(client) => {
            let ours = Program::new("our client", [client]);
            drive_theirs(&ours, &references(args)?, args, &mut tally)?;
        }
        None => tally.missing.push("interop-client".to_owned()),
    }
    third_party::run(client.as_deref(), args, &mut tally)?;
    npm_packages::run(client.as_deref(), args, &mut tally)?;
    split_packages::run(args, &mut tally)?;
    Ok(tally.outcome())
}

/// A program of ours, its first arguments, and what cases call it.
pub(super) struct Program {
    name: String,
    words: Vec<OsString>,
}

impl Program {
    pub(super) fn new(name: &str, words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self { name: name.to_owned(), words: words.into_iter().map(Into::into).collect() }
    }

    fn command(&self) -> Command {
        let mut command = exec::command(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }
}

/// What passed, what failed, and what there was nothing to run with.
#[derive(Default)]
pub(super) struct Tally {
    passed: usize,
    failed: Vec<String>,
    missing: Vec<String>,
}

impl Tally {
    /// Runs a case, and counts it.
    pub(super) fn case(&mut self, name: &str, command: &mut Command) -> Result<(), String> {
        if exec::passes(command.env("PYTHONDONTWRITEBYTECODE", "1"))? {
            println!("    ok      {name}");
            self.passed += 1;
        } else {
            println!("    FAILED  {name}");
            self.failed.push(name.to_owned());
        }
        Ok(())
    }

    pub(super) fn outcome(self) -> Outcome {
        if !self.failed.is_empty() {
            return Outcome::Failed(self.failed.join(", "));
        }
        if !self.missing.is_empty() {
            return not_built(&format!("no binary {}; {} cases ok", self.missing.join(", "), self.passed));
        }
        Outcome::Ok(format!("{} cases", self.passed))
    }
}

/// An official client: what runs it, its script, and the eras it can be told to open with.
pub(super) struct Official {
    name: &'static str,
    program: PathBuf,
    /// Its first arguments; a script, if that is an interpreter.
    first: Vec<OsString>,
    eras: &'static [&'static str],
}

pub(super) const LEGACY: &[&str] = &["legacy"];
pub(super) const BOTH: &[&str] = &["legacy", "auto"];

fn officials() -> Result<Vec<Official>, String> {
    let clients = exec::root().join("tests/interop/clients");
    let row = |name, program, script, eras| Official::new(name, program, [clients.join(script).into()], eras);
    let mut all = vec![
        row("python-1.30.0", install::official_python(1)?, "py1.py", LEGACY),
        row("python-2.3.0", install::official_python(2)?, "py2.py", BOTH),
    ];
    all.extend(typescript()?);
    Ok(all)
}

/// The official clients in TypeScript.
pub(super) fn typescript() -> Result<Vec<Official>, String> {
    let packages = install::npm("interop", "tests/interop")?;
    let node = pinned_node()?;
    let clients = exec::root().join("tests/interop/clients");
    // Node looks for packages beside the script, so the scripts go where those are installed.
    let copies = packages.join("clients");
    std::fs::create_dir_all(&copies).map_err(|e| e.to_string())?;
    for script in ["checks.mjs", "ts1.mjs", "ts2.mjs"] {
        std::fs::copy(clients.join(script), copies.join(script)).map_err(|e| e.to_string())?;
    }
    let row = |name, script, eras| Official::new(name, node.clone(), [copies.join(script).into()], eras);
    Ok(vec![row("typescript-1.32.2", "ts1.mjs", LEGACY), row("typescript-2.4.0", "ts2.mjs", BOTH)])
}

/// A Node new enough for everything here.
pub(super) fn pinned_node() -> Result<PathBuf, String> {
    install::node(&install::npm("conformance", "tests/conformance")?)
}

impl Official {
    /// A client that takes what the official ones in `tests/interop/clients` take.
    pub(super) fn new(
        name: &'static str,
        program: PathBuf,
        first: impl Into<Vec<OsString>>,
        eras: &'static [&'static str],
    ) -> Self {
        Self { name, program, first: first.into(), eras }
    }

    fn command(&self, era: &str) -> Command {
        let mut command = exec::command(&self.program);
        command.args(&self.first).args(["--era", era]);
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONWARNINGS", "ignore");
        command
    }
}

/// The official Rust SDK, both ways. Its programs are those of the benchmark, which take
/// minutes to build: only in the full run.
fn rust_sdk() -> Result<(Official, PathBuf), String> {
    let programs = bench::build()?;
    let client = Official::new("rmcp-3.11.0", programs.join("rmcp-checks"), [], BOTH);
    Ok((client, programs.join("rmcp-server")))
}

/// Official clients on a server of ours.
pub(super) fn drive_ours(server: &Program, clients: &[Official], tally: &mut Tally) -> Result<(), String> {
    for official in clients {
        for era in official.eras {
            let case = format!("{} ({era}) on {}", official.name, server.name);
            tally.case(&format!("{case}, stdio"), official.command(era).arg("--").args(&server.words))?;
            let (listening, port) = listen(server.command(), |command, port| {
                command.arg("--http").arg(format!("127.0.0.1:{port}"));
            })?;
            let url = format!("http://127.0.0.1:{port}/mcp");
            tally.case(&format!("{case}, HTTP"), official.command(era).arg(url))?;
            drop(listening);
        }
    }
    Ok(())
}

/// A server of others and what a client is told to find there.
pub(super) struct Reference {
    pub(super) name: &'static str,
    /// `stdio`, `http` or `sse`.
    pub(super) transport: &'static str,
    /// Its program and arguments; `{folder}` is a fresh git repository with `note.txt`.
    pub(super) start: Vec<String>,
    /// The tool to call and its arguments.
    pub(super) call: (&'static str, &'static str),
    /// Text the call's answer holds.
    pub(super) expect: &'static str,
}

/// The reference servers for Node among the packages of a folder.
pub(super) fn npm_servers(packages: &Path, node: &Path) -> Vec<Reference> {
    let start = |server: &str, more: &str| {
        let file = packages.join("node_modules/@modelcontextprotocol").join(server).join("dist/index.js");
        let words = [node.to_string_lossy(), file.to_string_lossy(), more.into()];
        words.into_iter().filter(|word| !word.is_empty()).map(Cow::into_owned).collect()
    };
    let row = |name, transport, start, call, expect| Reference { name, transport, start, call, expect };
    let everything = |name, transport, mode| {
        let echo = ("echo", r#"{"message":"grüße"}"#);
        row(name, transport, start("server-everything", mode), echo, "grüße")
    };
    let read = ("read_text_file", r#"{"path":"{folder}/note.txt"}"#);
    vec![
        everything("server-everything, stdio", "stdio", "stdio"),
        everything("server-everything, HTTP", "http", "streamableHttp"),
        everything("server-everything, SSE", "sse", "sse"),
        row("server-filesystem", "stdio", start("server-filesystem", "{folder}"), read, "kept"),
        row("server-memory", "stdio", start("server-memory", ""), ("read_graph", "{}"), "entities"),
    ]
}

pub(super) fn references(args: &TestArgs) -> Result<Vec<Reference>, String> {
    let mut all = npm_servers(&install::npm("interop", "tests/interop")?, &pinned_node()?);
    let python = install::python("reference-servers", "tests/interop/requirements-servers.txt")?;
    let module = |words: &[&str]| {
        let head = [python.to_string_lossy().into_owned(), "-m".to_owned()];
        head.into_iter().chain(words.iter().map(|&word| word.to_owned())).collect::<Vec<_>>()
    };
    let row = |name, transport, start, call, expect| Reference { name, transport, start, call, expect };
    all.extend([
        row(
            "mcp-server-time",
            "stdio",
            module(&["mcp_server_time", "--local-timezone", "UTC"]),
            ("get_current_time", r#"{"timezone":"UTC"}"#),
            "UTC",
        ),
        row(
            "mcp-server-git",
            "stdio",
            module(&["mcp_server_git", "--repository", "{folder}"]),
            ("git_status", r#"{"repo_path":"{folder}"}"#),
            "note.txt",
        ),
    ]);
    if args.full {
        let program = rust_sdk()?.1.to_string_lossy().into_owned();
        let http = [program.clone(), "--http".to_owned(), "127.0.0.1:{port}".to_owned()].to_vec();
        let echo = ("echo", r#"{"text":"grüße"}"#);
        all.push(row("rmcp-3.11.0, stdio", "stdio", vec![program], echo, "grüße"));
        all.push(row("rmcp-3.11.0, HTTP", "http", http, echo, "grüße"));
    }
    Ok(all)
}

/// A client that calls a tool, on servers of others.
pub(super) fn drive_theirs(
    client: &Program,
    servers: &[Reference],
    args: &TestArgs,
    tally: &mut Tally,
) -> Result<(), String> {
    let folder = workspace()?;
    let fill = |text: &str| text.replace("{folder}", &folder.to_string_lossy());
    for server in servers {
        let start: Vec<String> = server.start.iter().map(|word| fill(word)).collect();
        let mut call = client.command();
        call.args(["--call", server.call.0, &fill(server.call.1), "--expect", server.expect]);
        if args.verbose {
            call.arg("-v");
        }
        let mut listening = None;
        if server.transport == "stdio" {
            call.arg("--").args(&start);
        } else {
            let (child, port) = listen(exec::command(&start[0]), |command, port| {
                let port = port.to_string();
                command.args(start[1..].iter().map(|word| word.replace("{port}", &port))).env("PORT", &port);
            })?;
            let (flag, path) = if server.transport == "sse" { ("--sse", "sse") } else { ("--http", "mcp") };
            call.arg(flag).arg(format!("http://127.0.0.1:{port}/{path}"));
            listening = Some(child);
        }
        tally.case(&format!("{} on {}", client.name, server.name), &mut call)?;
        drop(listening);
    }
    Ok(())
}

/// A fresh git repository that holds one file.
pub(super) fn workspace() -> Result<PathBuf, String> {
    let folder = exec::root().join(".cache/interop-folder");
    folder::fresh(&folder)?;
    std::fs::write(folder.join("note.txt"), "kept\n").map_err(|e| e.to_string())?;
    exec::stdout(exec::command("git").args(["init", "--quiet"]).arg(&folder))?;
    Ok(folder)
}
