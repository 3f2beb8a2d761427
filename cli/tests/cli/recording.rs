//! `record` and `replay`: what was said is said again, byte for byte.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bridging::Bridge;
use crate::listening::Listening;
use crate::program::{BOUND, Ran, command, everything, run, run_with, wait};

/// What a client of the legacy era says; the program ends with its input.
fn script(more: &[Value]) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    [&[hello, ready], more].concat().iter().fold(String::new(), |text, message| format!("{text}{message}\n"))
}

fn call(id: &Value, tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

fn record(file: &Path, options: &[&str], input: &str) -> Ran {
    let server = everything();
    let mut words = vec!["record", file.to_str().unwrap()];
    words.extend_from_slice(options);
    words.extend(["--", server.to_str().unwrap()]);
    run_with(&words, input)
}

fn replay(file: &Path, input: &str) -> Ran {
    run_with(&["replay", file.to_str().unwrap()], input)
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    (folder, file)
}

/// Calls whose answers may come in another order than they are asked for, and lines that are not written as ours.
fn crossing() -> String {
    let mut input = script(&[
        call(&json!(2), "test_tool_with_progress", &json!({})),
        json!({"jsonrpc": "2.0", "id": "three", "method": "tools/list"}),
        call(&json!(4), "test_tool_with_logging", &json!({"_": "é"})),
        call(&json!(5), "test_simple_text", &json!({})),
    ]);
    input.push_str("{\"id\": 6,  \"method\":\"ping\", \"jsonrpc\":\"2.0\"}\r\n");
    input.push_str(" {\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"} \n");
    input
}

/// Answers to that.
const ANSWERS: usize = 7;

/// Says all of that at once, and leaves when all answers are there; what was said, byte for byte. What is
/// still under way when a client leaves may be given up on a busy machine.
fn converse(words: &[&str]) -> String {
    let mut child = command(words).stdin(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    to.write_all(crossing().as_bytes()).unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let (mut said, mut answers) = (String::new(), 0);
        while answers < ANSWERS {
            let before = said.len();
            if from.read_line(&mut said).unwrap() == 0 {
                break;
            }
            answers += usize::from(said[before..].contains("\"result\":"));
        }
        drop(to);
        from.read_to_string(&mut said).unwrap();
        tell.send((said, answers, child.wait().unwrap().code()))
    });
    let (said, answers, code) = told.recv_timeout(BOUND).expect("it ends");
    assert_eq!((answers, code), (ANSWERS, Some(0)), "{said}");
    said
}

/// What one side said, byte for byte, as the file has it.
fn said(file: &Path, side: &str) -> String {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().skip(1).filter(|line| line.contains(&format!("\"from\":\"{side}\"")));
    lines.fold(String::new(), |all, line| {
        let line: RawLine = serde_json::from_str(line).unwrap();
        let said = line.message.as_deref().map(RawValue::get).or(line.text.as_deref()).unwrap();
        all + said + line.end.as_deref().unwrap_or("\n")
    })
}

#[derive(serde::Deserialize)]
struct RawLine {
    message: Option<Box<RawValue>>,
    text: Option<String>,
    end: Option<String>,
}

#[test]
fn a_recording_answers_byte_for_byte_and_in_order() {
    let (_folder, file) = place();
    let (server, path) = (everything(), file.to_str().unwrap());
    let live = converse(&["record", path, "--", server.to_str().unwrap()]);
    assert_eq!((said(&file, "client"), said(&file, "server")), (crossing(), live.clone()));
    assert_eq!(converse(&["replay", path]), live);
    // The file says who said what and when.
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["kind"], &lines[0]["version"]), (&json!("mcpbolt recording"), &json!(1)));
    assert!(
        lines[1..]
            .iter()
            .all(|line| line["at"].is_number() && (line["from"] == "client" || line["from"] == "server"))
    );
}

#[test]
fn a_recorded_client_says_what_it_said_byte_for_byte() {
    let (folder, file) = place();
    converse(&["record", file.to_str().unwrap(), "--", everything().to_str().unwrap()]);
    let heard = folder.path().join("heard");
    let server = format!("tee '{}' | '{}'", heard.display(), everything().display());
    let again = run(["replay", file.to_str().unwrap(), "--exact", "--json", "--", "sh", "-c", &server]);
    let found = again.exits(0).json();
    assert_eq!((&found["same"], &found["identical"]), (&json!(7), &json!(7)), "{found}");
    assert_eq!(fs::read_to_string(heard).unwrap(), crossing());
}

#[test]
fn a_server_over_http_is_recorded_and_played_byte_for_byte() {
    let (_folder, file) = place();
    let served = Listening::start(&[everything().to_str().unwrap().to_owned()]);
    let path = file.to_str().unwrap();
    let live = converse(&["record", path, &served.url]);
    assert_eq!((said(&file, "client"), said(&file, "server")), (crossing(), live.clone()));
    assert_eq!(converse(&["replay", path]), live);
    // As the client of the URL, and of a program: a server is the same over both.
    for server in [&[served.url.as_str()][..], &["--", everything().to_str().unwrap()]] {
        let words = [&["replay", file.to_str().unwrap(), "--json"], server].concat();
        let found = run(words).exits(0).json();
        assert_eq!((&found["same"], &found["different"]), (&json!(7), &json!([])), "{found}");
    }
}

#[test]
fn a_recording_is_played_over_http() {
    let (_folder, file) = place();
    let server = everything();
    let (program, path) = (env!("CARGO_BIN_EXE_mcpbolt"), file.to_str().unwrap());
    // Of this era each client has a session of its own, and so a run of the recording.
    let words = ["call", "greet", "name=Ada", "--json", "--protocol-version", "2025-11-25", "--"];
    let recorded = [program, "record", path, "--", server.to_str().unwrap()];
    let live = run(words.iter().chain(&recorded)).exits(0);
    let bridge = Bridge::start(&["--protocol-version", "2025-11-25"], &["--", program, "replay", path]);
    let again = run(["call", &bridge.url, "greet", "name=Ada", "--json", "--protocol-version", "2025-11-25"]);
    let again = again.exits(0);
    assert_eq!(again.out, live.out);
}

#[test]
fn a_client_with_other_ids_gets_answers_under_its_own() {
    let (_folder, file) = place();
    record(&file, &[], &script(&[call(&json!(2), "greet", &json!({"name": "Ada"}))])).exits(0);
    let again = replay(&file, &script(&[call(&json!("x"), "greet", &json!({"name": "Ada"}))])).exits(0);
    let answer: Value = serde_json::from_str(again.out.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&answer["id"], &answer["result"]["content"][0]["text"]),
        (&json!("x"), &json!("Hello, Ada!"))
    );
    let other = replay(&file, &script(&[call(&json!(2), "greet", &json!({"name": "Eve"}))])).exits(1);
    assert!(other.err.contains("not in the recording: tools/call"), "{other:?}");
    assert!(other.out.contains("\"code\":-32603"), "{other:?}");
}

#[test]
fn our_own_client_is_served_by_a_recording() {
    let (_folder, file) = place();
    let server = everything();
    let program = env!("CARGO_BIN_EXE_mcpbolt");
    let path = file.to_str().unwrap();
    let words = ["call", "greet", "name=Ada", "--", program];
    let live = run(words.iter().copied().chain(["record", path, "--", server.to_str().unwrap()])).exits(0);
    let again = run(words.iter().copied().chain(["replay", path])).exits(0);
    assert_eq!((live.out.as_str(), again.out.as_str()), ("Hello, Ada!\n", "Hello, Ada!\n"));
}

#[test]
fn a_recorded_client_finds_what_a_server_answers_otherwise() {
    let (_folder, file) = place();
    let server = everything();
    let ask = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    record(&file, &[], &script(&[ask, call(&json!(3), "greet", &json!({"name": "Ada"}))])).exits(0);
    let path = file.to_str().unwrap();
    let command = ["replay", path, "--", server.to_str().unwrap()];
    let same = run(command).exits(0);
    assert_eq!(same.out, "4 messages sent, 3 answers are the same (3 byte for byte), 0 differ\n");
    let changed = fs::read_to_string(&file).unwrap().replace("Hello, Ada!", "Goodbye, Ada!");
    fs::write(&file, changed).unwrap();
    let differs = run(command).exits(1);
    assert!(differs.out.contains("tools/call (id 3): differs at /result/content/0/text"), "{differs:?}");
    let json = run(["replay", path, "--json", "--", server.to_str().unwrap()]).exits(1).json();
    assert_eq!(json["different"][0]["at"], "/result/content/0/text");
    run(["replay", path, "--ignore", "/result/content/0/text", "--", server.to_str().unwrap()]).exits(0);
}

#[test]
fn what_was_compared_is_told_of_a_server_that_does_not_leave_too() {
    let (_folder, file) = place();
    let server = everything();
    record(&file, &[], &script(&[])).exits(0);
    let lingering = format!("'{}'; exec sleep 600", server.display());
    let ran = run(["replay", file.to_str().unwrap(), "--", "sh", "-c", &lingering]).exits(0);
    assert_eq!(ran.out, "2 messages sent, 1 answers are the same (1 byte for byte), 0 differ\n");
}

#[test]
fn what_a_client_says_that_cannot_be_written_down_is_told() {
    let (_folder, file) = place();
    let server = everything();
    let words = ["record", file.to_str().unwrap(), "--", server.to_str().unwrap()];
    let plain = command(words);
    // A file that may not become longer than a block or two.
    let mut child = Command::new("sh");
    child.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]);
    child.arg(plain.get_program()).args(plain.get_args()).env_clear();
    child.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let long =
        json!({"jsonrpc": "2.0", "method": "notifications/x", "params": {"long": "x".repeat(1 << 14)}});
    // It may be read no further than to what fails.
    let _ = writeln!(child.stdin.take().unwrap(), "{long}");
    let ran = wait(child).exits(1);
    assert!(ran.err.contains("recording ended early"), "{ran:?}");
}

#[test]
fn credentials_are_left_out_and_the_file_is_the_users() {
    let (_folder, file) = place();
    let arguments = json!({"name": "Ada", "password": "s3cret", "address": "Main Street"});
    let input = script(&[call(&json!(2), "greet", &arguments)]);
    let live = record(&file, &["--redact", "/params/arguments/address"], &input).exits(0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        !text.contains("s3cret") && !text.contains("Main Street") && text.contains("[redacted]"),
        "{text}"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // What was left out is left out of what a client says now, too.
    assert_eq!(replay(&file, &input).exits(0).out, live.out);
    let again = record(&file, &[], &input).exits(2);
    assert!(again.err.contains("--overwrite"), "{again:?}");
    record(&file, &["--overwrite"], &input).exits(0);
    record(&file, &["--overwrite", "--redact", "params"], &input).exits(2);
}

#[test]
fn credentials_are_left_out_of_messages_that_no_type_holds() {
    let (_folder, file) = place();
    let deep = format!("{}{}", "[".repeat(130), "]".repeat(130));
    let message = |start: &str, other: &str, secret: &str| {
        let arguments = format!("{{\"note\":{other}, \"password\":\"{secret}\"}}");
        format!("{start}{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\",\"params\":{arguments}}}\n")
    };
    let messages = [("", r#""\ud800""#), ("", "1e999"), ("", &*deep), ("\u{feff}", "1")];
    let all = |secret| messages.map(|(start, other)| message(start, other, secret)).concat();
    let words = ["record", file.to_str().unwrap(), "--", "cat"];
    let ran = run_with(&words, &all("s3cret")).exits(0);
    assert_eq!(ran.out, all("s3cret"));
    assert_eq!([said(&file, "client"), said(&file, "server")], [all("[redacted]"), all("[redacted]")]);
    // One that breaks off is no JSON.
    run_with(&[&words[..2], &["--overwrite"], &words[2..]].concat(), "{\"password\":\"s3cret").exits(0);
    assert_eq!(said(&file, "client"), "[redacted]");
}

#[test]
fn what_is_no_recording_is_refused() {
    let (_folder, file) = place();
    fs::write(&file, "{}\n").unwrap();
    let ran = replay(&file, "").exits(2);
    assert!(ran.err.contains("line 1: no recording"), "{ran:?}");
    run(["replay", "gone.jsonl"]).exits(2);
}
