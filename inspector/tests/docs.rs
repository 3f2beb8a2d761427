//! A server that shows itself, seen from its socket: who gets the page, who may use it, and that
//! its session is a real one.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt::ErrorKind;
use mcpbolt::handler::{BoxFuture, RequestHead, Scope};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::{
    Fallback, ForeignBody, HttpOptions, LegacyPaths, StaticBearer,
};
use mcpbolt::types::Tool;
use mcpbolt_inspector::{Serving, beside, serve_http};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest wait for anything.
const BOUND: Duration = Duration::from_secs(20);

fn server() -> Server {
    let add = Tool::new("add", json!({ "type": "object" })).description("Adds two numbers");
    Server::builder("shown", "1.0.0")
        .raw_tool(add, |given: Value, _: Context| async move {
            let number = |name: &str| given[name].as_i64().unwrap_or_default();
            (number("a") + number("b")).to_string()
        })
        .build()
}

/// A page as its browser has it: where it is, and its key.
struct Page {
    address: SocketAddr,
    key: String,
}

impl Page {
    fn of(serving: &Serving) -> Self {
        let (_, key) = serving.docs.split_once("/docs/#token=").expect("a key");
        assert_eq!(key.len(), 43, "256 bits");
        Self { address: serving.http.local_addr(), key: key.to_owned() }
    }

    /// A request with these headers; the stream is at the start of the answer.
    async fn send(&self, head: &str, headers: &[String], body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        let headers = headers.iter().map(|header| format!("{header}\r\n")).collect::<Vec<_>>().concat();
        let text = format!(
            "{head} HTTP/1.1\r\nHost: {}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(text.as_bytes()).await.expect("it reads");
        BufReader::new(stream)
    }

    /// The status and the whole answer.
    async fn ask(&self, head: &str, headers: &[String], body: &str) -> (u16, String) {
        let mut answer = String::new();
        let mut stream = self.send(head, headers, body).await;
        timeout(BOUND, stream.read_to_string(&mut answer)).await.expect("in time").expect("an answer");
        (answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status"), answer)
    }

    fn key(&self) -> Vec<String> {
        vec![format!("X-Mcpbolt-Page: {}", self.key)]
    }

    async fn events(&self) -> BufReader<TcpStream> {
        self.send("GET /docs/events", &self.key(), "").await
    }

    async fn post(&self, path: &str, body: &Value) -> u16 {
        self.ask(&format!("POST /docs/{path}"), &self.key(), &body.to_string()).await.0
    }
}

/// Reads events until one fits; `None` when they end.
async fn until(events: &mut BufReader<TcpStream>, fits: impl Fn(&Value) -> bool) -> Option<Value> {
    let mut line = String::new();
    loop {
        line.clear();
        if timeout(BOUND, events.read_line(&mut line)).await.expect("in time").unwrap_or_default() == 0 {
            return None;
        }
        // Between them are the sizes of chunks.
        if let Ok(event) = serde_json::from_str::<Value>(&line)
            && event.is_object()
            && fits(&event)
        {
            return Some(event);
        }
    }
}

async fn state(events: &mut BufReader<TcpStream>, state: &str) -> Value {
    until(events, |event| event["kind"] == "state" && event["state"] == state).await.expect(state)
}

async fn serving(options: HttpOptions) -> Serving {
    serve_http(&server(), "127.0.0.1:0", options).await.expect("it listens")
}

#[tokio::test]
async fn the_page_is_public_and_its_endpoints_want_the_key() {
    let serving = serving(HttpOptions::default()).await;
    let page = Page::of(&serving);
    let (status, answer) = page.ask("GET /docs", &[], "").await;
    assert_eq!(status, 307);
    assert!(answer.to_ascii_lowercase().contains("location: docs/\r\n"), "below any prefix: {answer}");
    for path in ["/docs/", "/docs/page.js", "/docs/page.css"] {
        let (status, answer) = page.ask(&format!("GET {path}"), &[], "").await;
        assert_eq!(status, 200, "{path}");
        assert!(!answer.contains(&page.key), "{path} holds the key");
        assert!(answer.contains("content-security-policy: default-src 'none'"), "{path}");
    }
    for head in ["GET /docs/events", "POST /docs/messages", "POST /docs/connect", "GET /docs/else"] {
        assert_eq!(page.ask(head, &[], "{}").await.0, 401, "{head} without a key");
        let wrong = ["X-Mcpbolt-Page: wrong".to_owned()];
        assert_eq!(page.ask(head, &wrong, "{}").await.0, 401, "{head} with a wrong key");
        let foreign = [page.key(), vec!["Origin: https://attacker.example".to_owned()]].concat();
        assert_eq!(page.ask(head, &foreign, "{}").await.0, 403, "{head} of another origin");
    }
    assert_eq!(page.ask("GET /docs/else", &page.key(), "").await.0, 404);
    assert_eq!(page.ask("GET /docsify", &[], "").await.0, 404, "another path is not the page's");
    assert_eq!(serving.http.service().sessions(), 0, "nobody looks");
}

#[tokio::test]
async fn a_tool_is_called_over_the_wire_of_the_server() {
    let serving = serving(HttpOptions::default()).await;
    let page = Page::of(&serving);
    let mut events = page.events().await;
    let ready = state(&mut events, "ready").await;
    assert_eq!(ready["server"]["serverInfo"]["name"], "shown");
    assert_eq!(ready["target"], json!({ "url": format!("http://{}/mcp", page.address) }));
    let params = json!({ "name": "add", "arguments": { "a": 1, "b": 2 } });
    assert_eq!(
        page.post("messages", &json!({ "id": "p-1", "method": "tools/call", "params": params })).await,
        202
    );
    let sent = until(&mut events, |event| event["message"]["method"] == "tools/call").await.expect("a frame");
    assert_eq!((&sent["kind"], &sent["direction"]), (&json!("frame"), &json!("out")));
    let answer = until(&mut events, |event| event["kind"] == "answer").await.expect("an answer");
    assert_eq!(answer["result"]["content"][0]["text"], "3", "{answer}");
    // Pages do not hold up the end of a server.
    let began = std::time::Instant::now();
    timeout(BOUND, serving.http.shutdown()).await.expect("in time");
    assert!(began.elapsed() < HttpOptions::default().drain, "{:?}", began.elapsed());
    assert_eq!(until(&mut events, |_| false).await, None, "the events end");
}

#[tokio::test]
async fn the_token_of_the_person_is_sent_where_a_verifier_wants_one() {
    let verify = Arc::new(StaticBearer::new([("s3cret", "ann")]));
    let serving = serving(HttpOptions { verify: Some(verify), ..HttpOptions::default() }).await;
    let page = Page::of(&serving);
    assert_eq!(page.ask("POST /mcp", &[], "{}").await.0, 401, "the endpoint is still guarded");
    assert_eq!(page.ask("GET /docs/", &[], "").await.0, 200);
    let mut events = page.events().await;
    let failed = state(&mut events, "failed").await;
    assert_eq!(failed["failure"]["wantsToken"], true, "{failed}");
    assert_eq!(page.post("connect", &json!({ "token": "s3cret" })).await, 202);
    assert_eq!(state(&mut events, "ready").await["server"]["serverInfo"]["name"], "shown");
    let bearer = ["Authorization: Bearer s3cret".to_owned()];
    assert_eq!(page.ask("GET /docs/events", &bearer, "").await.0, 401, "the page's key is another one");
}

#[test]
fn a_server_of_everybody_must_not_be_reached_from_elsewhere() {
    for elsewhere in ["0.0.0.0:3000", "192.0.2.1:3000", "[::]:3000"] {
        let address = elsewhere.parse().expect("an address");
        let error = beside(HttpOptions::default(), address).expect_err("refused");
        assert_eq!(error.kind, ErrorKind::Usage);
        for words in [elsewhere, "docs: ", "listen on 127.0.0.1", "verifier"] {
            assert!(error.message.contains(words), "{}", error.message);
        }
        let verify = Arc::new(StaticBearer::new([("s3cret", "ann")]));
        let options = HttpOptions { verify: Some(verify), ..HttpOptions::default() };
        let (_, docs) = beside(options, address).expect("it has a verifier");
        assert!(docs.starts_with("http://") && docs.contains(":3000/docs/#token="), "{docs}");
        assert!(!docs.contains("0.0.0.0") && !docs.contains("[::]"), "nobody can open {docs}");
    }
}

#[test]
fn two_things_at_one_path_are_told_by_name() {
    let local = "127.0.0.1:3000".parse().expect("an address");
    let paths = || HttpOptions::default();
    let legacy = LegacyPaths { sse: "/docs/sse".to_owned(), ..LegacyPaths::default() };
    for (name, options) in [
        ("path", HttpOptions { path: "/docs".to_owned(), ..paths() }),
        ("health", HttpOptions { health: Some("/docs/health".to_owned()), ..paths() }),
        ("ready", HttpOptions { ready: Some("/docs/ready".to_owned()), ..paths() }),
        ("sse path", HttpOptions { legacy_sse: Some(legacy), ..paths() }),
    ] {
        let error = beside(options, local).expect_err(name);
        assert!(error.message.contains(&format!("and {name} is there too")), "{}", error.message);
    }
    assert!(beside(HttpOptions { health: Some("/docsify".to_owned()), ..paths() }, local).is_ok());
}

/// Answers with the path.
struct Echo;

impl Fallback for Echo {
    fn respond(
        &self,
        head: &RequestHead,
        _: bytes::Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, http::Response<ForeignBody>> {
        let text = format!("echo {}", head.uri.path());
        let body: ForeignBody = Box::pin(http_body_util::Full::new(text.into()));
        Box::pin(std::future::ready(http::Response::new(body)))
    }
}

#[tokio::test]
async fn a_fallback_of_the_program_has_the_other_paths() {
    let serving = serving(HttpOptions { fallback: Some(Arc::new(Echo)), ..HttpOptions::default() }).await;
    let page = Page::of(&serving);
    assert!(page.ask("GET /else", &[], "").await.1.ends_with("echo /else"));
    assert_eq!(page.ask("GET /docs/else", &page.key(), "").await.0, 404);
}
