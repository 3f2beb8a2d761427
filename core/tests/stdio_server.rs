//! A server on real handles: pipe, socket pair, garbage, end of input.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcpbolt::server::{Context, Server};
use mcpbolt::transport::stdio_server::{StdioEnd, StdioServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

fn server() -> Server {
    Server::builder("stdio", "1.0.0")
        .tool("echo", "Echoes", |args: Echo, _: Context| async move { args.text })
        .tool("hang", "Never answers", |_: Nothing, ctx: Context| async move {
            ctx.cancelled().await;
            std::future::pending::<String>().await
        })
        .tool("panic", "Panics", |args: Echo, _: Context| async move {
            assert!(args.text.is_empty(), "the secret is {}", args.text);
            args.text
        })
        .build()
}

struct Peer {
    server: StdioServer,
    write: UnixStream,
    read: BufReader<UnixStream>,
}

impl Peer {
    fn new() -> Self {
        Self::of(&server())
    }

    fn of(server: &Server) -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let input: OwnedFd = theirs.try_clone().unwrap().into();
        let server = StdioServer::on(server.engine(), server.handler(), input, theirs.into(), false).unwrap();
        Self { server, read: BufReader::new(ours.try_clone().unwrap()), write: ours }
    }

    fn send(&mut self, text: &[u8]) {
        self.write.write_all(text).unwrap();
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.read.read_line(&mut line).expect("no line within 5 s") > 0, "closed");
        serde_json::from_str(&line).unwrap()
    }

    fn shake_hands(&mut self) {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        self.send(format!("{hello}\n").as_bytes());
        assert_eq!(self.next()["result"]["protocolVersion"], "2025-11-25");
        self.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    }

    fn call(&mut self, id: i64, tool: &str, text: &str) {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": {"text": text}}});
        self.send(format!("{call}\n").as_bytes());
    }
}

#[test]
fn partial_lines_crlf_and_many_messages_in_one_write() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,");
    peer.send(
        b"\"method\":\"ping\"}\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\"",
    );
    assert_eq!(peer.next(), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert_eq!(peer.next()["id"], 2);
    peer.send(b":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
    assert_eq!(peer.next()["id"], 3);
}

#[test]
fn garbage_gets_an_error_without_id_and_costs_nothing_else() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.send(b"not json\n");
    let reply = peer.next();
    assert_eq!(reply["error"]["code"], -32700);
    assert!(reply.get("id").is_none(), "{reply}");
    peer.send(b"\xff\xfe{}\n");
    assert_eq!(peer.next()["error"]["code"], -32700);
    peer.send(b"[]\n");
    assert_eq!(peer.next()["error"]["code"], -32600);
    // Too deep to be read, with an id that is none.
    let deep = ["[".repeat(200), "]".repeat(200)].concat();
    for id in [r#""a"é"#, r#""a"b"#] {
        peer.send(format!("{{\"id\":{id},\"m\":{deep}}}\n").as_bytes());
        let reply = peer.next();
        assert_eq!(reply["error"]["code"], -32600, "{id}");
        assert!(reply.get("id").is_none(), "{reply}");
    }
    peer.call(9, "echo", "still here");
    assert_eq!(peer.next()["result"]["content"][0]["text"], "still here");
}

#[test]
fn ping_is_answered_while_a_tool_hangs_and_c2_a_cancelled_call_gets_no_answer() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.call(1, "hang", "");
    peer.send(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    assert_eq!(peer.next()["id"], 2);
    peer.send(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    peer.call(3, "echo", "next");
    assert_eq!(peer.next()["id"], 3);
    // The hanging future may be in its runtime's hands: it is dropped soon, but not at once.
    let (tell, told) = std::sync::mpsc::channel();
    peer.server.connection().when_idle(Box::new(move || tell.send(()).unwrap()));
    told.recv_timeout(Duration::from_secs(5)).expect("the cancelled call did not end");
}

/// However fast a client calls and cancels, and however busy the runtime is, what it gave up
/// does not pile up: its future is gone before the next message is answered.
#[test]
fn a_cancelled_call_is_let_go_without_its_runtime() {
    struct Kept(Arc<AtomicUsize>);

    impl Drop for Kept {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    let kept = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&kept);
    // Nobody drives it.
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let guard = runtime.enter();
    let server = Server::builder("busy", "1.0.0")
        .tool("keep", "Never answers", move |_: Nothing, _: Context| {
            counted.fetch_add(1, Ordering::SeqCst);
            let kept = Kept(Arc::clone(&counted));
            async move {
                std::future::pending::<()>().await;
                drop(kept);
                String::new()
            }
        })
        .build();
    drop(guard);
    let mut peer = Peer::of(&server);
    peer.shake_hands();
    for id in (0..100).step_by(2) {
        peer.call(id, "keep", "");
        let given_up =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        peer.send(
            format!("{given_up}\n{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}}\n", id + 1).as_bytes(),
        );
        assert_eq!(peer.next()["id"], id + 1);
        assert_eq!(kept.load(Ordering::SeqCst), 0);
    }
}

#[test]
fn a_panic_stays_inside_and_says_nothing() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.call(1, "panic", "hunter2");
    let reply = peer.next();
    assert_eq!(reply["error"]["code"], -32603);
    assert!(!reply.to_string().contains("hunter2"));
    peer.call(2, "echo", "alive");
    assert_eq!(peer.next()["id"], 2);
}

#[test]
fn the_server_ends_at_the_end_of_input_but_answers_first() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.call(1, "echo", "last words");
    peer.write.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(peer.next()["result"]["content"][0]["text"], "last words");
    assert_eq!(peer.server.wait_blocking(), StdioEnd::Eof);
}

#[test]
fn what_is_wrong_with_arguments_is_for_the_model_and_an_unknown_tool_is_an_error() {
    let mut peer = Peer::new();
    peer.shake_hands();
    peer.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":5}}}\n");
    let reply = peer.next();
    assert_eq!(reply["result"]["isError"], true, "{reply}");
    peer.call(2, "nobody", "");
    assert_eq!(peer.next()["error"]["code"], -32602);
}

#[test]
fn first_messages_in_one_write_are_understood() {
    let mut peer = Peer::new();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "echo", "arguments": {"text": "at once"}}});
    peer.send(format!("{hello}\n{initialized}\n{call}\n").as_bytes());
    assert_eq!(peer.next()["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(peer.next()["result"]["content"][0]["text"], "at once");
    assert!(peer.server.connection().is_ready());
}
