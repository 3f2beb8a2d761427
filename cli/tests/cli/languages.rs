//! Every verb against everything-servers of five languages, over stdio and HTTP, in a terminal, each
//! screen compared with a golden file. The one in Rust is always there; `cargo xtask test cli` says
//! where the others are, and without that these tests say that they were not run.

use std::sync::mpsc;

use crate::golden::{same, steady};
use crate::listening::Listening;
use crate::program::{everything, root};
use crate::tour::{Server, questions, tour};

/// The words of a server: what a variable names, and a script for it.
fn words(variable: &str, script: Option<&str>) -> Option<Vec<String>> {
    let Ok(found) = std::env::var(variable) else {
        eprintln!("not run: {variable} names no program");
        return None;
    };
    let script = script.map(|script| root().join(script).to_str().expect("text").to_owned());
    Some([found].into_iter().chain(script).collect())
}

/// The whole tour over both transports, beside each other; both look the same.
fn visit(language: &str, command: &[String]) {
    let listening = Listening::start(command);
    let (tell, told) = mpsc::channel();
    std::thread::scope(|scope| {
        for server in [Server::Stdio(command), Server::Http(&listening.url)] {
            let tell = tell.clone();
            scope.spawn(move || {
                questions(&server);
                let _ = tell.send(tour(&server));
            });
        }
    });
    drop(tell);
    for seen in told {
        same(&format!("tour-{language}.txt"), &steady(&seen, &[]));
    }
}

#[test]
fn a_rust_server() {
    visit("rust", &[everything().to_str().expect("text").to_owned()]);
}

#[test]
fn a_python_server() {
    if let Some(words) = words("MCPBOLT_CLI_PYTHON", Some("examples/python/everything_server.py")) {
        visit("python", &words);
    }
}

#[test]
fn a_node_server() {
    if let Some(words) = words("MCPBOLT_CLI_NODE", Some("examples/node/everything-server.mjs")) {
        visit("node", &words);
    }
}

#[test]
fn a_kotlin_server() {
    if let Some(words) = words("MCPBOLT_CLI_KOTLIN", None) {
        visit("kotlin", &words);
    }
}

#[test]
fn a_swift_server() {
    if let Some(words) = words("MCPBOLT_CLI_SWIFT", None) {
        visit("swift", &words);
    }
}
