//! `list`, `read`, `prompt`, `ping`, and how a server is named.

use std::fs;

use serde_json::{Value, json};

use crate::golden::{same, steady};
use crate::program::{command, everything, example, on, run, wait};
use crate::serving::{self, Serving};

#[test]
fn a_pipe_gets_one_line_for_each_entry() {
    let ran = on(&everything(), &["list"]).exits(0);
    same("list.txt", &ran.out);
    assert_eq!(ran.err, "");
    let only = on(&everything(), &["list", "--only", "prompts", "--only", "templates"]).exits(0);
    let kinds: Vec<&str> = only.out.lines().filter_map(|line| line.split('\t').next()).collect();
    let both = ["template", "prompt"];
    assert!(both.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    assert!(kinds.iter().all(|kind| both.contains(kind)), "{kinds:?}");
}

#[test]
fn json_is_one_document_with_entries_as_they_came() {
    let document = on(&everything(), &["list", "--json"]).exits(0).json();
    assert_eq!(document["serverInfo"]["name"], "mcpbolt-everything");
    assert_eq!(document["protocolVersion"], "2026-07-28");
    let tools = document["tools"].as_array().expect("tools");
    let header = tools.iter().find(|tool| tool["name"] == "test_x_mcp_header").expect("the tool");
    assert_eq!(header["inputSchema"]["properties"]["value"]["x-mcp-header"], "Value");
    for member in ["resources", "resourceTemplates", "prompts"] {
        assert!(document[member].as_array().is_some_and(|entries| !entries.is_empty()), "{member}");
    }
}

#[test]
fn every_revision_can_be_asked_for() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let document = on(&everything(), &["list", "--json", "--protocol-version", revision]).exits(0).json();
        assert_eq!(document["protocolVersion"], revision);
    }
    let wrong = on(&everything(), &["list", "--protocol-version", "2030-01-01"]).exits(2);
    assert!(wrong.err.contains("2026-07-28"), "{}", wrong.err);
}

#[test]
fn over_http_the_lists_are_the_same() {
    let served = Serving::start(serving::shape);
    let ran = run(["list", &served.url]).exits(0);
    assert_eq!(ran.out, "tool\tslow\tWaits until it is cancelled\ntool\tshape\tGives back its arguments\n");
}

#[test]
fn contents_are_written_byte_for_byte() {
    let text = on(&everything(), &["read", "test://static-text"]).exits(0);
    assert_eq!(text.out, "This is the content of the static text resource.");
    let picture = on(&everything(), &["read", "test://static-binary"]).exits(0);
    assert!(picture.bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{picture:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.png");
    let saved =
        on(&everything(), &["read", "test://static-binary", "--output", file.to_str().unwrap()]).exits(0);
    assert_eq!((saved.out.as_str(), fs::read(&file).unwrap()), ("", picture.bytes));
    let json = on(&everything(), &["read", "test://template/7/data", "--json"]).exits(0).json();
    assert!(json["contents"][0]["text"].as_str().is_some_and(|text| text.contains("Data for ID: 7")));
    let gone = on(&everything(), &["read", "test://gone"]).exits(1);
    assert!(gone.err.starts_with("mcpbolt: ") && gone.out.is_empty(), "{gone:?}");
}

#[test]
fn prompts_take_their_arguments_as_text() {
    let ran =
        on(&everything(), &["prompt", "test_prompt_with_arguments", "arg1=1", "arg2=two words"]).exits(0);
    assert_eq!(ran.out, "user: Prompt with arguments: arg1='1', arg2='two words'\n");
    let json = on(&everything(), &["prompt", "test_prompt_with_image", "--json"]).exits(0).json();
    assert_eq!(json["messages"][0]["content"]["type"], "image");
    let slip = on(&everything(), &["prompt", "test_simple_prompt", "arg1"]).exits(2);
    assert!(slip.err.contains("arg1 is no KEY=VALUE"), "{}", slip.err);
}

#[test]
fn a_ping_says_how_long_it_took() {
    let pings = on(&everything(), &["ping", "--count", "3", "--json"]).exits(0).json();
    assert_eq!(pings["pingMs"].as_array().map(Vec::len), Some(3));
    let legacy = on(&everything(), &["ping", "--protocol-version", "2025-11-25"]).exits(0);
    assert!(legacy.out.contains(" ms (2025-11-25)"), "{}", legacy.out);
}

#[test]
fn servers_are_found_in_a_hosts_file() {
    let served = Serving::start(serving::shape);
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, value: Value| {
        let file = folder.path().join(name);
        fs::write(&file, value.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let everything = json!({ "command": everything(), "args": [] });
    let two = write("two.json", json!({"mcpServers": {"local": everything, "web": {"url": served.url}}}));
    assert!(run(["list", &format!("{two}:local")]).exits(0).out.contains("test_simple_text"));
    assert!(run(["list", &format!("{two}:web")]).exits(0).out.contains("shape"));
    let which = run(["list", &two]).exits(2);
    assert!(which.err.contains("local, web"), "{}", which.err);
    let unknown = run(["list", &format!("{two}:other")]).exits(2);
    assert!(unknown.err.contains("no server is called other"), "{}", unknown.err);
    // As VS Code has it, and with one server no name is needed.
    let one = write("one.json", json!({"servers": {"web": {"type": "http", "url": served.url}}}));
    assert!(run(["list", &one]).exits(0).out.contains("shape"));
    let both = write("both.json", json!({"mcpServers": {"odd": {"url": "http://x", "command": "y"}}}));
    assert!(run(["list", &both]).exits(2).err.contains("either a command or a url"));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let server = everything();
    let mut child = command(["list", "--schemas", "--"]).arg(server).spawn().unwrap();
    drop(child.stdout.take());
    let ran = wait(child);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn help_has_usage_and_examples_for_every_verb() {
    let help = run(["--help"]).exits(0);
    same("help.txt", &help.out);
    for verb in ["list", "call", "read", "prompt", "ping", "watch", "bench", "check"] {
        let help = run([verb, "--help"]).exits(0).out;
        assert!(help.contains("Examples:") && help.contains("-- COMMAND"), "{verb}: {help}");
    }
    let version = run(["--version"]).exits(0);
    assert_eq!(steady(&version.out, &[]), "mcpbolt VERSION\n");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(["completions", shell]).exits(0).out.contains("mcpbolt"), "{shell}");
    }
}

#[test]
fn what_a_server_may_know_of_roots_is_given_by_an_option() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().to_str().unwrap();
    let server = example("notes-server");
    let ran = run(["call", "check_roots", "--root", notes, "--", server.to_str().unwrap(), notes]).exits(0);
    assert!(ran.out.contains("The notes lie in file://"), "{ran:?}");
}
