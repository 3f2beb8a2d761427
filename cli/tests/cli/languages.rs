//! Servers in other languages. `cargo xtask test cli` says where their interpreters are; without
//! that these tests say that they were not run.

use std::path::PathBuf;

use serde_json::json;

use crate::program::{root, run};

/// The interpreter of a language, or that it is not there.
fn interpreter(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        eprintln!("not run: {variable} names no interpreter");
    }
    found
}

/// The verbs against an everything-server over stdio.
fn visit(interpreter: &std::path::Path, server: &str) {
    let server = root().join(server);
    let command = ["--", interpreter.to_str().unwrap(), server.to_str().unwrap()];
    let on = |words: &[&str]| run(words.iter().chain(&command));
    for protocol in ["2025-06-18", "2026-07-28"] {
        let lists = on(&["list", "--json", "--protocol-version", protocol]).exits(0).json();
        assert!(lists["tools"].as_array().is_some_and(|tools| tools.len() > 5), "{lists}");
    }
    let text = on(&["call", "test_simple_text"]).exits(0);
    assert_eq!(text.out, "This is a simple text response for testing.\n");
    on(&["call", "test_error_handling"]).exits(1);
    let read = on(&["read", "test://static-text"]).exits(0);
    assert!(read.out.starts_with("This is the content"), "{read:?}");
    let prompt = on(&["prompt", "test_prompt_with_arguments", "arg1=1", "arg2=2"]).exits(0);
    assert!(prompt.out.contains("arg1='1', arg2='2'"), "{prompt:?}");
    on(&["ping"]).exits(0);
    let bench = on(&["bench", "--requests", "20", "--json"]).exits(0).json();
    assert_eq!(bench["answers"], json!(20));
    let check = on(&["check", "--json", "--fail-on", "error"]).exits(0).json();
    assert_eq!(check["counts"]["error"], 0, "{check}");
}

#[test]
fn a_python_server() {
    if let Some(python) = interpreter("MCPBOLT_CLI_PYTHON") {
        visit(&python, "examples/python/everything_server.py");
    }
}

#[test]
fn a_node_server() {
    if let Some(node) = interpreter("MCPBOLT_CLI_NODE") {
        visit(&node, "examples/node/everything-server.mjs");
    }
}
