//! Unmodified Python programs of others on `mcpbolt.compat`.
//!
//! Owns: which program runs, who drives it, and the environment they share: it has the
//! official package too, so that finding ours is no accident. The scripts are in
//! `tests/interop/compat`.

use super::interop::{Tally, workspace};
use crate::TestArgs;
use crate::listening::listen;
use crate::{exec, install};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A server: its module and arguments, a tool to call, and text of the answer. `{folder}`
/// is a git repository with `note.txt`, `{port}` that of a web server in it.
struct Server {
    name: &'static str,
    start: &'static [&'static str],
    call: (&'static str, &'static str),
    expect: &'static str,
}

const SERVERS: &[Server] = &[
    Server {
        name: "mcp-server-time",
        start: &["mcp_server_time", "--local-timezone", "UTC"],
        call: ("get_current_time", r#"{"timezone":"UTC"}"#),
        expect: "UTC",
    },
    Server {
        name: "mcp-server-git",
        start: &["mcp_server_git", "--repository", "{folder}"],
        call: ("git_status", r#"{"repo_path":"{folder}"}"#),
        expect: "note.txt",
    },
    Server {
        name: "mcp-server-fetch",
        start: &["mcp_server_fetch", "--allow-private-ips"],
        call: ("fetch", r#"{"url":"http://127.0.0.1:{port}/note.txt"}"#),
        expect: "kept",
    },
];

/// All cases; `client` is the interop client in Rust.
pub(super) fn run(client: Option<&Path>, args: &TestArgs, tally: &mut Tally) -> Result<(), String> {
    let python = environment()?;
    if args.full {
        // Minutes of them, and those that are known to fail are in a list beside the script.
        run_official_tests(tally)?;
        run_tests_of_fastmcp(tally)?;
    } else {
        println!(
            "    not run the own tests of the official package and of fastmcp on mcpbolt (only with --full)"
        );
    }
    drive_servers(&python, client, tally)?;
    drive_adapters(&python, tally)?;
    drive_fastmcp(tally)?;
    tally.case("gunicorn --preload, two workers", &mut script(&python, "workers.py"))
}

/// The interpreter, which finds the package of this checkout.
pub(super) fn environment() -> Result<PathBuf, String> {
    with_package("compat", "tests/interop/requirements-compat.txt")
}

/// An environment that has what a list names, and finds the package of this checkout.
pub(super) fn with_package(name: &str, requirements: &str) -> Result<PathBuf, String> {
    if !exec::passes(exec::command("bash").arg("bindings-python/build.sh"))? {
        return Err("the extension for Python cannot be built".to_owned());
    }
    let python = install::python(name, requirements)?;
    let ask = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let packages = PathBuf::from(exec::stdout(exec::command(&python).args(["-c", ask]))?.trim());
    let ours = exec::root().join("bindings-python/python");
    std::fs::write(packages.join("mcpbolt.pth"), format!("{}\n", ours.display()))
        .map_err(|e| format!("{}: {e}", packages.display()))?;
    Ok(python)
}

fn script(python: &Path, name: &str) -> Command {
    let mut command = exec::command(python);
    command.arg(exec::root().join("tests/interop/compat").join(name));
    command
}

/// The same servers with the official client and with ours in Rust.
fn drive_servers(python: &Path, client: Option<&Path>, tally: &mut Tally) -> Result<(), String> {
    let folder = workspace()?;
    let mut pages = exec::command(python);
    pages.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(&folder);
    pages.stderr(std::process::Stdio::null());
    let (serving, port) = listen(pages, |command, port| {
        command.arg(port.to_string());
    })?;
    let fill =
        |text: &str| text.replace("{folder}", &folder.to_string_lossy()).replace("{port}", &port.to_string());
    for server in SERVERS {
        let start = |command: &mut Command| {
            command.arg("--").arg(python).args(["-m", "mcpbolt.compat", "-m"]);
            command.args(server.start.iter().map(|word| fill(word)));
        };
        let arguments = fill(server.call.1);
        let mut official = script(python, "official.py");
        start(official.args([server.call.0, &arguments, server.expect]));
        tally.case(&format!("the official client on {} on mcpbolt", server.name), &mut official)?;
        if let Some(client) = client {
            let mut ours = exec::command(client);
            start(ours.args(["--call", server.call.0, &arguments, "--expect", server.expect]));
            tally.case(&format!("our client on {} on mcpbolt", server.name), &mut ours)?;
        }
    }
    drop(serving);
    Ok(())
}

/// LangChain's adapters, over both transports.
fn drive_adapters(python: &Path, tally: &mut Tally) -> Result<(), String> {
    let adapters = || {
        let mut command = exec::command(python);
        command.args(["-m", "mcpbolt.compat"]).arg(exec::root().join("tests/interop/compat/adapters.py"));
        command
    };
    let script = exec::root().join("tests/interop/compat/served.py");
    tally.case("langchain-mcp-adapters on mcpbolt, stdio", adapters().arg("--").arg(python).arg(&script))?;
    let mut server = exec::command(python);
    server.arg(&script).arg("--http");
    let (serving, port) = listen(server, |command, port| {
        command.arg(port.to_string());
    })?;
    let url = format!("http://127.0.0.1:{port}/mcp");
    tally.case("langchain-mcp-adapters on mcpbolt, HTTP", adapters().arg(url))?;
    drop(serving);
    Ok(())
}

/// The own tests of the official package, beside lists of what fails, here or everywhere.
fn run_official_tests(tally: &mut Tally) -> Result<(), String> {
    for (line, suffix, release) in [("1", "", "1.30.0"), ("2", "-2", "2.3.0")] {
        let requirements = format!("tests/interop/requirements-official-tests{suffix}.txt");
        let tests = install::python(&format!("official-tests{suffix}"), &requirements)?;
        let case = format!("the own tests of the official package {release} on mcpbolt");
        tally.case(&case, script(&tests, "official_tests.py").args(["--api", line]))?;
    }
    Ok(())
}

fn run_tests_of_fastmcp(tally: &mut Tally) -> Result<(), String> {
    for release in ["2", "3", "4"] {
        let requirements = format!("tests/interop/requirements-fastmcp{release}-tests.txt");
        let tests = install::python(&format!("fastmcp-{release}-tests"), &requirements)?;
        let case = format!("the own tests of fastmcp {release} on mcpbolt");
        tally.case(&case, script(&tests, "fastmcp_tests.py").arg(release))?;
        if release == "4" {
            tally.case("the examples of fastmcp 4 on mcpbolt", &mut script(&tests, "fastmcp_examples.py"))?;
        }
    }
    Ok(())
}

/// fastmcp 2, which has sessions of its own, as server, client and proxy; it needs other
/// releases than the rest.
fn drive_fastmcp(tally: &mut Tally) -> Result<(), String> {
    let python = with_package("fastmcp-2", "tests/interop/requirements-fastmcp2.txt")?;
    let mut command = exec::command(&python);
    command.args(["-m", "mcpbolt.compat", "--children"]);
    command.arg(exec::root().join("tests/interop/compat/fastmcp2.py"));
    tally.case("fastmcp 2 on mcpbolt: memory, stdio, HTTP, proxy", &mut command)
}
