//! What clients send is counted, and a trace shows it, as over any other transport.

use std::sync::Arc;

use mcpbolt::handler::EngineOptions;
use mcpbolt::observe::{Direction, FrameTrace};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::support::*;

/// Which way they went, how long they were, what they said.
type Frames = Arc<Mutex<Vec<(Direction, usize, Value)>>>;

async fn traced() -> (Server, Frames) {
    let frames = Frames::default();
    let seen = Arc::clone(&frames);
    let trace = FrameTrace::to(move |direction, _, frame| {
        seen.lock().push((direction, frame.len(), serde_json::from_slice(frame).unwrap()));
    });
    let engine = EngineOptions { trace: Some(trace), ..EngineOptions::default() };
    (Server::with(engine, HttpOptions::default()).await, frames)
}

/// The methods that came in, in order.
fn methods(frames: &Frames) -> Vec<Value> {
    let frames = frames.lock();
    let came = frames.iter().filter(|(way, ..)| *way == Direction::In);
    came.map(|(.., frame)| frame["method"].clone()).collect()
}

/// All bytes that went one way.
fn bytes(frames: &Frames, way: Direction) -> u64 {
    frames.lock().iter().filter(|(went, ..)| *went == way).map(|(_, bytes, _)| *bytes as u64).sum()
}

#[tokio::test]
async fn posts_that_stand_alone_are_counted_and_traced() {
    let (server, frames) = traced().await;
    let mut client = server.connect().await;
    assert_eq!(client.modern("tools/call", json!({"name": "echo", "arguments": {}})).await.status, 200);
    assert_eq!(client.json().await["id"], 1);
    assert_eq!(methods(&frames), ["tools/call"]);
    let told = server.engine.stats().snapshot();
    assert_eq!(told.bytes_in, bytes(&frames, Direction::In));
    assert_eq!(told.bytes_out, bytes(&frames, Direction::Out));
}

#[tokio::test]
async fn so_are_those_of_a_session() {
    let (server, frames) = traced().await;
    let mut client = server.connect().await;
    let session = client.initialize("2025-11-25").await;
    let before = server.engine.stats().snapshot().bytes_in;
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
    assert_eq!(client.post(&session, &call).await.status, 200);
    assert_eq!(client.json().await["id"], 2);
    assert_eq!(server.engine.stats().snapshot().bytes_in - before, call.len() as u64);
    assert_eq!(methods(&frames), ["initialize", "notifications/initialized", "tools/list"]);
}
