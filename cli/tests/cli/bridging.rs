//! `bridge`: clients and servers that do not speak the same transport, or the same revision.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc;

use mcpbolt::Revision;
use mcpbolt::client::{Client, ProtocolPolicy};
use serde_json::json;

use crate::program::{BOUND, Ran, Started, command, everything, run, wait};
use crate::serving::{self, Serving};

/// A bridge with an address.
pub(crate) struct Bridge {
    child: Child,
    pub(crate) url: String,
    /// What it says to a person.
    said: mpsc::Receiver<String>,
}

impl Bridge {
    /// On a free port, before a server's command.
    pub(crate) fn start(options: &[&str], server: &[&str]) -> Self {
        Self::with(options, server, &[])
    }

    pub(crate) fn with(options: &[&str], server: &[&str], env: &[(&str, &str)]) -> Self {
        let words = ["bridge", "--http", "127.0.0.1:0"].iter().chain(options).chain(server);
        let mut child = command(words).envs(env.iter().copied()).spawn().expect("it starts");
        let (tell, told) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let (tell, said) = mpsc::channel();
        let err = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || err.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        let url =
            told.recv_timeout(BOUND).unwrap_or_else(|_| panic!("{:?}", said.try_iter().collect::<Vec<_>>()));
        Self { child, url, said }
    }

    /// Waits until it says something with these words.
    pub(crate) fn says(&self, words: &str) -> String {
        loop {
            let line = self.said.recv_timeout(BOUND).unwrap_or_else(|_| panic!("it does not say {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    /// All that it still says, when it has ended.
    fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.said.recv_timeout(BOUND) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("its standard error stays open"),
            }
        }
    }

    pub(crate) fn ask(&self, words: &[&str]) -> Ran {
        let (verb, rest) = words.split_first().unwrap();
        run([&[*verb, &self.url], rest].concat())
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn over_http(options: &[&str]) -> Bridge {
    let server = everything();
    Bridge::start(options, &["--", server.to_str().unwrap()])
}

/// The command line of a bridge on standard input and output.
fn over_stdio<'a>(url: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    ["--", env!("CARGO_BIN_EXE_mcpbolt"), "bridge", url].iter().chain(options).copied().collect()
}

/// What every way through a bridge has to give.
fn visit(ask: &dyn Fn(&[&str]) -> Ran) {
    let lists = ask(&["list", "--json"]).exits(0).json();
    assert!(lists["tools"].as_array().is_some_and(|tools| tools.len() > 20), "{lists}");
    assert_eq!(
        ask(&["call", "test_simple_text"]).exits(0).out,
        "This is a simple text response for testing.\n"
    );
    ask(&["call", "test_error_handling"]).exits(1);
    assert!(ask(&["read", "test://static-text"]).exits(0).out.starts_with("This is the content"));
    ask(&["read", "test://nothing"]).exits(1);
    let prompt = ask(&["prompt", "test_prompt_with_arguments", "arg1=1", "arg2=2"]).exits(0);
    assert!(prompt.out.contains("arg1='1', arg2='2'"), "{prompt:?}");
    ask(&["ping"]).exits(0);
    let asked = ask(&["call", "test_elicitation", "message=Who?"]).exits(0);
    assert!(asked.out.contains("action=cancel"), "{asked:?}");
    assert!(asked.err.contains("the server asks for a form; refused"), "{asked:?}");
    let rooted = ask(&["call", "test_sampling", "prompt=Say hi"]);
    assert!(rooted.err.contains("an answer of a model; refused"), "{rooted:?}");
}

#[test]
fn a_command_is_met_over_http_in_both_eras() {
    let bridge = over_http(&[]);
    for protocol in ["2025-06-18", "2026-07-28"] {
        visit(&|words| bridge.ask(&[words, &["--protocol-version", protocol]].concat()));
    }
}

#[test]
fn each_side_may_speak_an_era_that_the_other_does_not() {
    for (there, here) in
        [("2025-11-25", "2026-07-28"), ("modern", "2025-06-18"), ("2025-06-18", "2025-11-25")]
    {
        let bridge = over_http(&["--protocol-version", there]);
        visit(&|words| bridge.ask(&[words, &["--protocol-version", here]].concat()));
    }
}

#[test]
fn a_url_is_met_on_standard_input_and_output() {
    let server = over_http(&[]);
    for protocol in ["2025-06-18", "2026-07-28"] {
        visit(&|words| {
            let bridge = over_stdio(&server.url, &["--log-level", "info"]);
            run([words, &["--protocol-version", protocol], &bridge].concat())
        });
    }
}

/// A server of the era with sessions, in a shell: it writes down what it hears.
const ODD: &str = r#"while read -r line; do printf '%s\n' "$line" >> "$HEARD"
    id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}}\n' "$id";;
    *tools/call*) printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/message","params":{ "level":"info","data":1.0 }}'
        printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[ {"type" :"text","text":"\\u00e4 \\/"} ],"n":1e2, "isError":false}}\n' "$id";;
    *tools/list*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}\n' "$id";;
    esac; done"#;

/// How a client of the era with sessions begins.
pub(crate) fn hello() -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    format!("{hello}\n{ready}\n")
}

#[test]
fn messages_go_through_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let call = r#"{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{ "name":"t","arguments":{"a" : 1.0} }}"#;
    let words = ["bridge", "--stdio", "--protocol-version", "2025-11-25", "--", "sh", "-c", ODD];
    let mut child = command(words).env("HEARD", &heard).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut said = child.stdin.take().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    writeln!(said, "{}{call}", hello()).unwrap();
    let lines: Vec<String> = out.by_ref().take(3).collect();
    let told = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{ "level":"info","data":1.0 }}"#;
    let answer = r#"{"jsonrpc":"2.0","id":"two","result":{"content":[ {"type" :"text","text":"\u00e4 \/"} ],"n":1e2, "isError":false}}"#;
    assert_eq!(lines[1..], [told, answer]);
    drop(said);
    wait(child).exits(0);
    let heard = std::fs::read_to_string(heard).unwrap();
    let asked = heard.lines().find(|line| line.contains("tools/call")).expect("it heard the call");
    assert!(
        asked.ends_with(r#""method":"tools/call","params":{ "name":"t","arguments":{"a" : 1.0} }}"#),
        "{asked}"
    );
    // Nobody here reads headers, and so nobody asks which there are.
    assert!(!heard.contains("tools/list"), "{heard}");
    // In the client's name.
    assert!(heard.lines().any(|line| line.contains(r#""clientInfo":{"name":"c","version":"1"}"#)), "{heard}");
}

#[test]
fn progress_cancellation_and_many_clients() {
    let served = Serving::start(serving::shape);
    let bridge = Bridge::start(&[], &[&served.url]);
    let calls: Vec<Child> = (0..4)
        .map(|_| command(["call", &bridge.url, "slow", "--json"]).spawn().expect("it starts"))
        .collect();
    let mut told: Vec<String> = calls.iter().map(|_| served.told()).collect();
    told.dedup();
    assert_eq!(told, ["slow began"]);
    let ids: Vec<i32> = calls.iter().map(|child| i32::try_from(child.id()).unwrap()).collect();
    for id in ids {
        let id = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    }
    for child in calls {
        wait(child).exits(130);
    }
    let mut told: Vec<String> = (0..4).map(|_| served.told()).collect();
    told.dedup();
    assert_eq!(told, ["slow was cancelled"]);
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use super::*;
    use crate::terminal::Terminal;

    #[test]
    fn questions_and_progress_reach_the_person() {
        for (there, here) in
            [("legacy", "modern"), ("modern", "legacy"), ("auto", "modern"), ("auto", "legacy")]
        {
            let bridge = over_http(&["--protocol-version", there]);
            let words =
                ["call", &bridge.url, "test_elicitation", "message=Who are you?", "--protocol-version", here];
            let mut terminal = Terminal::start(&words);
            terminal.sees("Who are you?").sees("Answer?").types("\r");
            terminal.sees("username").types("Ada\r").sees("email").types("ada@example.com\r");
            terminal.sees("Send this?").types("\r").sees("action=accept").sees("ada@example.com");
            assert_eq!(terminal.ends().0, 0);
        }
        let served = Serving::start(serving::shape);
        let bridge = Bridge::start(&[], &[&served.url]);
        let mut terminal = Terminal::start(&["call", &bridge.url, "slow"]);
        terminal.sees("working").sees("25%").types("\x03").sees("cancelled");
        assert_eq!(terminal.ends().0, 130);
    }
}

/// Status and text of a POST of the era with sessions.
fn post(url: &str, headers: &str) -> String {
    let place = url.strip_prefix("http://").unwrap();
    let (address, path) = place.split_once('/').unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let head = format!(
        "POST /{path} HTTP/1.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
        content-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).expect("it listens");
    socket.write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn web_pages_and_other_names_are_turned_away() {
    let bridge = over_http(&["--allow-origin", "https://app.example.com"]);
    let status = |headers: &str| post(&bridge.url, headers)[9..12].to_owned();
    assert_eq!(status("host: evil.example.com\r\n"), "403");
    assert_eq!(status("host: localhost\r\norigin: https://evil.example.com\r\n"), "403");
    assert_ne!(status("host: localhost\r\norigin: https://app.example.com\r\n"), "403");
}

#[test]
fn others_need_a_token() {
    let server = everything();
    let server = server.to_str().unwrap();
    for options in [
        &["--http", "0.0.0.0:0"][..],
        &["--http", "0.0.0.0:0", "--token", "TOOLS"],
        &["--http", "127.0.0.1:0", "--token", "UNSET"],
        &["--http", "nowhere"],
        &["--stdio", "--token", "TOOLS"],
    ] {
        let words = [&["bridge"], options, &["--", server]].concat();
        let ran = wait(command(words).env("TOOLS", "t0ken").spawn().unwrap()).exits(2);
        assert!(!ran.err.contains("t0ken"), "{ran:?}");
    }
    let bridge = Bridge::with(&["--token", "TOOLS"], &["--", server], &[("TOOLS", "t0ken")]);
    run(["ping", &bridge.url]).exits(4);
    run(["ping", &bridge.url, "--header", "Authorization: Bearer t0ken"]).exits(0);
}

#[test]
fn the_death_of_the_server_is_told() {
    let dying = ODD.replace("*tools/call*)", "*tools/call*) exit 7");
    let dying = dying.replace("$HEARD", "/dev/null");
    let dying = dying.as_str();
    let bridge = Bridge::start(&["--protocol-version", "legacy"], &["--", "sh", "-c", dying]);
    let ran = bridge.ask(&["call", "x", "--arguments", "{}", "--protocol-version", "legacy"]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains('7'), "{ran:?}");
    assert!(bridge.says("a connection to the server ends").contains('7'));
    // A server that is not there is no bridge.
    let gone = run(["bridge", "--", "no-such-program"]).exits(3);
    assert!(gone.err.contains("no-such-program"), "{gone:?}");
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "x"}});
    let words = ["bridge", "--stdio", "--protocol-version", "legacy", "--", "sh", "-c", dying];
    let mut child = command(words).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut said = child.stdin.take().unwrap();
    writeln!(said, "{}{call}", hello()).unwrap();
    // It ends with the server, although its client is still there.
    let stdio = wait(child).exits(3);
    drop(said);
    assert!(stdio.out.contains("\"id\":2") && stdio.out.contains("error"), "{stdio:?}");
}

#[test]
fn old_clients_find_http_with_sse() {
    let bridge = over_http(&["--sse"]);
    let sse = bridge.url.replace("/mcp", "/sse");
    let lists = run(["list", &sse, "--json", "--protocol-version", "2024-11-05"]).exits(0).json();
    assert!(lists["tools"].is_array(), "{lists}");
}

#[test]
fn a_server_that_hangs_at_its_start_does_not_outlive_its_client() {
    let started = Started::new();
    let folder = tempfile::tempdir().unwrap();
    // The first time it answers what the bridge asks to learn what it is.
    let script = format!(
        "if [ -e '{0}/once' ]; then {1}; exec sleep 600; fi; : > '{0}/once'; {ODD}",
        folder.path().display(),
        started.tells()
    );
    let words = ["bridge", "--stdio", "--protocol-version", "2025-11-25", "--", "sh", "-c", &script];
    let mut child =
        command(words).env("HEARD", "/dev/null").stdin(Stdio::piped()).spawn().expect("it starts");
    let mut said = child.stdin.take().unwrap();
    said.write_all(hello().as_bytes()).unwrap();
    let server = started.number();
    drop(said);
    wait(child);
    assert!(rustix::process::test_kill_process(server).is_err(), "it still runs");
}

/// A server that tells that a client called `slow` said hello, and answers it nothing.
const PICKY: &str = r#"while read -r line; do id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case "$line" in
    *'"name":"slow"'*) echo $$ > "$STARTED";;
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"picky","version":"1"}}}\n' "$id";;
    esac; done"#;

#[test]
fn a_client_whose_server_does_not_start_keeps_no_other_waiting() {
    let started = Started::new();
    let env = [("STARTED", started.pipe.to_str().unwrap())];
    let options = ["--protocol-version", "2025-11-25", "--timeout", "5m"];
    let bridge = Bridge::with(&options, &["--", "sh", "-c", PICKY], &env);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let connect = |name: &str| {
        let client = Client::builder(name, "1").protocol(ProtocolPolicy::ModernOnly).build();
        let url = bridge.url.clone();
        runtime.spawn(async move { client.connect(url).await.map(|session| session.revision()) })
    };
    let slow = connect("slow");
    started.number();
    let fast = connect("fast");
    let fast = runtime.block_on(async { tokio::time::timeout(BOUND / 2, fast).await });
    let revision = fast.expect("it need not wait for the other").expect("a task").expect("it connects");
    assert_eq!(revision, Revision::LATEST_MODERN);
    assert!(!slow.is_finished());
}

#[test]
fn signals_end_it_in_good_order() {
    let mut bridge = over_http(&[]);
    bridge.ask(&["ping", "--protocol-version", "legacy"]).exits(0);
    let id = rustix::process::Pid::from_raw(i32::try_from(bridge.child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    let child =
        std::mem::replace(&mut bridge.child, command(["--version"]).stdin(Stdio::null()).spawn().unwrap());
    wait(child).exits(143);
    // An end that was wanted is no news.
    let said = bridge.rest();
    assert!(!said.iter().any(|line| line.contains("a connection to the server ends")), "{said:?}");
}
