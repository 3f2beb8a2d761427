//! `core/proto` touches neither clock, thread, lock, socket nor entropy.
//!
//! Held twice: here, over the crates it links and the words it uses; and by
//! `core/proto/clippy.toml`, over the functions and types it names.

use super::Finding;
use crate::report::Outcome;
use crate::rust_source::RustSource;
use crate::{cargo, exec, tree};

/// Crates that bring a clock, a thread, a lock, a socket or entropy.
const CRATES: &[&str] = &[
    "async-std",
    "axum",
    "crossbeam",
    "crossbeam-channel",
    "fastrand",
    "futures-executor",
    "getrandom",
    "hyper",
    "instant",
    "mio",
    "parking_lot",
    "rand",
    "rayon",
    "reqwest",
    "rustix",
    "rustls",
    "signal-hook",
    "smol",
    "socket2",
    "time",
    "tokio",
    "web-time",
];
/// Modules of std it does not use.
const MODULES: &[&str] = &["env", "fs", "os", "process", "thread"];
/// Words with no use in synchronous code without state of its own. Addresses of `std::net` are plain values.
const WORDS: &[&str] = &[
    "async",
    "await",
    "Mutex",
    "RwLock",
    "Condvar",
    "OnceLock",
    "LazyLock",
    "Instant",
    "SystemTime",
    "TcpListener",
    "TcpStream",
    "ToSocketAddrs",
    "UdpSocket",
    "UnixListener",
    "UnixStream",
];
const CLIPPY: &str = "core/proto/clippy.toml";

pub(super) fn check() -> Outcome {
    match linked().and_then(|crates| Ok((crates, words()?))) {
        Err(why) => Outcome::Failed(why),
        Ok((crates, words)) => {
            for found in &crates {
                println!("    mcpbolt-proto links {found}");
            }
            super::outcome(&words);
            let count = crates.len() + words.len();
            Outcome::from_bool(count == 0, &format!("{count} findings"))
        }
    }
}

/// Forbidden crates among those it links, with all its features.
fn linked() -> Result<Vec<String>, String> {
    let mut tree = cargo::cargo();
    tree.args([
        "tree",
        "-p",
        "mcpbolt-proto",
        "-e",
        "normal",
        "--all-features",
        "--prefix",
        "none",
        "--format",
        "{lib}|{p}",
    ]);
    let text = exec::stdout(&mut tree)?;
    let mut found: Vec<String> = text
        .lines()
        .filter_map(|line| line.split('|').nth(1)?.split(' ').next())
        .filter(|name| CRATES.contains(name))
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

fn words() -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    if !exec::root().join(CLIPPY).is_file() {
        findings.push(Finding::new(CLIPPY, 0, "missing"));
    }
    for file in
        tree::read()?.iter().filter(|f| f.is_rust() && f.path.starts_with("core/proto/src/") && !f.is_test())
    {
        let source = RustSource::parse(&file.text, false).unwrap_or_default();
        findings.extend(forbidden(&source).into_iter().map(|(line, word)| {
            Finding::new(
                &file.path,
                line,
                format!("{word}: core/proto is told the time and given its entropy"),
            )
        }));
    }
    Ok(findings)
}

fn forbidden(source: &RustSource) -> Vec<(usize, String)> {
    let tokens: Vec<_> = source.tokens.iter().filter(|token| !token.in_test).collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let word = token.text.as_str();
        let of_std = index >= 3 && tokens[index - 3].text == "std" && tokens[index - 1].text == ":";
        if WORDS.contains(&word) || word.starts_with("Atomic") || (of_std && MODULES.contains(&word)) {
            found.push((token.line, word.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        forbidden(&RustSource::parse(text, false).unwrap()).len()
    }

    #[test]
    fn io_is_found() {
        assert_eq!(found("use std::fs::File;"), 1);
        assert_eq!(found("async fn f() {}"), 1);
        assert_eq!(found("use std::net::{IpAddr, TcpStream};"), 1);
        assert_eq!(found("use std::sync::{Arc, Mutex};"), 1);
        assert_eq!(found("fn f() { let t = std::time::Instant::now(); }"), 1);
    }

    #[test]
    fn plain_code_and_tests_are_not() {
        assert_eq!(found("use std::sync::Arc; use std::time::Duration; use std::fmt;"), 0);
        assert_eq!(found("#[cfg(test)] mod t { use std::fs; }"), 0);
    }
}
