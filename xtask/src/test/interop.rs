//! Interoperability with the official SDKs and reference servers, both ways.
//!
//! Owns: which pinned client drives our server over which transport, and which
//! reference server our client drives. The clients are in `tests/interop`.

use super::{not_built, third_party};
use crate::TestArgs;
use crate::report::Outcome;
use crate::{bench, cargo, exec, install};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PACKAGE: &str = "mcpbolt-examples";
/// How long a server may take to listen.
const START: Duration = Duration::from_secs(20);

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    let mut tally = Tally::default();
    if let Some(server) = cargo::build_bin(PACKAGE, "everything-server")? {
        drive_ours(&server, args, &mut tally)?;
    } else {
        tally.missing.push("everything-server".to_owned());
    }
    let client = cargo::build_bin(PACKAGE, "interop-client")?;
    match &client {
        Some(client) => drive_theirs(client, args, &mut tally)?,
        None => tally.missing.push("interop-client".to_owned()),
    }
    third_party::run(client.as_deref(), &mut tally)?;
    Ok(tally.outcome())
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

    fn outcome(self) -> Outcome {
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
struct Official {
    name: &'static str,
    program: PathBuf,
    /// What an interpreter is given.
    script: Option<PathBuf>,
    eras: &'static [&'static str],
}

const LEGACY: &[&str] = &["legacy"];
const BOTH: &[&str] = &["legacy", "auto"];

fn officials() -> Result<Vec<Official>, String> {
    let packages = install::npm("interop", "tests/interop")?;
    let node = install::node(&install::npm("conformance", "tests/conformance")?)?;
    let ours = exec::root().join("tests/interop/clients");
    // Node looks for packages beside the script, so the scripts go where those are installed.
    let copies = packages.join("clients");
    std::fs::create_dir_all(&copies).map_err(|e| e.to_string())?;
    for script in ["checks.mjs", "ts1.mjs", "ts2.mjs"] {
        std::fs::copy(ours.join(script), copies.join(script)).map_err(|e| e.to_string())?;
    }
    let python = |name, requirements: &str| install::python(name, &format!("tests/interop/{requirements}"));
    let row = |name, program, script, eras| Official { name, program, script: Some(script), eras };
    Ok(vec![
        row("python-1.30.0", python("python-1", "requirements-py1.txt")?, ours.join("py1.py"), LEGACY),
        row("python-2.3.0", python("python-2", "requirements-py2.txt")?, ours.join("py2.py"), BOTH),
        row("typescript-1.32.2", node.clone(), copies.join("ts1.mjs"), LEGACY),
        row("typescript-2.4.0", node, copies.join("ts2.mjs"), BOTH),
    ])
}

impl Official {
    fn command(&self, era: &str) -> Command {
        let mut command = exec::command(&self.program);
        command.args(&self.script).args(["--era", era]);
        command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONWARNINGS", "ignore");
        command
    }
}

/// The official Rust SDK, both ways. Its programs are those of the benchmark, which take
/// minutes to build: only in the full run.
fn rust_sdk() -> Result<(Official, PathBuf), String> {
    let programs = bench::build()?;
    let client =
        Official { name: "rmcp-3.9.0", program: programs.join("rmcp-checks"), script: None, eras: BOTH };
    Ok((client, programs.join("rmcp-server")))
}

/// Official clients on our server.
fn drive_ours(server: &Path, args: &TestArgs, tally: &mut Tally) -> Result<(), String> {
    let mut all = officials()?;
    if args.full {
        all.push(rust_sdk()?.0);
    } else {
        println!("    not run rmcp-3.9.0 (only with --full)");
    }
    for official in all {
        for era in official.eras {
            let case = format!("{} ({era}) on our server", official.name);
            tally.case(&format!("{case}, stdio"), official.command(era).arg("--").arg(server))?;
            let (listening, port) = listen(exec::command(server), |command, port| {
                command.arg("--http").arg(format!("127.0.0.1:{port}"));
            })?;
            let url = format!("http://127.0.0.1:{port}/mcp");
            tally.case(&format!("{case}, HTTP"), official.command(era).arg(url))?;
            drop(listening);
        }
    }
    Ok(())
}

/// A reference server and what our client is told to find there.
struct Reference {
    name: &'static str,
    /// `stdio`, `http` or `sse`.
    transport: &'static str,
    /// Its program and arguments; `{folder}` is a fresh git repository with `note.txt`.
    start: Vec<String>,
    /// The tool to call and its arguments.
    call: (&'static str, &'static str),
    /// Text the call's answer holds.
    expect: &'static str,
}

fn references(args: &TestArgs) -> Result<Vec<Reference>, String> {
    let packages = install::npm("interop", "tests/interop")?;
    let node = install::node(&install::npm("conformance", "tests/conformance")?)?;
    let python = install::python("reference-servers", "tests/interop/requirements-servers.txt")?;
    let script = |name: &str, more: &[&str]| {
        let file = packages.join("node_modules/@modelcontextprotocol").join(name).join("dist/index.js");
        let head = [node.to_string_lossy().into_owned(), file.to_string_lossy().into_owned()];
        head.into_iter().chain(more.iter().map(|&word| word.to_owned())).collect::<Vec<_>>()
    };
    let module = |words: &[&str]| {
        let head = [python.to_string_lossy().into_owned(), "-m".to_owned()];
        head.into_iter().chain(words.iter().map(|&word| word.to_owned())).collect::<Vec<_>>()
    };
    let echo = ("echo", r#"{"message":"grüße"}"#);
    let read = ("read_text_file", r#"{"path":"{folder}/note.txt"}"#);
    let row = |name, transport, start, call, expect| Reference { name, transport, start, call, expect };
    let mut all = vec![
        row("server-everything, stdio", "stdio", script("server-everything", &["stdio"]), echo, "grüße"),
        row(
            "server-everything, HTTP",
            "http",
            script("server-everything", &["streamableHttp"]),
            echo,
            "grüße",
        ),
        row("server-everything, SSE", "sse", script("server-everything", &["sse"]), echo, "grüße"),
        row("server-filesystem", "stdio", script("server-filesystem", &["{folder}"]), read, "kept"),
        row("server-memory", "stdio", script("server-memory", &[]), ("read_graph", "{}"), "entities"),
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
    ];
    if args.full {
        let program = rust_sdk()?.1.to_string_lossy().into_owned();
        let http = [program.clone(), "--http".to_owned(), "127.0.0.1:{port}".to_owned()].to_vec();
        let echo = ("echo", r#"{"text":"grüße"}"#);
        all.push(row("rmcp-3.9.0, stdio", "stdio", vec![program], echo, "grüße"));
        all.push(row("rmcp-3.9.0, HTTP", "http", http, echo, "grüße"));
    }
    Ok(all)
}

/// Our client on the reference servers.
fn drive_theirs(client: &Path, args: &TestArgs, tally: &mut Tally) -> Result<(), String> {
    let folder = workspace()?;
    let fill = |text: &str| text.replace("{folder}", &folder.to_string_lossy());
    for reference in references(args)? {
        let start: Vec<String> = reference.start.iter().map(|word| fill(word)).collect();
        let mut ours = exec::command(client);
        ours.args(["--call", reference.call.0, &fill(reference.call.1), "--expect", reference.expect]);
        if args.verbose {
            ours.arg("-v");
        }
        let mut listening = None;
        if reference.transport == "stdio" {
            ours.arg("--").args(&start);
        } else {
            let server = exec::command(&start[0]);
            let (child, port) = listen(server, |command, port| {
                let port = port.to_string();
                command.args(start[1..].iter().map(|word| word.replace("{port}", &port))).env("PORT", &port);
            })?;
            let (flag, path) =
                if reference.transport == "sse" { ("--sse", "sse") } else { ("--http", "mcp") };
            ours.arg(flag).arg(format!("http://127.0.0.1:{port}/{path}"));
            listening = Some(child);
        }
        tally.case(&format!("our client on {}", reference.name), &mut ours)?;
        drop(listening);
    }
    Ok(())
}

/// A fresh git repository that holds one file.
pub(super) fn workspace() -> Result<PathBuf, String> {
    let folder = exec::root().join(".cache/interop-folder");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    }
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    std::fs::write(folder.join("note.txt"), "kept\n").map_err(|e| e.to_string())?;
    exec::stdout(exec::command("git").args(["init", "--quiet"]).arg(&folder))?;
    Ok(folder)
}

/// A server process that ends with its owner.
pub(super) struct Listening(Child);

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server on a free port and waits until it accepts.
pub(super) fn listen(
    mut command: Command,
    tell: impl FnOnce(&mut Command, u16),
) -> Result<(Listening, u16), String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.map_err(|e| e.to_string())?.port();
    tell(&mut command, port);
    command.stdout(Stdio::null());
    let mut server = Listening(command.spawn().map_err(|e| e.to_string())?);
    let until = Instant::now() + START;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Ok(Some(status)) = server.0.try_wait() {
            return Err(format!("the server ended before it listened: {status}"));
        }
        if Instant::now() > until {
            return Err(format!("the server does not listen after {} s", START.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok((server, port))
}
