//! Clients that take their replies late, or never: no reply is lost, nothing more is read
//! than there is room for, and who takes nothing for long is let go.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mcpbolt::Limits;
use mcpbolt::server::{Context, Server, ServerBuilder};
use mcpbolt::transport::custom::Transport;
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::transport::stdio_server::{StdioEnd, StdioServer};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

const BOUND: Duration = Duration::from_secs(20);

#[derive(Deserialize, JsonSchema)]
struct Size {
    bytes: usize,
}

fn builder(reply_queue_bytes: u64, slow_reader: Duration) -> ServerBuilder {
    Server::builder("big", "1.0.0")
        .limits(Limits { reply_queue_bytes, slow_reader, send_queue_bytes: 64 << 10, ..Limits::default() })
        .tool("big", "Says much", |size: Size, _: Context| async move { "x".repeat(size.bytes) })
        .tool("chatty", "Announces much, and waits for room", |size: Size, context: Context| async move {
            for number in 0..size.bytes {
                let text = "y".repeat(4096);
                while let Ok(mcpbolt::handler::Sent::Full) =
                    context.notify("notifications/x-number", json!({"number": number, "text": text}))
                {
                    room(&context).await;
                }
            }
            "told".to_owned()
        })
}

/// Waits as every facade does after `Full`.
async fn room(context: &Context) {
    let (tell, told) = tokio::sync::oneshot::channel::<()>();
    context.call().on_writable(Box::new(move || drop(tell)));
    let _ = told.await;
}

fn call(id: usize, tool: &str, bytes: usize) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": tool, "arguments": {"bytes": bytes}}})
}

fn hello() -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    format!("{hello}\n{}\n", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
}

struct Peer {
    server: StdioServer,
    write: UnixStream,
    read: BufReader<UnixStream>,
}

impl Peer {
    fn of(server: &Server) -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_read_timeout(Some(BOUND)).unwrap();
        let input: OwnedFd = theirs.try_clone().unwrap().into();
        let server = StdioServer::on(server.engine(), server.handler(), input, theirs.into(), false).unwrap();
        let mut peer = Self { server, read: BufReader::new(ours.try_clone().unwrap()), write: ours };
        peer.write.write_all(hello().as_bytes()).unwrap();
        assert_eq!(peer.next()["id"], 0);
        peer
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.read.read_line(&mut line).expect("no line in time") > 0, "closed");
        serde_json::from_str(&line).unwrap()
    }
}

/// Writes everything; tells the first time that the server takes no more for a while.
fn write_all(mut stream: UnixStream, text: &[u8], blocked: &mpsc::Sender<bool>) {
    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let mut rest = text;
    while !rest.is_empty() {
        match stream.write(rest) {
            Ok(length) => rest = &rest[length..],
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                let _ = blocked.send(true);
            }
            Err(error) => panic!("{error}"),
        }
    }
    let _ = blocked.send(false);
}

/// Calls of `big`, a line each.
fn lines(calls: usize, size: usize) -> String {
    (1..=calls).flat_map(|id| [call(id, "big", size).to_string(), "\n".to_owned()]).collect()
}

#[test]
fn no_reply_is_lost_however_late_it_is_taken() {
    const CALLS: usize = 20_000;
    let mut peer = Peer::of(&builder(256 << 10, BOUND).build());
    let (tell, blocked) = mpsc::channel();
    let writing = peer.write.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        let text = lines(CALLS, 2000);
        write_all(writing, text.as_bytes(), &tell);
    });
    assert!(blocked.recv_timeout(BOUND).unwrap(), "all was read while nothing was taken");
    let seen: BTreeSet<u64> = (0..CALLS).map(|_| peer.next()["id"].as_u64().unwrap()).collect();
    assert_eq!(seen.len(), CALLS);
    writer.join().unwrap();
}

#[test]
fn replies_of_calls_that_run_at_once_are_kept_beyond_any_bound() {
    const CALLS: usize = 40;
    let mut peer = Peer::of(&builder(1 << 20, BOUND).build());
    let text = lines(CALLS, 1 << 20);
    peer.write.write_all(text.as_bytes()).unwrap();
    let seen: BTreeSet<u64> = (0..CALLS).map(|_| peer.next()["id"].as_u64().unwrap()).collect();
    assert_eq!(seen.len(), CALLS);
}

#[test]
fn a_client_that_takes_nothing_is_let_go_with_a_reason() {
    let (tell, told) = mpsc::channel();
    let server = builder(64 << 10, Duration::from_millis(300))
        .on_error(move |problem| drop(tell.send(problem.message.clone())))
        .build();
    let mut peer = Peer::of(&server);
    peer.write.write_all(format!("{}\n", call(1, "big", 4 << 20)).as_bytes()).unwrap();
    assert!(told.recv_timeout(BOUND).unwrap().contains("took none of its replies for 0.3 s"));
    assert_eq!(peer.server.wait_blocking(), StdioEnd::SlowReader);
}

/// The queue of notifications is much smaller than that of replies: room in it is told too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_room_is_told_of_it() {
    let mut peer = Peer::of(&builder(64 << 20, BOUND).build());
    peer.write.write_all(format!("{}\n", call(1, "chatty", 400)).as_bytes()).unwrap();
    let reading = tokio::task::spawn_blocking(move || {
        let mut numbers = Vec::new();
        loop {
            let message = peer.next();
            match message["params"]["number"].as_u64() {
                Some(number) => numbers.push(number),
                None => return (message, numbers),
            }
        }
    });
    let (last, numbers) = tokio::time::timeout(BOUND, reading).await.expect("room was not told").unwrap();
    assert_eq!(last["id"], 1);
    assert_eq!(numbers, (0..400).collect::<Vec<_>>());
}

async fn memory_peer(server: Server) -> (MemoryTransport, tokio::task::JoinHandle<()>) {
    let (ours, theirs) = MemoryTransport::pair();
    let serving = tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    for line in hello().lines() {
        ours.send(line.into()).await.unwrap();
    }
    ours.receive().await.unwrap().unwrap();
    (ours, serving)
}

#[tokio::test]
async fn a_channel_of_the_programs_own_is_read_while_there_is_room_too() {
    const CALLS: usize = 2_000;
    let (ours, _serving) = memory_peer(builder(64 << 10, BOUND).build()).await;
    let ours = Arc::new(ours);
    let (writing, (tell, told)) = (Arc::clone(&ours), tokio::sync::oneshot::channel());
    let writer = tokio::spawn(async move {
        let mut tell = Some(tell);
        for id in 1..=CALLS {
            let mut sent = writing.send(call(id, "big", 2000).to_string().into());
            // The channel holds 64 messages; it stays full when nobody reads.
            while tokio::time::timeout(Duration::from_millis(200), &mut sent).await.is_err() {
                tell.take().map(|tell| tell.send(()));
            }
        }
    });
    tokio::time::timeout(BOUND, told).await.unwrap().expect("all was read while nothing was taken");
    let mut seen = BTreeSet::new();
    while seen.len() < CALLS {
        let frame = tokio::time::timeout(BOUND, ours.receive()).await.unwrap().unwrap().unwrap();
        let message: Value = serde_json::from_slice(&frame).unwrap();
        seen.insert(message["id"].as_u64().unwrap());
    }
    writer.await.unwrap();
}

#[tokio::test]
async fn a_channel_whose_other_end_takes_nothing_is_closed() {
    let (ours, serving) = memory_peer(builder(64 << 10, Duration::from_millis(300)).build()).await;
    // Of these it takes some, and then the channel is full.
    for id in 1..=200 {
        if ours.send(call(id, "big", 2000).to_string().into()).await.is_err() {
            break;
        }
    }
    tokio::time::timeout(BOUND, serving).await.expect("served on").unwrap();
    while let Some(frame) = tokio::time::timeout(BOUND, ours.receive()).await.unwrap() {
        frame.unwrap();
    }
}

/// The server's side of a pair ends by itself, whatever its other end does.
#[tokio::test]
async fn a_server_in_memory_that_closes_first_leaves_nothing() {
    let server = Server::builder("brief", "1.0.0")
        .tool("leave", "Closes its connection", |_: Size, context: Context| async move {
            context.call().link().close();
            String::new()
        })
        .build();
    let engine = Arc::downgrade(server.engine());
    let (ours, serving) = memory_peer(server).await;
    ours.send(call(1, "leave", 0).to_string().into()).await.unwrap();
    tokio::time::timeout(BOUND, serving).await.expect("the server's task goes on").unwrap();
    assert!(engine.upgrade().is_none(), "the engine is held");
    while let Some(frame) = tokio::time::timeout(BOUND, ours.receive()).await.unwrap() {
        frame.unwrap();
    }
}
