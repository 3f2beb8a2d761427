//! What failures say: where it happened, and what may help.
#![cfg(unix)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use mcpbolt::client::{Client, ClientSession, Command, ProtocolPolicy, Target};
use mcpbolt::protocol::types::{GetPromptParams, Prompt, Resource, Tool};
use mcpbolt::protocol::{Error, ErrorKind, Revision};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, certificates};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, StaticBearer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

const BOUND: Duration = Duration::from_secs(20);

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Add {
    a: f64,
    b: f64,
    #[serde(default)]
    labels: Vec<String>,
}

fn server() -> Server {
    Server::builder("calculator", "1")
        .tool("add", "Adds", |args: Add, _: Context| async move { (args.a + args.b).to_string() })
        .build()
}

async fn serve(options: HttpOptions) -> HttpServer {
    server().serve_http("127.0.0.1:0", options).await.expect("a port")
}

fn client() -> Client {
    let patience = Duration::from_millis(300);
    Client::builder("client", "1").request_timeout(patience).probe_timeout(patience).build()
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, future).await.expect("no end in time")
}

async fn refused(target: impl Into<Target>) -> Error {
    soon(client().connect(target)).await.expect_err("nobody can be reached")
}

/// A peer that answers each connection with this text, or never.
fn peer(answer: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let mut open = Vec::new();
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
            if answer.is_empty() {
                open.push(stream);
            }
        }
    });
    port
}

#[tokio::test]
async fn a_refused_connection_names_the_address_without_credentials() {
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    let error = refused(format!("http://me:canary@127.0.0.1:{port}/mcp?key=canary")).await;
    assert_eq!(error.kind, ErrorKind::Transport);
    assert!(
        error
            .message
            .starts_with(&format!("http://127.0.0.1:{port}/mcp cannot be reached: Connection refused")),
        "{error}"
    );
    assert!(error.message.ends_with("is a server running there?") && !error.message.contains("canary"));
}

#[tokio::test]
async fn a_wrong_path_is_named_with_the_usual_one() {
    let server = serve(HttpOptions::default()).await;
    let port = server.local_addr().port();
    let error = refused(format!("http://127.0.0.1:{port}/mpc")).await;
    let says = format!("HTTP status 404 at http://127.0.0.1:{port}/mpc: did you mean /mcp?");
    assert!(error.message.ends_with(&says), "{error}");
}

#[tokio::test]
async fn a_web_page_is_called_one() {
    let port = peer(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>",
    );
    let error = refused(format!("http://127.0.0.1:{port}/")).await;
    let says = format!(
        "the answer of http://127.0.0.1:{port}/ is neither JSON nor an event stream: it is a web page"
    );
    assert!(error.message.starts_with(&says) && error.message.contains("/mcp?"), "{error}");
}

#[tokio::test]
async fn a_missing_token_and_a_wrong_one_are_told_apart() {
    let verify = Some(Arc::new(StaticBearer::new([("s3cret", "ann")])) as Arc<_>);
    let server = serve(HttpOptions { verify, ..HttpOptions::default() }).await;
    let url = format!("http://{}/mcp", server.local_addr());
    let without = refused(url.clone()).await;
    assert_eq!(without.kind, ErrorKind::Unauthorized);
    assert!(without.message.contains(&format!("401 at {url}: a token is missing")), "{without}");
    let headers = vec![("authorization".to_owned(), "Bearer canary".to_owned())];
    let wrong = refused(Target::Url { url, headers }).await;
    assert!(
        wrong.message.contains("does not accept the token") && !wrong.message.contains("canary"),
        "{wrong}"
    );
}

#[tokio::test]
async fn a_server_that_keeps_silent_is_named() {
    let port = peer("");
    let error = refused(format!("http://127.0.0.1:{port}/mcp")).await;
    assert_eq!(error.kind, ErrorKind::Timeout);
    assert!(error.message.contains(&format!("in time by http://127.0.0.1:{port}/mcp: ")), "{error}");
    let error = refused(Command::new("sleep").arg("60")).await;
    assert!(error.message.contains("in time by the process \"sleep\": is it an MCP server?"), "{error}");
}

#[tokio::test]
async fn tls_faults_say_which_side_they_are_on() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let server = serve(HttpOptions::default()).await;
    let url = format!("https://localhost:{}/mcp", server.local_addr().port());
    let extra_roots = certificates(made.cert.pem().as_bytes()).expect("PEM");
    let options = HttpClientOptions { extra_roots, ..HttpClientOptions::default() };
    let error = refused(Target::Http { url, options: Box::new(options) }).await;
    assert!(error.message.contains("it does not speak TLS, did you mean http://?"), "{error}");
}

/// A child that leaves a line in a file each time it is started.
fn counted(file: &std::path::Path, rest: &str) -> Command {
    Command::new("sh").args(["-c".to_owned(), format!("echo started >> '{}'; {rest}", file.display())])
}

#[tokio::test]
async fn a_program_that_ends_before_it_serves_is_started_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for code in [3, 0] {
        let file = folder.path().join(code.to_string());
        let error = refused(counted(&file, &format!("exit {code}"))).await;
        assert_eq!(error.kind, ErrorKind::Closed);
        let says = format!("\"sh\" ended (exit status: {code}) before it answered: did it start to serve?");
        assert!(error.message.contains(&says), "{error}");
        let starts = fs::read_to_string(&file).expect("the file").lines().count();
        // Other systems do not say whether it had read what old servers end at.
        assert!(starts == 1 || (starts == 2 && !cfg!(target_os = "linux")), "started {starts} times");
    }
}

#[tokio::test]
async fn a_program_that_does_not_exist_is_named() {
    let error = refused(Command::new("no-such-server-program")).await;
    assert!(error.message.contains("command not found: \"no-such-server-program\""), "{error}");
}

async fn connected() -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    soon(client().connect(ours)).await.expect("connects")
}

#[tokio::test]
async fn wrong_arguments_name_the_tool_and_the_parameter() {
    let session = connected().await;
    let said = async |args: Value| {
        let result = soon(session.call_tool("add", args)).await.expect("a result");
        serde_json::to_value(&result.content).expect("JSON")[0]["text"].as_str().expect("text").to_owned()
    };
    assert_eq!(said(json!({"a": 1})).await, "Invalid arguments for tool add: must have the member \"b\"");
    assert_eq!(
        said(json!({"a": 1, "b": "x"})).await,
        "Invalid arguments for tool add: b must be of type number"
    );
    assert_eq!(
        said(json!({"a": 1, "b": 2, "labels": ["x", 3]})).await,
        "Invalid arguments for tool add: labels.1 must be of type string"
    );
    let unknown = soon(session.call_tool("ad", json!({}))).await.expect_err("unknown");
    assert_eq!(unknown.message, "Unknown tool: ad");
    soon(session.close()).await;
}

#[tokio::test]
async fn what_is_not_there_is_named_in_every_revision() {
    for revision in Revision::ALL {
        let (ours, theirs) = MemoryTransport::pair();
        let server = Server::builder("s", "1")
            .resource(Resource::new("a:b", "b"), |_: Context| async { String::new() })
            .prompt(Prompt::new("hello"), |_, _: Context| async { "hello".to_owned() })
            .build();
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        let policy = ProtocolPolicy::Pinned(revision);
        let client = Client::builder("client", "1").protocol(policy).build();
        let session = soon(client.connect(ours)).await.expect("connects");
        let error = soon(session.read_resource("file:///gone")).await.expect_err("unknown");
        assert_eq!(error.message, "Resource not found: file:///gone", "{revision}");
        let data: Value = error.data.expect("data").decode().expect("an object");
        assert_eq!(data["uri"], "file:///gone", "{revision}");
        let error = soon(session.get_prompt(GetPromptParams::new("helo"))).await.expect_err("unknown");
        assert_eq!(error.message, "Unknown prompt: helo", "{revision}");
        soon(session.close()).await;
    }
}

#[tokio::test]
async fn a_closed_session_says_how_to_go_on() {
    let session = connected().await;
    soon(session.close()).await;
    let error = soon(session.list_all_tools()).await.expect_err("closed");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Closed, "the connection is closed; connect again to go on")
    );
}

#[tokio::test]
async fn a_port_in_use_is_named_with_the_remedy() {
    let first = serve(HttpOptions::default()).await;
    let address = first.local_addr();
    let error = server().serve_http(address, HttpOptions::default()).await.expect_err("in use");
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    let text = error.to_string();
    assert!(text.starts_with(&format!("cannot listen on {address}: ")), "{text}");
    assert!(text.contains("another program has this port"), "{text}");
}

#[test]
fn two_things_of_one_name_are_refused_when_the_server_is_built() {
    let tool = || Tool::new("add", json!({"type": "object"}));
    let run = |_: Value, _: Context| async { "" };
    let refused = Server::builder("s", "1").raw_tool(tool(), run).raw_tool(tool(), run).try_build().err();
    assert_eq!(refused.unwrap().message, "two tools are called add: choose another name for one");
}

#[test]
fn a_type_that_json_schema_does_not_know_is_refused_with_its_place() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "int"}}});
    let run = |_: Value, _: Context| async { "" };
    let refused = Server::builder("s", "1").raw_tool(Tool::new("add", schema), run).try_build().err();
    let message = refused.unwrap().message;
    assert!(message.contains("tool add") && message.contains("/properties/a/type is \"int\""), "{message}");
}
