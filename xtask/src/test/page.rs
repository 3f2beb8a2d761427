//! The page of `mcpbolt inspect` and of servers: its types hold, what is committed is what its sources give, and
//! in Chromium it is used through every feature.
//!
//! Owns: what the page is built with, and which servers it is shown. What a visitor does is in
//! `tests/interop/browser/page.mjs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cli;
use super::interop::pinned_node;
use crate::TestArgs;
use crate::listening::listen;
use crate::report::Outcome;
use crate::{cargo, exec, folder, install, node, python};

/// What the sources give, byte for byte.
const BUILT: [&str; 4] = ["index.html", "page.js", "page.css", "sources.sha256"];
/// The revision with a handshake that the page is also shown with.
const LEGACY: &str = "2025-11-25";

/// The bundle, without a browser.
pub(super) fn run(_: &TestArgs) -> Result<Outcome, String> {
    if let Err(why) = node::tools() {
        return Ok(Outcome::NotRun(why));
    }
    let source = exec::root().join("page");
    let folder = install::npm("page", "page")?;
    copy(&source, &folder)?;
    let tsc = folder.join("node_modules/typescript/bin/tsc");
    if !exec::passes(exec::command("node").arg(tsc).arg("--noEmit").current_dir(&folder))? {
        return Ok(Outcome::Failed("the types of page/ts do not hold".to_owned()));
    }
    let made = folder.join("built");
    let mut build = exec::command("node");
    if !exec::passes(build.arg("build.mjs").arg(&made).current_dir(&folder))? {
        return Ok(Outcome::Failed("page/ts does not build".to_owned()));
    }
    let differs = |name: &&&str| {
        let read = |folder: &Path| std::fs::read(folder.join(name)).ok();
        read(&made) != read(&source.join("dist"))
    };
    let others: Vec<_> = BUILT.iter().filter(differs).copied().collect();
    Ok(if others.is_empty() {
        Outcome::Ok("what is committed is what the sources give".to_owned())
    } else {
        let files = others.join(", ");
        Outcome::Failed(format!(
            "page/dist: {files} are not of these sources: npm ci, npm run build in page/"
        ))
    })
}

/// The sources, put where Node finds their packages.
fn copy(source: &Path, folder: &Path) -> Result<(), String> {
    for name in ["build.mjs", "tsconfig.json"] {
        std::fs::copy(source.join(name), folder.join(name)).map_err(|e| e.to_string())?;
    }
    let ts = folder.join("ts");
    folder::fresh(&ts)?;
    folder::copy(&source.join("ts"), &ts)
}

/// What a visitor of the page is given.
struct Visit<'a> {
    script: &'a Path,
    browser: &'a str,
    inspect: PathBuf,
    python: PathBuf,
    node: PathBuf,
}

/// Shows the page servers of five languages, and says which visits failed, and in `missing` which
/// servers there are not.
pub(super) fn visits(script: &Path, browser: &str, missing: &mut Vec<String>) -> Result<Vec<String>, String> {
    if !exec::passes(cargo::workspace("build").args(["--bin", "mcpbolt", "--bin", "everything-server"]))? {
        return Err("the program or its example server does not build".to_owned());
    }
    let (inspect, server) = (cargo::built("mcpbolt")?, cargo::built("everything-server")?);
    let visit =
        Visit { script, browser, inspect, python: python::environment()?, node: node::environment()? };
    let root = exec::root();
    let of_python = [visit.python.clone(), root.join("examples/python/everything_server.py")];
    let of_node = [visit.node.clone(), root.join("examples/node/everything-server.mjs")];
    let mut servers =
        vec![("Rust", vec![server.clone()]), ("Python", of_python.to_vec()), ("Node", of_node.to_vec())];
    for (language, found) in [("Kotlin", cli::kotlin_server()), ("Swift", cli::swift_server())] {
        match found {
            Ok(server) => servers.push((language, vec![server])),
            Err(why) => missing.push(format!("the page on {language}: {why}")),
        }
    }
    let mut failed = Vec::new();
    for (language, server) in &servers {
        for revision in [None, Some(LEGACY)] {
            if !visit.passes("everything", revision, server)? {
                failed.push(format!("the page on {language}, {}", revision.unwrap_or("newest")));
            }
        }
    }
    let shop = [visit.python.clone(), root.join("tests/interop/browser/shop_server.py")];
    for (name, server) in [("shop", &shop[..]), ("lost", std::slice::from_ref(&server))] {
        if !visit.passes(name, None, server)? {
            failed.push(format!("the page, {name}"));
        }
    }
    if !visit.beside_its_server()? {
        failed.push("the page, beside its server".to_owned());
    }
    if !visit.with_token()? {
        failed.push("the page, token".to_owned());
    }
    Ok(failed)
}

impl Visit<'_> {
    fn command(&self, name: &str) -> Result<Command, String> {
        let mut command = exec::command(pinned_node()?);
        command.arg(self.script).args(["--browser", self.browser, "--visit", name]);
        command.arg("--inspect").arg(&self.inspect);
        command.arg("--python").arg(&self.python).arg("--node").arg(&self.node);
        // The package is found from there.
        command.arg("--programs").arg(exec::root().join(".cache"));
        command.arg("--pictures").arg(exec::root().join("docs/pictures"));
        Ok(command)
    }

    fn passes(&self, name: &str, revision: Option<&str>, server: &[PathBuf]) -> Result<bool, String> {
        let mut command = self.command(name)?;
        command.args(revision.iter().flat_map(|revision| ["--protocol-version", revision]));
        exec::passes(command.arg("--").args(server))
    }

    /// The page that a server over HTTP shows about itself. The pictures are of the other one.
    fn beside_its_server(&self) -> Result<bool, String> {
        let mut command = self.command("shop")?;
        command.arg("--pictures").arg(exec::root().join(".cache"));
        command.arg("--own-page").arg("--").arg(&self.python);
        command.arg(exec::root().join("tests/interop/browser/shop_server.py")).arg("--docs");
        exec::passes(&mut command)
    }

    /// A server that knows its clients by a token.
    fn with_token(&self) -> Result<bool, String> {
        let mut server = exec::command(&self.node);
        server.arg("tests/interop/browser/guarded-server.mjs");
        let (serving, port) = listen(server, |command, port| {
            command.arg(port.to_string());
        })?;
        let mut command = self.command("token")?;
        command.args(["--token", "tea-time", "--", &format!("http://127.0.0.1:{port}/mcp")]);
        let passed = exec::passes(&mut command);
        drop(serving);
        passed
    }
}
