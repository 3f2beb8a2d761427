//! `call`: arguments, results, exit codes, cancelling.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use crate::program::{Started, command, everything, on, run, run_with, wait};
use crate::scripted::Scripted;
use crate::serving::{self, Serving};

fn shape(served: &Serving, words: &[&str]) -> Value {
    let ran = run(["call", &served.url, "shape"].iter().chain(words)).exits(0);
    serde_json::from_str(&ran.out).expect("its arguments")
}

#[test]
fn words_become_what_the_schema_wants() {
    let served = Serving::start(serving::shape);
    assert_eq!(
        shape(&served, &["n=3", "tags=new", "tags=red", "user.age=5", "on=true"]),
        json!({"n": 3, "tags": ["new", "red"], "user": {"age": 5}, "on": true})
    );
    assert_eq!(shape(&served, &["n:=7", "tags=[\"a\"]"]), json!({"n": 7, "tags": ["a"]}));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text");
    fs::write(&file, "from a file").unwrap();
    let from_file = format!("tags=@{}", file.display());
    assert_eq!(shape(&served, &["n=1", &from_file]), json!({"n": 1, "tags": ["from a file"]}));
}

#[test]
fn a_whole_object_comes_from_the_line_a_file_or_standard_input() {
    let served = Serving::start(serving::shape);
    assert_eq!(shape(&served, &["--arguments", "{\"n\": 2}"]), json!({"n": 2}));
    let piped = run_with(&["call", &served.url, "shape", "--arguments", "-"], "{\"n\": 4}").exits(0);
    assert_eq!(piped.out, "{\"n\":4}\n");
    for wrong in ["[1]", "{", "@gone.json"] {
        run(["call", &served.url, "shape", "--arguments", wrong]).exits(2);
    }
    run(["call", &served.url, "shape", "--arguments", "{}", "n=1"]).exits(2);
}

#[test]
fn a_slip_is_found_before_anything_is_sent() {
    let served = Serving::start(serving::shape);
    let missing = run(["call", &served.url, "shape"]).exits(2);
    assert!(missing.err.contains("it takes (n: integer, tags?: string[]"), "{}", missing.err);
    let kind = run(["call", &served.url, "shape", "n=many"]).exits(2);
    assert!(kind.err.contains("n: want an integer, not many"), "{}", kind.err);
    let unknown = run(["call", &served.url, "shap", "n=1"]).exits(2);
    assert!(unknown.err.contains("did you mean shape?"), "{}", unknown.err);
    // Sent as it is, the server is the one who refuses.
    run(["call", &served.url, "shape", "--arguments", "{}"]).exits(1);
}

#[test]
fn names_of_the_servers_steer_no_terminal() {
    let server = Scripted::start(json!({"tools/list": {"tools": [
        {"name": "echo\u{1b}[2J", "inputSchema": {"type": "object"}},
        {"name": "add", "inputSchema": {"type": "object", "required": ["a\u{1b}]0;x\u{7}"],
            "properties": {"a\u{1b}]0;x\u{7}": {"type": "string"}}}},
    ]}}));
    for (tool, says) in [("echo", "did you mean echo␛[2J?"), ("add", "it takes (a␛]0;x␇: string)")] {
        let ran = run(["call", &server.url, tool]).exits(2);
        assert!(ran.err.contains(says) && !ran.err.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn results_of_every_kind() {
    let text = on(&everything(), &["call", "test_simple_text"]).exits(0);
    assert_eq!(text.out, "This is a simple text response for testing.\n");
    let mixed = on(&everything(), &["call", "test_multiple_content_types"]).exits(0);
    let lines: Vec<&str> = mixed.out.lines().collect();
    assert!(lines[1].starts_with("[image image/png, ") && lines[1].ends_with(" bytes]"), "{lines:?}");
    assert_eq!(lines[2], "{\"test\":\"data\",\"value\":123}");
    let json = on(&everything(), &["call", "test_image_content", "--json"]).exits(0).json();
    assert_eq!(json["content"][0]["mimeType"], "image/png");
    let failed = on(&everything(), &["call", "test_error_handling"]).exits(1);
    assert_eq!(failed.out, "This tool intentionally returns an error for testing\n");
    assert_eq!(failed.err, "The tool says that it failed.\n");
}

#[test]
fn the_servers_log_goes_to_standard_error() {
    let ran = on(&everything(), &["call", "test_tool_with_logging", "--log-level", "info"]).exits(0);
    assert_eq!(ran.out, "Tool with logging executed successfully\n");
    assert_eq!(
        ran.err,
        "[info] Tool execution started\n[info] Tool processing data\n[info] Tool execution completed\n"
    );
}

#[test]
fn exit_codes_say_what_went_wrong() {
    let gone = run(["list", "--", "no-such-program-anywhere"]).exits(3);
    assert!(gone.err.contains("no-such-program-anywhere"), "{}", gone.err);
    run(["list", "http://127.0.0.1:9/mcp"]).exits(3);
    for more in [&[][..], &["--json"][..]] {
        let words = [&["list", "http://ann:pass@127.0.0.1:9/mcp?key=hidden"][..], more].concat();
        let secret = run(words).exits(3);
        let said = format!("{}{}", secret.out, secret.err);
        assert!(said.contains("127.0.0.1:9/mcp"), "{said}");
        assert!(!said.contains("pass") && !said.contains("hidden"), "{said}");
    }
    let denied = Scripted::start(json!({"*": 401, "initialize": 401}));
    let ran = run(["list", &denied.url]).exits(4);
    assert!(ran.err.contains("--auth oauth"), "{}", ran.err);
    let served = Serving::start(serving::shape);
    let late = run(["call", &served.url, "slow", "--timeout", "300ms"]).exits(5);
    assert!(late.err.contains("--timeout"), "{}", late.err);
    let odd = Scripted::start(json!({"tools/list": {"tools": 7}}));
    run(["list", &odd.url]).exits(6);
    for usage in
        [&["list"][..], &["list", "nonsense"], &["call", &served.url], &["list", &served.url, "more"]]
    {
        run(usage).exits(2);
    }
}

#[test]
fn with_json_failures_are_documents_too() {
    let served = Serving::start(serving::shape);
    let ran = run(["call", &served.url, "shap", "--json"]).exits(2);
    let error = &ran.json()["error"];
    assert_eq!(
        (&error["kind"], &error["exitCode"], &error["remedy"]),
        (&json!("usage"), &json!(2), &json!("did you mean shape?"))
    );
    assert_eq!(ran.err, "");
    let misread = run(["list", "--json", "--no-such-option"]).exits(2).json();
    assert!(
        misread["error"]["message"].as_str().is_some_and(|said| said.contains("--no-such-option")),
        "{misread}"
    );
    let peer = on(&everything(), &["read", "test://gone", "--json"]).exits(1).json();
    assert_eq!(peer["error"]["code"], json!(-32602));
}

#[test]
fn headers_are_sent_and_take_variables_of_the_environment() {
    let server = Scripted::start(json!({"tools/list": {"tools": []}}));
    let mut list =
        command(["list", &server.url, "-H", "X-Plain: yes", "--header", "Authorization: Bearer ${MY_TOKEN}"]);
    wait(list.env("MY_TOKEN", "s3cret").spawn().unwrap()).exits(0);
    assert!(server.heard("X-Plain: yes") && server.heard("Authorization: Bearer s3cret"));
    // What the command line says comes in place of what the file does.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("servers.json");
    let servers = json!({"mcpServers": {"s": {"url": server.url, "headers": {"X-Where": "file"}}}});
    fs::write(&file, servers.to_string()).unwrap();
    run(["list", file.to_str().unwrap(), "-H", "x-where: line"]).exits(0);
    let sent: Vec<_> = server.values("X-Where").into_iter().filter(|values| !values.is_empty()).collect();
    assert!(!sent.is_empty() && sent.iter().all(|values| values == &["line"]), "{sent:?}");
    let unset = run(["list", &server.url, "--header", "Authorization: ${NOT_SET_ANYWHERE}"]).exits(2);
    assert!(unset.err.contains("NOT_SET_ANYWHERE"), "{}", unset.err);
    let for_programs = on(&everything(), &["list", "--header", "a: b"]).exits(2);
    assert!(for_programs.err.contains("--header"), "{}", for_programs.err);
}

#[test]
fn ctrl_c_cancels_the_call() {
    let served = Serving::start(serving::shape);
    for protocol in ["legacy", "modern"] {
        let child = command(["call", &served.url, "slow", "--protocol-version", protocol]).spawn().unwrap();
        assert_eq!(served.told(), "slow began");
        assert_eq!(served.told_within(Duration::ZERO), None);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let ran = wait(child).exits(130);
        assert_eq!(ran.err, "mcpbolt: cancelled\n");
        assert_eq!(served.told(), "slow was cancelled");
    }
    let child = command(["call", &served.url, "slow"]).spawn().unwrap();
    assert_eq!(served.told(), "slow began");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    wait(child).exits(143);
}

#[test]
fn a_server_that_hangs_at_its_start_does_not_outlive_the_program() {
    let started = Started::new();
    let script = format!("{}; exec sleep 600", started.tells());
    let child = command(["list", "--", "sh", "-c", &script]).spawn().unwrap();
    let server = started.number();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    wait(child).exits(130);
    assert!(test_kill_process(server).is_err(), "it still runs");
}

#[test]
fn a_terminal_that_is_closed_ends_the_server_too() {
    if hangup_is_ignored() {
        // These tests were started to outlive their terminal, and so would the command.
        return;
    }
    let started = Started::new();
    let script = format!("{}; exec sleep 600", started.tells());
    let list = ["list", "--", "sh", "-c", &script];
    let child = command(list).spawn().unwrap();
    let server = started.number();
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    assert_eq!(wait(child).exits(129).err, "mcpbolt: ended by SIGHUP\n");
    assert!(test_kill_process(server).is_err(), "it still runs");
}

/// Whether SIGHUP is ignored here, as by `nohup`; known on Linux only.
fn hangup_is_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & 1 == 1)
}

#[test]
fn numbers_are_sent_and_printed_as_they_are_written() {
    let served = Serving::start(serving::raw);
    let big = "12345678901234567890123";
    let words = ["call", &served.url, "raw"].map(str::to_owned);
    let given = [format!("a:={big}"), "b:={\"y\": 1e2}".to_owned(), "c=0.10".to_owned(), format!("d={big}")];
    let sent = format!(r#"{{"a":{big},"b":{{"y": 1e2}},"c":0.10,"d":{big}}}"#);
    let ran = run(words.iter().chain(&given)).exits(0);
    assert_eq!(ran.out, format!("{sent}\n"));
    let json = run(words.iter().chain(&given).chain(&["--json".to_owned()])).exits(0);
    let printed = format!(r#""structuredContent":{}"#, sent.replace(' ', ""));
    assert!(json.out.contains(&printed), "{json:?}");
}
