//! What each way through the boundary costs: nanoseconds per echo call, the host's side
//! played by this program on the same thread where that is how a binding does it.
//!
//! `cargo bench -p mcpbolt --bench bridge -- [calls]`. Every reply is checked.
#![allow(clippy::print_stdout, reason = "its figures are its output")]

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use bytes::Bytes;
use mcpbolt::bridge::{
    ClientOptions, Framing, HostClient, HostServer, Inbox, InboxLimits, IncomingHead, Item, Options, Outcome,
};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::json;

/// Calls in one batch, and in flight.
const DEPTH: usize = 64;
const WAIT: Duration = Duration::from_secs(10);
const RESULT: &str = r#"{"content":[{"type":"text","text":"hi"}]}"#;
const CALL: &str = r#""method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;

/// One more call on its line.
fn call(mut lines: String, id: usize) -> String {
    let _ = writeln!(lines, "{{\"jsonrpc\":\"2.0\",\"id\":{id},{CALL}");
    lines
}

struct Host {
    inbox: Arc<Inbox>,
    server: Arc<HostServer>,
    woken: mpsc::Receiver<()>,
    result: RawJson,
}

impl Host {
    fn new() -> Self {
        let inbox = Inbox::new(InboxLimits::default());
        let (wake, woken) = mpsc::channel();
        inbox.on_ready(Some(Arc::new(move || {
            let _ = wake.send(());
        })));
        let server = HostServer::new(Options::default(), vec![Arc::clone(&inbox)]).expect("an inbox");
        let about = json!({"serverInfo": {"name": "bench", "version": "1"}, "capabilities": {"tools": {}}});
        server.set_snapshot("server", 0, &about.into()).expect("about");
        let tools = json!([{"tool": {"name": "echo", "inputSchema": {"type": "object"}}}]);
        server.set_snapshot("tools", 0, &tools.into()).expect("tools");
        let result = RawJson::parse(RESULT).expect("a result");
        Self { inbox, server, woken, result }
    }

    /// Completes every call that waits; hands the other items to `other`.
    fn drain(&self, mut other: impl FnMut(Item)) -> usize {
        let mut done = Vec::with_capacity(DEPTH);
        for item in self.inbox.take(DEPTH, 1 << 20) {
            match item {
                Item::Request(request) => done.push((request.call, Outcome::Result(self.result.clone()))),
                item => other(item),
            }
        }
        let count = done.len();
        if count > 0 {
            assert!(self.inbox.complete_many(done).into_iter().all(|ended| ended), "a call was gone");
        }
        count
    }

    /// Drains whenever woken, until `calls` are completed.
    fn serve(&self, calls: usize) {
        let mut completed = 0;
        while completed < calls {
            self.woken.recv_timeout(WAIT).expect("work");
            completed += self.drain(drop);
        }
    }
}

fn report(name: &str, calls: usize, run: impl FnOnce()) {
    let begun = Instant::now();
    run();
    let took = begun.elapsed();
    println!("{name:<34} {:>10} ns per call", took.as_nanos() / calls as u128);
}

fn hello(id: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"b","version":"1"}}}}}}"#
    )
}

const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A custom transport of the host's: bytes in, messages out, one thread.
fn feed(calls: usize) {
    let host = Host::new();
    let connection = host.server.connect(Framing::Lines).expect("a connection");
    let feed = |text: String| host.server.feed(connection, Bytes::from(text), 0).expect("open");
    assert_eq!(feed(format!("{}\n{READY}\n", hello(1))).len(), 1);
    host.drain(drop);
    report("feed, 64 in a batch", calls, || {
        let mut answered = 0;
        while answered < calls {
            let batch = DEPTH.min(calls - answered);
            let lines = (0..batch).fold(String::new(), call);
            feed(lines);
            host.drain(drop);
            let sent = host.server.take_outgoing(connection).expect("open");
            assert!(sent.iter().all(|reply| reply.contains(r#""text":"hi""#)));
            answered += sent.len();
        }
    });
}

/// The stdio driver on a socket pair, the peer on a thread of its own.
#[cfg(unix)]
fn stdio(calls: usize) {
    use mcpbolt::transport::stdio::Channel;
    use std::os::unix::net::UnixStream;

    let host = Host::new();
    let (peer, ours) = UnixStream::pair().expect("a pair");
    let (input, output) = (ours.try_clone().expect("a handle"), ours);
    host.server.listen_on(Channel::from(input), Channel::from(output)).expect("a driver");
    let mut writer = peer.try_clone().expect("a handle");
    let (start, started) = mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(peer));
        writeln!(writer, "{}\n{READY}", hello(0)).expect("open");
        assert!(lines.next().expect("open").expect("text").contains("serverInfo"));
        started.recv().expect("a start");
        let mut sent = 0;
        let mut answered = 0;
        while answered < calls {
            let mut batch = String::new();
            while sent < calls && sent - answered < DEPTH {
                batch = call(batch, sent);
                sent += 1;
            }
            writer.write_all(batch.as_bytes()).expect("open");
            let reply = lines.next().expect("open").expect("text");
            assert!(reply.contains(r#""text":"hi""#));
            answered += 1;
        }
    });
    host.woken.recv_timeout(WAIT).expect("the notification");
    host.drain(drop);
    report("stdio, 64 in flight", calls, || {
        let _ = start.send(());
        host.serve(calls);
        thread.join().expect("every reply");
    });
}

#[cfg(not(unix))]
fn stdio(_: usize) {}

fn modern(id: usize) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hi"}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

const HEADERS: [(&str, &str); 6] = [
    ("host", "localhost"),
    ("content-type", "application/json"),
    ("accept", "application/json, text/event-stream"),
    ("mcp-protocol-version", "2026-07-28"),
    ("mcp-method", "tools/call"),
    ("mcp-name", "echo"),
];

/// ASGI, Express: the host has the sockets, one thread.
fn http_request(calls: usize) {
    let host = Host::new();
    let mount = host.server.mount(&json!({}).into(), &host.inbox).expect("a mount");
    report("http_request, 64 in a batch", calls, || {
        let mut answered = 0;
        while answered < calls {
            let batch = DEPTH.min(calls - answered);
            for id in 0..batch {
                let head = IncomingHead::new("POST", "/mcp", HEADERS, None).expect("a head");
                mount.request(head, Some(Bytes::from(modern(id))), 0).expect("open");
            }
            let end = answered + batch;
            while answered < end || !host.inbox.is_empty() {
                host.drain(|item| {
                    if let Item::HttpHead { status, body, end, .. } = item {
                        assert!(end && status == 200 && body.windows(4).any(|part| part == b"\"hi\""));
                        answered += 1;
                    }
                });
            }
        }
    });
}

/// One keep-alive connection that posts and reads.
fn poster(address: SocketAddr, calls: usize) {
    let mut stream = TcpStream::connect(address).expect("a listener");
    stream.set_nodelay(true).expect("a socket");
    let headers: Vec<_> = HEADERS[1..].iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let headers = headers.join("\r\n");
    let mut buffer = vec![0; 16 * 1024];
    for id in 0..calls {
        let body = modern(id);
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\n{headers}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).expect("open");
        let mut got = 0;
        while !buffer[..got].windows(4).any(|part| part == b"\"hi\"") || !buffer[..got].ends_with(b"}") {
            let more = stream.read(&mut buffer[got..]).expect("open");
            assert!(more > 0, "the server left");
            got += more;
        }
        assert!(buffer.starts_with(b"HTTP/1.1 200"));
    }
}

/// The engine's own HTTP server, sixteen connections.
fn listen_http(calls: usize) {
    const CONNECTIONS: usize = 16;
    let host = Host::new();
    let (_, address) = host.server.listen_http(&json!({}).into()).expect("an address");
    let each = calls / CONNECTIONS;
    report("listen_http, 16 connections", each * CONNECTIONS, || {
        let threads: Vec<_> =
            (0..CONNECTIONS).map(|_| std::thread::spawn(move || poster(address, each))).collect();
        host.serve(each * CONNECTIONS);
        for thread in threads {
            thread.join().expect("every reply");
        }
    });
    host.server.close();
}

/// Requests of a client of the host's; the server's bytes are fed, one thread.
fn client_request(calls: usize) {
    let host = Host::new();
    let options = json!({"client_info": {"name": "b", "version": "1"}, "protocol": "legacy"});
    let client =
        HostClient::new(ClientOptions::parse(&options.into()).expect("options"), Arc::clone(&host.inbox));
    let connection = client.open_fed(Framing::Message).expect("a connection");
    client.initialize(connection, None).expect("a handshake");
    let feed = |text: String| client.feed(connection, Bytes::from(text)).expect("open");
    feed(r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{}}}}"#.to_owned());
    host.drain(drop);
    let params = RawJson::parse(r#"{"name":"echo","arguments":{"text":"hi"}}"#).expect("params");
    report("client request, 64 in flight", calls, || {
        let (mut answered, mut wire) = (0, 1);
        while answered < calls {
            let batch = DEPTH.min(calls - answered);
            for _ in 0..batch {
                host.inbox.request(connection, "tools/call", Some(params.clone()), None);
            }
            assert_eq!(client.take_outgoing(connection).expect("open").len(), batch);
            for _ in 0..batch {
                wire += 1;
                feed(format!(r#"{{"jsonrpc":"2.0","id":{wire},"result":{RESULT}}}"#));
            }
            while host.drain(|item| {
                if let Item::Response { outcome, .. } = item {
                    assert!(outcome.is_ok());
                    answered += 1;
                }
            }) > 0
            {}
        }
    });
}

fn main() {
    let calls = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100_000);
    feed(calls);
    stdio(calls);
    http_request(calls);
    listen_http(calls);
    client_request(calls);
}
