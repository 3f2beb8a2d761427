//! What the engine's own HTTP server can be told, seen through the bridge.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

use mcpbolt::bridge::{HostServer, Item};
use serde_json::{Value, json};

use crate::driver::{Driver, client, server, text};
use crate::peer::{WAIT, modern, raw};

fn listen(driver: &Driver, options: Value) -> (Arc<HostServer>, u64, SocketAddr) {
    let server = server(driver, &json!({}));
    let (listener, address) = server.listen_http(&options.into()).unwrap();
    (server, listener, address)
}

/// A call of `echo` over a socket of its own; the whole answer.
fn call(address: SocketAddr) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let body = modern(1, "tools/call", json!({"name": "echo", "arguments": {}})).to_string();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: tools/call\r\nmcp-name: echo\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        // A server that gives up may break the connection.
        let _ = stream.read_to_string(&mut answer);
        answer
    })
}

fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_tls_listener_serves_clients_that_trust_it_and_no_others() {
    let mut driver = Driver::new();
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let (_server, _, address) = listen(&driver, json!({"tls": {"certificate": certificate, "key": key}}));
    let client = client(&driver, json!({}));
    let url = format!("https://localhost:{}/mcp", address.port());
    let stranger = client.open(&raw(json!({"url": url, "system_roots": false, "proxy": "off"}))).unwrap_or(0);
    if stranger != 0 {
        let id = client.initialize(stranger, Some("modern")).unwrap();
        assert_eq!(driver.response(id).unwrap_err().kind, "transport");
    }
    let target = json!({"url": url, "system_roots": false, "proxy": "off", "ca": made.cert.pem()});
    for protocol in ["legacy", "modern"] {
        let connection = client.open(&raw(target.clone())).unwrap();
        let id = client.initialize(connection, Some(protocol)).unwrap();
        assert_eq!(driver.response(id).unwrap()["serverInfo"]["name"], "bridge");
    }
}

#[test]
fn a_client_of_the_old_transport_alone_is_served() {
    let mut driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({"sse": true}));
    let client = client(&driver, json!({}));
    let target = json!({"url": format!("http://{address}/sse"), "transport": "sse"});
    let connection = client.open(&raw(target)).unwrap();
    let id = client.initialize(connection, None).unwrap();
    assert_eq!(driver.response(id).unwrap()["protocolVersion"], "2025-11-25");
    let id = driver.inbox.request(connection, "tools/call", Some(raw(json!({"name": "echo"}))), None);
    let call = driver.request("tools/call").call;
    assert_eq!(text(&driver.inbox.describe(call).unwrap())["transport"], "sse");
    let asked = driver.inbox.request(call, "roots/list", None, None);
    let question = driver.request("roots/list").call;
    driver.ok(question, json!({"roots": []}));
    assert!(driver.response(asked).is_ok());
    driver.ok(call, json!({"content": []}));
    assert_eq!(driver.response(id).unwrap()["content"], json!([]));
    client.close();
    assert_eq!(driver.closed(connection), None);
}

#[test]
fn a_listener_shows_its_counters_where_it_was_told_to() {
    let mut driver = Driver::new();
    let (_server, _, address) =
        listen(&driver, json!({"metrics": "/metrics", "health": "/healthz", "ready": "/readyz"}));
    let thread = call(address);
    let request = driver.request("tools/call").call;
    driver.ok(request, json!({"content": []}));
    assert!(thread.join().unwrap().starts_with("HTTP/1.1 200"));
    let counters = get(address, "/metrics");
    assert!(counters.starts_with("HTTP/1.1 200") && counters.contains("mcpbolt_"), "{counters}");
    let calls = counters.lines().find(|line| line.contains("tools/call")).unwrap_or_default();
    assert!(calls.ends_with(" 1"), "one call was made: {counters}");
    assert!(get(address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(get(address, "/readyz").starts_with("HTTP/1.1 200"));
    assert!(get(address, "/elsewhere").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_listener_that_stops_says_so_before_it_no_longer_accepts() {
    let mut driver = Driver::new();
    let options = json!({"health": "/healthz", "ready": "/readyz", "shutdown_delay": 60});
    let (server, listener, address) = listen(&driver, options);
    assert!(get(address, "/readyz").starts_with("HTTP/1.1 200"));
    assert!(server.stop_http(listener));
    let end = std::time::Instant::now() + WAIT;
    while !get(address, "/readyz").starts_with("HTTP/1.1 503") {
        assert!(std::time::Instant::now() < end, "it is still ready");
    }
    let thread = call(address);
    let request = driver.request("tools/call").call;
    driver.ok(request, json!({"content": []}));
    assert!(thread.join().unwrap().starts_with("HTTP/1.1 200"), "it serves on");
    let wrong = server.listen_http(&json!({"metrics": "metrics"}).into()).unwrap_err();
    assert!(wrong.message.contains("metrics: \"metrics\""), "{wrong}");
    assert!(!server.stop_http(listener), "it stops already");
    server.close();
    assert!(TcpStream::connect(address).is_err(), "it is closed, whatever time it had");
    assert_eq!(driver.closed(listener), None);
}

#[test]
fn several_threads_serve_one_listener() {
    let mut driver = Driver::new();
    let (server, listener, address) = listen(&driver, json!({"io_threads": 3}));
    let threads: Vec<_> = (0..24).map(|_| call(address)).collect();
    for _ in 0..24 {
        let request = driver.request("tools/call").call;
        assert!(driver.ok(request, json!({"content": []})));
    }
    for thread in threads {
        assert!(thread.join().unwrap().starts_with("HTTP/1.1 200"));
    }
    assert!(server.stop_http(listener));
    assert_eq!(driver.closed(listener), None);
}

#[test]
fn a_listener_that_stops_lets_a_running_call_finish() {
    let mut driver = Driver::new();
    let (server, listener, address) = listen(&driver, json!({"drain": 60}));
    let thread = call(address);
    let running = driver.request("tools/call").call;
    assert!(server.stop_http(listener));
    // Nothing new comes in, and the call goes on.
    let end = std::time::Instant::now() + WAIT;
    while TcpStream::connect(address).is_ok() {
        assert!(std::time::Instant::now() < end, "it still accepts");
        std::thread::yield_now();
    }
    assert!(!driver.inbox.is_cancelled(running));
    assert!(driver.ok(running, json!({"content": [{"type": "text", "text": "finished"}]})));
    let answer = thread.join().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("finished"), "{answer}");
    assert_eq!(driver.closed(listener), None);
}

#[test]
fn a_call_that_outlasts_the_drain_is_cancelled() {
    let mut driver = Driver::new();
    let (server, listener, address) = listen(&driver, json!({"drain": 0.05}));
    let thread = call(address);
    let running = driver.request("tools/call").call;
    assert!(server.stop_http(listener));
    let cancelled = driver.next("cancel", |item| match item {
        Item::Cancel { call, .. } => Some(*call),
        _ => None,
    });
    assert_eq!(cancelled, running);
    assert_eq!(driver.closed(listener), None);
    driver.ok(running, json!({"content": []}));
    assert!(!thread.join().unwrap().contains("\"content\""));
}

#[test]
fn a_quiet_stream_says_that_it_is_alive() {
    let mut driver = Driver::new();
    let (_server, _, address) = listen(&driver, json!({"keep_alive": 0.02}));
    let body = modern(1, "tools/call", json!({"name": "echo", "arguments": {}})).to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: echo\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let call = driver.request("tools/call").call;
    let mut lines = BufReader::new(stream).lines();
    let comments = lines.by_ref().map(Result::unwrap).filter(|line| line.starts_with(':')).take(2).count();
    assert_eq!(comments, 2);
    driver.ok(call, json!({"content": []}));
    assert!(lines.any(|line| line.unwrap().contains("\"content\"")));
}

#[test]
fn a_stream_without_comments_goes_on_for_ever() {
    let driver = Driver::new();
    let (server, _, address) = listen(&driver, json!({"keep_alive": null}));
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let body = modern(1, "subscriptions/listen", filter).to_string();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: subscriptions/listen\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("subscriptions/acknowledged")));
    for _ in 0..3 {
        server.announce("tools", None).unwrap();
        assert!(lines.any(|line| line.contains("tools/list_changed")));
    }
}

#[test]
fn an_exchange_that_the_host_never_saw_makes_no_noise() {
    let mut driver = Driver::new();
    let server = server(&driver, &json!({}));
    let mount = server.mount(&raw(json!({})), &driver.inbox).unwrap();
    let head = |method: &str| {
        let mut headers = vec![
            ("host", "localhost"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        if method == "tools/call" {
            headers.push(("mcp-name", "echo"));
        }
        mcpbolt::bridge::IncomingHead::new("POST", "/mcp", headers, None).unwrap()
    };
    for id in 0..50 {
        let body = modern(id, "tools/list", json!({})).to_string();
        mount.request(head("tools/list"), Some(body.into()), 0).unwrap();
    }
    let items = driver.inbox.take(1000, 1 << 20);
    assert!(items.is_empty(), "{items:?}");
    // One that the host answered is over when it says so, once.
    let body = modern(1, "tools/call", json!({"name": "echo", "arguments": {}})).to_string();
    mount.request(head("tools/call"), Some(body.into()), 0).unwrap();
    let request = driver.request("tools/call");
    driver.ok(request.call, json!({"content": []}));
    assert_eq!(driver.closed(request.connection), None);
    assert!(driver.inbox.settle(WAIT), "nothing more is said");
    assert!(driver.inbox.describe_connection(request.connection).is_none());
}
