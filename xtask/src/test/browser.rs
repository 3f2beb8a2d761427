//! A real browser: the MCP Inspector from npm, in Chromium, on our HTTP server on Node.
//!
//! Owns: where Chromium comes from, and when there is none. The page is used by
//! `tests/interop/browser/inspector.mjs`.

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
    // Node looks for packages beside the script.
    let script = packages.join("inspector.mjs");
    let source = exec::root().join("tests/interop/browser/inspector.mjs");
    std::fs::copy(source, &script).map_err(|e| e.to_string())?;
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
    Ok(if failed.is_empty() {
        Outcome::Ok("both eras; pictures: .cache/inspector-*.png".to_owned())
    } else {
        Outcome::Failed(failed.join(", "))
    })
}

/// Chromium as it is installed, or from Debian, where this user may install it; else why
/// it cannot be had.
pub(super) fn chromium() -> Result<String, String> {
    if let Some(program) = NAMES.into_iter().find_map(found) {
        return Ok(program);
    }
    if !install::is_root() {
        return Err("no Chromium here, and only root may install it".to_owned());
    }
    println!("    installing chromium");
    install::apt(exec::command("apt-get"), &["chromium"])
        .map_err(|why| format!("no Chromium here, and apt-get does not install it: {why}"))?;
    found(NAMES[0]).ok_or_else(|| "apt-get installed no chromium".to_owned())
}

/// Where a program is.
fn found(name: &str) -> Option<String> {
    let said = exec::stdout(exec::command("sh").args(["-c", "command -v \"$1\"", "sh", name])).ok()?;
    Some(said.trim().to_owned()).filter(|path| !path.is_empty())
}
