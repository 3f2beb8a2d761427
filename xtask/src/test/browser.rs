//! A real browser, Chromium: the MCP Inspector from npm on our HTTP server on Node, and a page of a
//! server, made with the library of `ext-apps`, in the host of the examples.
//!
//! Owns: where Chromium comes from, and when there is none. The pages are used by
//! `tests/interop/browser/{inspector,app}.mjs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::interop::{listen, pinned_node};
use crate::TestArgs;
use crate::report::Outcome;
use crate::{exec, install, node as package};

/// What Chromium is called where it is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub(super) fn run(args: &TestArgs) -> Result<Outcome, String> {
    if !args.full {
        return Ok(Outcome::NotRun("only with --full".to_owned()));
    }
    let browser = match chromium() {
        Ok(browser) => browser,
        Err(why) => return Ok(Outcome::NotRun(why)),
    };
    let mut server = exec::command(package::environment()?);
    server.arg("examples/node/everything-server.mjs");
    let (serving, port) = listen(server, |command, port| {
        command.arg("--http").arg(format!("127.0.0.1:{port}"));
    })?;
    let packages = install::npm("browser", "tests/interop/browser")?;
    let script = script(&packages, "inspector.mjs")?;
    let mut failed = Vec::new();
    for era in ["legacy", "modern"] {
        let picture = exec::root().join(".cache").join(format!("inspector-{era}.png"));
        let mut visit = exec::command(pinned_node()?);
        visit.arg(&script).args(["--browser", &browser, "--era", era, "--picture"]).arg(picture);
        visit.args(["--url", &format!("http://127.0.0.1:{port}/mcp")]);
        if !exec::passes(&mut visit)? {
            failed.push(era);
        }
    }
    drop(serving);
    if !exec::passes(&mut app(&packages, &browser)?)? {
        failed.push("a page in a host");
    }
    Ok(if failed.is_empty() {
        Outcome::Ok("both eras, a page in a host; pictures: .cache/{inspector-*,app}.png".to_owned())
    } else {
        Outcome::Failed(failed.join(", "))
    })
}

/// A script, put where Node finds its packages: beside them.
fn script(packages: &Path, name: &str) -> Result<PathBuf, String> {
    let source = exec::root().join("tests/interop/browser").join(name);
    let script = packages.join(name);
    std::fs::copy(source, &script).map_err(|e| e.to_string())?;
    Ok(script)
}

/// The host of the examples with a server of a page.
fn app(packages: &Path, browser: &str) -> Result<Command, String> {
    let root = exec::root();
    let mut visit = exec::command(pinned_node()?);
    visit.arg(script(packages, "app.mjs")?).args(["--browser", browser, "--node"]);
    visit.arg(package::environment()?).arg("--host").arg(root.join("examples/node/apps-host.mjs"));
    visit.arg("--server").arg(root.join("tests/interop/browser/clock-server.mjs"));
    visit.arg("--picture").arg(root.join(".cache/app.png"));
    Ok(visit)
}

/// Chromium as it is installed, or from Debian, where this user may install it; else why
/// it cannot be had.
pub(super) fn chromium() -> Result<String, String> {
    install::program(&NAMES, "chromium")
}
