//! A real browser, Chromium: the MCP Inspector from npm on our HTTP server on Node, pages of
//! servers in the host of the examples, one made with the library of `ext-apps` and one of that
//! library's own examples, the page of `mcpbolt inspect`, and the site.
//!
//! Owns: where Chromium comes from, and when there is none. The pages are used by
//! `tests/interop/browser/{inspector,app}.mjs`, the site is read by `tests/site/read.mjs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::interop::pinned_node;
use super::page;
use crate::TestArgs;
use crate::listening::listen;
use crate::report::Outcome;
use crate::{docs, exec, install, node as package};

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
    let inspector = script(&packages, "tests/interop/browser/inspector.mjs")?;
    let mut failed = Vec::new();
    for era in ["legacy", "modern"] {
        let picture = exec::root().join(".cache").join(format!("inspector-{era}.png"));
        let mut visit = exec::command(pinned_node()?);
        visit.arg(&inspector).args(["--browser", &browser, "--era", era, "--picture"]).arg(picture);
        visit.args(["--url", &format!("http://127.0.0.1:{port}/mcp")]);
        if !exec::passes(&mut visit)? {
            failed.push(format!("the Inspector, {era}"));
        }
    }
    drop(serving);
    if !exec::passes(&mut app(&packages, &browser)?)? {
        failed.push("pages in a host".to_owned());
    }
    // One imports the other.
    script(&packages, "tests/interop/browser/page-visitor.mjs")?;
    let page = script(&packages, "tests/interop/browser/page.mjs")?;
    let mut missing = Vec::new();
    failed.extend(page::visits(&page, &browser, &mut missing)?);
    if !(docs::run(false)? && exec::passes(&mut site(&packages, &browser)?)?) {
        failed.push("the site".to_owned());
    }
    if failed.is_empty() && !missing.is_empty() {
        let note = format!("not run: {}", missing.join("; "));
        return Ok(Outcome::Partly { note, skipped: missing.len() });
    }
    Ok(if failed.is_empty() {
        let seen = "the Inspector in both eras, pages in a host, our page, the site; pictures: .cache/{inspector-*,app,site-*}.png, docs/pictures";
        Outcome::Ok(seen.to_owned())
    } else {
        Outcome::Failed(failed.join(", "))
    })
}

/// A script, put where Node finds its packages: beside them.
fn script(packages: &Path, source: &str) -> Result<PathBuf, String> {
    let source = exec::root().join(source);
    let script = packages.join(source.file_name().unwrap_or_default());
    std::fs::copy(source, &script).map_err(|e| e.to_string())?;
    Ok(script)
}

/// Every page of the site, at the width of a phone and of a desktop, light and dark.
fn site(packages: &Path, browser: &str) -> Result<Command, String> {
    let mut read = exec::command(pinned_node()?);
    read.arg(script(packages, "tests/site/read.mjs")?).args(["--browser", browser, "--site"]);
    read.arg(docs::html()).arg("--pictures").arg(exec::root().join(".cache"));
    Ok(read)
}

/// The host of the examples with servers of pages.
fn app(packages: &Path, browser: &str) -> Result<Command, String> {
    let root = exec::root();
    let mut visit = exec::command(pinned_node()?);
    visit.arg(script(packages, "tests/interop/browser/app.mjs")?).args(["--browser", browser, "--node"]);
    visit.arg(package::environment()?).arg("--host").arg(root.join("examples/node/apps-host.mjs"));
    visit.arg("--server").arg(root.join("tests/interop/browser/clock-server.mjs"));
    visit.arg("--example").arg(root.join("tests/interop/browser/example-server.mjs"));
    visit.arg("--picture").arg(root.join(".cache/app.png"));
    Ok(visit)
}

/// Chromium as it is installed, or from Debian, where this user may install it; else why
/// it cannot be had.
pub(super) fn chromium() -> Result<String, String> {
    install::program(&NAMES, "chromium")
}
