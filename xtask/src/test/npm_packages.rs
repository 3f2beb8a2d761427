//! The Node package among others: official clients on our server, our client on servers of
//! others, and unmodified npm packages that npm's `overrides` put on ours.
//!
//! Owns: which program meets which, and the folder where ours takes the official package's
//! place. The scripts are in `tests/interop/clients` and `tests/interop/overrides`.

use super::interop::{
    Program, Reference, Tally, drive_ours, drive_theirs, npm_servers, pinned_node, references, typescript,
};
use crate::TestArgs;
use crate::listening::listen;
use crate::{exec, install, node as package};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// All cases; `rust` is the interop client in Rust.
pub(super) fn run(rust: Option<&Path>, args: &TestArgs, tally: &mut Tally) -> Result<(), String> {
    let node = package::environment()?.into_os_string();
    let server = [node.clone(), script("examples/node/everything-server.mjs")];
    drive_ours(&Program::new("our Node server", &server), &typescript()?, tally)?;

    let call = script("tests/interop/clients/call.mjs");
    let ours = Program::new("our Node client", [&node, &call]);
    drive_theirs(&ours, &references(args)?, args, tally)?;

    let packages = overridden()?;
    compare(&packages, tally)?;
    adapters(&packages, &server, tally)?;
    let strangers = strangers(&packages)?;
    let theirs = "--package=@modelcontextprotocol/sdk".into();
    let official = Program::new("the official client (mcpbolt below the server)", [node, call, theirs]);
    drive_theirs(&official, &strangers, args, tally)?;
    if let Some(rust) = rust {
        let ours = Program::new("our client (mcpbolt below the server)", [rust]);
        drive_theirs(&ours, &strangers, args, tally)?;
    }
    Ok(())
}

fn script(path: &str) -> OsString {
    exec::root().join(path).into()
}

/// The reference servers with the official package below them, and with ours.
fn compare(packages: &Path, tally: &mut Tally) -> Result<(), String> {
    let official = install::npm("interop", "tests/interop")?;
    let mut compare = exec::command(pinned_node()?);
    compare.arg(script("tests/interop/clients/compare.mjs")).arg(official).arg(packages);
    tally.case("reference servers say the same on mcpbolt", &mut compare)
}

/// LangChain's adapters, which have a client of the official package, as supergateway has.
fn adapters(packages: &Path, server: &[OsString; 2], tally: &mut Tally) -> Result<(), String> {
    let mut command = exec::command(&server[0]);
    command.arg(&server[1]);
    let (serving, port) = listen(command, |command, port| {
        command.arg("--http").arg(format!("127.0.0.1:{port}"));
    })?;
    let node = pinned_node()?;
    let url = format!("http://127.0.0.1:{port}/mcp");
    let adapters = || {
        let mut adapters = exec::command(&node);
        adapters.arg(packages.join("adapters.mjs")).arg(&url).arg("--");
        adapters
    };
    tally.case("LangChain's adapters on mcpbolt", adapters().args(server))?;
    // A client of the official package that puts itself between that client and its requests.
    let gateway = packages.join("node_modules/supergateway/dist/index.js");
    let through = [node.as_ref(), gateway.as_os_str(), "--streamableHttp".as_ref(), url.as_ref()];
    tally.case("LangChain's adapters through supergateway on mcpbolt", adapters().args(through))?;
    drop(serving);
    Ok(())
}

/// Servers written for the official package, on ours.
fn strangers(packages: &Path) -> Result<Vec<Reference>, String> {
    let node = pinned_node()?;
    let mut all = npm_servers(packages, &node);
    let server = |script: &str, name, transport, port: Option<&str>| {
        let script = packages.join(script);
        let words = [node.to_string_lossy().into_owned(), script.to_string_lossy().into_owned()];
        let start = words.into_iter().chain(port.map(str::to_owned)).collect();
        Reference {
            name, transport, start, call: ("echo", r#"{"message":"grüße"}"#), expect: "again: grüße"
        }
    };
    let fastmcp = "fastmcp-server.mjs";
    all.push(server(fastmcp, "fastmcp, stdio", "stdio", None));
    all.push(server(fastmcp, "fastmcp, HTTP", "http", Some("{port}")));
    all.push(server(fastmcp, "fastmcp, SSE", "sse", Some("{port}")));
    all.push(server("hono-server.mjs", "@hono/mcp, HTTP", "http", Some("{port}")));
    Ok(all)
}

/// A folder with the packages of `tests/interop/overrides`, ours in place of the official
/// one. Made anew each time, for ours may be another one; npm keeps what it has downloaded.
fn overridden() -> Result<PathBuf, String> {
    let source = exec::root().join("tests/interop/overrides");
    let folder = exec::root().join(".cache/overrides");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let programs = ["fastmcp-server.mjs", "hono-server.mjs", "adapters.mjs"];
    for file in ["package.json", "package-lock.json", ".npmrc"].into_iter().chain(programs) {
        std::fs::copy(source.join(file), folder.join(file)).map_err(|e| format!("{file}: {e}"))?;
    }
    let mut pack = exec::command("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&folder);
    let packed = exec::stdout(pack.current_dir(exec::root().join("bindings-node")))?;
    let archive = folder.join(packed.trim());
    std::fs::rename(archive, folder.join("mcpbolt.tgz")).map_err(|e| format!("npm pack: {e}"))?;
    install::npm_ci(&folder)?;
    Ok(folder)
}
