//! `inspect`: who may use its endpoints, and what they tell.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;

use serde_json::{Value, json};

use crate::program::{BOUND, command, run};
use crate::scripted::Scripted;
use crate::serving::{Serving, shape};

/// The program on its page.
struct Inspect {
    child: Child,
    host: String,
    token: String,
}

impl Drop for Inspect {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Inspect {
    fn start(server: &str) -> Self {
        Self::with(&[server], &[])
    }

    fn with(words: &[&str], env: &[(&str, &str)]) -> Self {
        let words = [&["inspect", "--json"], words].concat();
        let mut child = command(words).envs(env.iter().copied()).spawn().expect("mcpbolt starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let url = said["url"].as_str().expect("a URL");
        let (host, token) =
            url.strip_prefix("http://").and_then(|rest| rest.split_once("/#token=")).expect("a key");
        Self { child, host: host.to_owned(), token: token.to_owned() }
    }

    /// A request with these headers; the stream is at the start of the answer.
    fn send(&self, head: &str, headers: &[&str], body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(BOUND)).expect("a socket");
        let headers = headers.iter().map(|header| format!("{header}\r\n")).collect::<Vec<_>>().concat();
        let length = body.len();
        write!(
            stream,
            "{head} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .expect("it reads");
        BufReader::new(stream)
    }

    /// The status and the whole answer.
    fn ask(&self, head: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut answer = String::new();
        self.send(head, headers, body).read_to_string(&mut answer).expect("an answer");
        (answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), answer)
    }

    fn host(&self) -> String {
        format!("Host: {}", self.host)
    }

    fn key(&self) -> String {
        format!("X-Mcpbolt-Page: {}", self.token)
    }

    /// Posts with the key.
    fn post(&self, path: &str, body: &Value) -> u16 {
        let head = format!("POST {path}");
        self.ask(&head, &[&self.host(), &self.key()], &body.to_string()).0
    }
}

/// Reads events until one is of this kind and fits.
fn until(events: &mut impl std::io::BufRead, fits: impl Fn(&Value) -> bool) -> Value {
    let mut line = String::new();
    loop {
        line.clear();
        assert_ne!(events.read_line(&mut line).expect("events go on"), 0, "the events ended");
        // Between them are the sizes of chunks.
        if let Ok(event) = serde_json::from_str::<Value>(&line)
            && event.is_object()
            && fits(&event)
        {
            return event;
        }
    }
}

#[test]
fn endpoints_are_for_those_with_the_key_of_this_run() {
    let serving = Serving::start(|builder| builder);
    let inspect = Inspect::start(&serving.url);
    let host = inspect.host();
    for (head, body) in [
        ("GET /events", ""),
        ("POST /messages", "{}"),
        ("POST /connect", "{}"),
        ("POST /mcp", "{}"),
        ("GET /else", ""),
    ] {
        assert_eq!(inspect.ask(head, &[&host], body).0, 401, "{head} without a key");
        assert_eq!(
            inspect.ask(head, &[&host, "X-Mcpbolt-Page: wrong"], body).0,
            401,
            "{head} with a wrong key"
        );
    }
    let other = Inspect::start(&serving.url);
    assert_ne!(inspect.token, other.token, "each run has a key of its own");
    assert_eq!(inspect.token.len(), 43, "256 bits");
}

#[test]
fn foreign_hosts_and_origins_are_refused_with_the_key_too() {
    let serving = Serving::start(|builder| builder);
    let inspect = Inspect::start(&serving.url);
    let (host, key) = (inspect.host(), inspect.key());
    for head in ["GET /", "GET /events", "POST /messages"] {
        let rebound = inspect.ask(head, &["Host: attacker.example", &key], "{}").0;
        assert!([403, 421].contains(&rebound), "{head} of another host: {rebound}");
        let foreign = inspect.ask(head, &[&host, &key, "Origin: https://attacker.example"], "{}").0;
        assert_eq!(foreign, 403, "{head} of another origin");
    }
}

#[test]
fn the_page_itself_holds_no_key_and_may_do_little() {
    let serving = Serving::start(|builder| builder);
    let inspect = Inspect::start(&serving.url);
    for path in ["/", "/page.js", "/page.css"] {
        let (status, answer) = inspect.ask(&format!("GET {path}"), &[&inspect.host()], "");
        assert_eq!(status, 200, "{path}");
        assert!(!answer.contains(&inspect.token), "{path} holds the key");
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_ascii_lowercase();
        for header in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
        ] {
            assert!(head.contains(header), "{path} without {header}: {head}");
        }
    }
}

#[test]
fn requests_are_answered_and_the_wire_is_told_in_both_directions() {
    let serving = Serving::start(shape);
    let inspect = Inspect::start(&serving.url);
    let mut events = inspect.send("GET /events", &[&inspect.host(), &inspect.key()], "");
    let ready = until(&mut events, |event| event["kind"] == "state" && event["state"] == "ready");
    assert_eq!(ready["server"]["serverInfo"]["name"], "tests");
    assert_eq!(ready["target"], json!({ "url": serving.url }));
    let call = json!({ "id": "p-1", "method": "tools/call", "params": { "name": "shape", "arguments": { "n": 3 } } });
    assert_eq!(inspect.post("/messages", &call), 202);
    let sent = until(&mut events, |event| event["message"]["method"] == "tools/call");
    assert_eq!((&sent["kind"], &sent["direction"]), (&json!("frame"), &json!("out")));
    let came = until(&mut events, |event| event["message"]["id"] == sent["message"]["id"]);
    assert_eq!(came["direction"], "in");
    let answer = until(&mut events, |event| event["kind"] == "answer");
    assert_eq!(answer["id"], "p-1");
    assert_eq!(answer["result"]["content"][0]["text"], "{\"n\":3}");
    // A page that opens later is told what was on the wire.
    let mut later = inspect.send("GET /events", &[&inspect.host(), &inspect.key()], "");
    until(&mut later, |event| event["message"] == sent["message"]);
    assert_eq!(inspect.post("/messages", &json!("nothing")), 400);
    assert_eq!(inspect.post("/messages", &json!({ "id": 77, "result": {} })), 409, "nobody asked that");
}

/// A page on a server, in the middle of a call `p-1` that ends only when it is given up, and what the page is told.
fn in_a_slow_call() -> (Serving, Inspect, BufReader<TcpStream>) {
    let serving = Serving::start(|builder| builder);
    let inspect = Inspect::start(&serving.url);
    let mut events = inspect.send("GET /events", &[&inspect.host(), &inspect.key()], "");
    until(&mut events, |event| event["state"] == "ready");
    let call = json!({ "id": "p-1", "method": "tools/call", "params": { "name": "slow" } });
    assert_eq!(inspect.post("/messages", &call), 202);
    assert_eq!(serving.told(), "slow began");
    (serving, inspect, events)
}

#[test]
fn a_request_that_is_given_up_is_cancelled_at_the_server() {
    let (serving, inspect, mut events) = in_a_slow_call();
    let progress = until(&mut events, |event| event["kind"] == "progress");
    assert_eq!((&progress["id"], &progress["params"]["message"]), (&json!("p-1"), &json!("working")));
    let cancel = json!({ "method": "notifications/cancelled", "params": { "requestId": "p-1" } });
    assert_eq!(inspect.post("/messages", &cancel), 202);
    assert_eq!(serving.told(), "slow was cancelled");
}

#[test]
fn what_is_under_way_when_the_server_is_reached_anew_is_answered() {
    let (_serving, inspect, mut events) = in_a_slow_call();
    assert_eq!(inspect.post("/connect", &json!({})), 202);
    let answer = until(&mut events, |event| event["kind"] == "answer");
    assert_eq!((&answer["id"], &answer["error"]["kind"]), (&json!("p-1"), &json!("Closed")));
    until(&mut events, |event| event["state"] == "ready");
}

#[test]
fn a_token_that_a_page_gives_is_sent_in_place_of_all_others() {
    let server = Scripted::start(json!({}));
    let words = [&server.url, "--auth", "token", "--header", "authorization: Bearer line"];
    let inspect = Inspect::with(&words, &[("MCPBOLT_TOKEN", "old")]);
    let mut events = inspect.send("GET /events", &[&inspect.host(), &inspect.key()], "");
    until(&mut events, |event| event["state"] == "ready");
    assert_eq!(inspect.post("/connect", &json!({ "token": "new" })), 202);
    until(&mut events, |event| event["state"] == "connecting");
    until(&mut events, |event| event["state"] == "ready");
    let mut sent = server.values("authorization");
    sent.dedup();
    assert_eq!(sent, [["Bearer old"], ["Bearer new"]]);
}

#[test]
fn a_server_that_cannot_be_reached_is_said_on_the_page_and_tried_again() {
    // Nothing listens on the port of the discard protocol.
    let inspect = Inspect::start("http://127.0.0.1:9/mcp");
    let mut events = inspect.send("GET /events", &[&inspect.host(), &inspect.key()], "");
    let failed = until(&mut events, |event| event["state"] == "failed");
    assert_eq!(failed["failure"]["wantsToken"], false, "{failed}");
    assert_eq!(inspect.post("/messages", &json!({ "id": "p-1", "method": "ping" })), 409);
    assert_eq!(inspect.post("/connect", &json!({})), 202);
    until(&mut events, |event| event["state"] == "connecting");
    until(&mut events, |event| event["state"] == "failed");
}

#[test]
fn what_is_no_server_is_said_before_anything_listens() {
    run(["inspect"]).exits(2);
    run(["inspect", "gone.py"]).exits(2);
    run(["inspect", "http://127.0.0.1:9/mcp", "more"]).exits(2);
}
