//! Clients of HTTP/2 that open the windows of their streams late, or never: frame by frame.

use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use mcpbolt::handler::{BoxFuture, RequestHead, Scope};
use mcpbolt::transport::streamable_http::server::{Fallback, ForeignBody, HttpOptions};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::support::*;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW: u8 = 8;
/// The flag of the last frame of a stream; of SETTINGS and PING that it answers one.
const END: u8 = 1;
/// The flag of headers that are complete.
const END_HEADERS: u8 = 4;
/// The time that readers have by default is 30 s.
const LESS: Duration = Duration::from_secs(29);
const REST: Duration = Duration::from_secs(2);

struct Frame {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

/// A client that says nothing by itself of how much it takes.
struct Http2 {
    socket: TcpStream,
    next: u32,
}

/// The clock stands still but for `advance`, until this is dropped.
struct Still(std::sync::mpsc::Sender<()>);

fn still() -> Still {
    tokio::time::pause();
    let (tell, told) = std::sync::mpsc::channel();
    // While one of these runs, no time is skipped.
    tokio::task::spawn_blocking(move || told.recv().is_ok());
    Still(tell)
}

impl Drop for Still {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

/// Literals that nothing remembers; none is longer than 126 bytes.
fn headers(of: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    of.iter().flat_map(|(name, value)| [vec![0], text(name), text(value)].concat()).collect()
}

impl Http2 {
    /// Connects; each stream begins with a window of this size.
    async fn connect(server: &Server, window: u32) -> Self {
        let socket = TcpStream::connect(server.http.local_addr()).await.unwrap();
        let mut client = Self { socket, next: 1 };
        client.socket.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
        client.send(SETTINGS, 0, 0, &[&[0, 4], &window.to_be_bytes()[..]].concat()).await;
        // That of the connection bounds nothing here.
        client.open(0, 1 << 30).await;
        client
    }

    async fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let frame = [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat();
        self.socket.write_all(&frame).await.unwrap();
    }

    /// Makes room for so many bytes more.
    async fn open(&mut self, stream: u32, more: u32) {
        self.send(WINDOW, 0, stream, &more.to_be_bytes()).await;
    }

    async fn request(&mut self, of: &[(&str, &str)], body: &str) -> u32 {
        let stream = self.next;
        self.next += 2;
        let pseudo = [(":scheme", "http"), (":authority", "localhost")];
        let all = headers(&[&pseudo, of].concat());
        self.send(HEADERS, END_HEADERS | (u8::from(body.is_empty()) * END), stream, &all).await;
        if !body.is_empty() {
            self.send(DATA, END, stream, body.as_bytes()).await;
        }
        stream
    }

    async fn get(&mut self, path: &str) -> u32 {
        self.request(&[(":method", "GET"), (":path", path)], "").await
    }

    async fn modern(&mut self, method: &str, params: Value, accept: &str) -> u32 {
        let (own, body) = modern(method, params);
        let own: Vec<_> = own.iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        let mut all = vec![(":method", "POST"), (":path", "/mcp"), ("content-type", "application/json")];
        all.push(("accept", accept));
        all.extend(own.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        self.request(&all, &body).await
    }

    /// The next frame of any stream.
    async fn frame(&mut self) -> Frame {
        soon("a frame", async {
            loop {
                let mut head = [0; 9];
                self.socket.read_exact(&mut head).await.unwrap();
                let [a, b, c, kind, flags, stream @ ..] = head;
                let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
                self.socket.read_exact(&mut payload).await.unwrap();
                match (kind, flags & END) {
                    (SETTINGS, 0) => self.send(SETTINGS, END, 0, &[]).await,
                    (PING, 0) => self.send(PING, END, 0, &payload).await,
                    _ => {}
                }
                let stream = u32::from_be_bytes(stream);
                if stream > 0 {
                    return Frame { kind, flags, stream, payload };
                }
            }
        })
        .await
    }

    /// The next frame, which is of this kind and stream.
    async fn expect(&mut self, kind: u8, stream: u32) -> Frame {
        let frame = self.frame().await;
        assert_eq!((frame.kind, frame.stream), (kind, stream), "{:?}", frame.payload);
        frame
    }

    /// Until the server has read all that was sent, and has said what it has to say: nothing on a stream.
    async fn assert_silent(&mut self) {
        self.send(PING, 0, 0, b"anything").await;
        let mut head = [0; 9];
        loop {
            soon("a pong", self.socket.read_exact(&mut head)).await.unwrap();
            let mut payload = vec![0; usize::from(head[2])];
            self.socket.read_exact(&mut payload).await.unwrap();
            match (head[3], head[4]) {
                (PING, END) if payload == b"anything" => return,
                (PING, 0) => self.send(PING, END, 0, &payload).await,
                (SETTINGS, 0) => self.send(SETTINGS, END, 0, &[]).await,
                (kind, _) => assert_eq!(&head[5..], [0; 4], "a frame of kind {kind}"),
            }
        }
    }

    /// The rest of a body, which nothing holds up.
    async fn body(&mut self, stream: u32) -> Vec<u8> {
        let mut all = Vec::new();
        loop {
            let frame = self.expect(DATA, stream).await;
            all.extend_from_slice(&frame.payload);
            if frame.flags & END > 0 {
                return all;
            }
        }
    }

    /// Nothing is taken of this stream but `window` bytes: it is reset in time, and others are not.
    async fn assert_reset(&mut self, stream: u32, window: u32) {
        self.expect(HEADERS, stream).await;
        if window > 0 {
            let taken = self.expect(DATA, stream).await;
            assert_eq!((taken.payload.len(), taken.flags & END), (window as usize, 0));
        }
        tokio::time::advance(LESS).await;
        self.assert_silent().await;
        tokio::time::advance(REST).await;
        let reset = self.expect(RESET, stream).await;
        assert_eq!(reset.payload, 8_u32.to_be_bytes(), "CANCEL");
        let other = self.modern("tools/call", json!({"name": "echo"}), "application/json").await;
        self.open(other, 1 << 20).await;
        self.expect(HEADERS, other).await;
        assert!(!self.body(other).await.is_empty());
    }
}

const JSON: &str = "application/json";
const EITHER: &str = "application/json, text/event-stream";

#[tokio::test]
async fn an_answer_that_is_not_taken_is_let_go() {
    for window in [0, 1] {
        for accept in [JSON, EITHER] {
            let mut server = Server::start(HttpOptions::default()).await;
            let still = still();
            let mut client = Http2::connect(&server, window).await;
            let stream = client.modern("tools/call", json!({"name": "large"}), accept).await;
            assert_eq!(server.event().await, "started");
            server.release.notify_one();
            client.assert_reset(stream, window).await;
            server.until("the end of the request", |s| s.http.service().in_flight() == 0).await;
            drop(still);
            tokio::time::resume();
        }
    }
}

#[tokio::test]
async fn a_small_answer_is_let_go_too() {
    let server = Server::start(HttpOptions::default()).await;
    let _still = still();
    let mut client = Http2::connect(&server, 0).await;
    let stream = client.modern("tools/call", json!({"name": "echo"}), JSON).await;
    client.assert_reset(stream, 0).await;
}

#[tokio::test]
async fn an_event_stream_whose_first_event_is_not_taken_is_reset() {
    let server = Server::start(HttpOptions::default()).await;
    let _still = still();
    let mut client = Http2::connect(&server, 0).await;
    let params = json!({"notifications": {"toolsListChanged": true}});
    let stream = client.modern("subscriptions/listen", params, EITHER).await;
    client.assert_reset(stream, 0).await;
    server.until("the end of the subscription", |s| s.http.service().in_flight() == 0).await;
}

/// Sends a large page, and knows whether it is still there.
#[derive(Default)]
struct Pages(Mutex<Option<Weak<[u8]>>>);

impl Pages {
    fn is_held(&self) -> bool {
        self.0.lock().as_ref().is_some_and(|page| page.strong_count() > 0)
    }
}

impl Fallback for Pages {
    fn respond(
        &self,
        _: &RequestHead,
        _: Bytes,
        _: &Scope,
    ) -> BoxFuture<'static, http::Response<ForeignBody>> {
        let page: Arc<[u8]> = (0..=250).cycle().take(MEBIBYTE).collect();
        *self.0.lock() = Some(Arc::downgrade(&page));
        let body: ForeignBody = Box::pin(Full::new(Bytes::from_owner(page)));
        Box::pin(async move { http::Response::new(body) })
    }
}

async fn with_pages() -> (Server, Arc<Pages>) {
    let pages = Arc::new(Pages::default());
    let fallback = Some(Arc::clone(&pages) as _);
    (Server::start(HttpOptions { fallback, ..HttpOptions::default() }).await, pages)
}

#[tokio::test]
async fn what_is_not_taken_is_kept_no_longer() {
    let (server, pages) = with_pages().await;
    let _still = still();
    let mut client = Http2::connect(&server, 1).await;
    let stream = client.get("/page").await;
    client.expect(HEADERS, stream).await;
    client.expect(DATA, stream).await;
    tokio::time::advance(LESS).await;
    client.assert_silent().await;
    assert!(pages.is_held());
    tokio::time::advance(REST).await;
    client.expect(RESET, stream).await;
    assert!(!pages.is_held());
}

#[tokio::test]
async fn who_takes_its_time_but_takes_is_given_all() {
    let (server, pages) = with_pages().await;
    let _still = still();
    let mut client = Http2::connect(&server, 16 << 10).await;
    let stream = client.get("/page").await;
    client.expect(HEADERS, stream).await;
    let mut all = Vec::new();
    while all.len() < MEBIBYTE {
        let frame = client.expect(DATA, stream).await;
        all.extend_from_slice(&frame.payload);
        tokio::time::advance(Duration::from_secs(20)).await;
        client.open(stream, 16 << 10).await;
    }
    let last = client.expect(DATA, stream).await;
    assert_eq!((last.payload.len(), last.flags & END), (0, END));
    assert!(all.iter().enumerate().all(|(n, byte)| usize::from(*byte) == n % 251));
    assert!(!pages.is_held());
}

#[tokio::test]
async fn a_small_answer_ends_with_its_only_part() {
    let server = Server::start(HttpOptions::default()).await;
    let mut client = Http2::connect(&server, 1 << 20).await;
    let stream = client.modern("tools/call", json!({"name": "echo"}), JSON).await;
    client.expect(HEADERS, stream).await;
    let only = client.expect(DATA, stream).await;
    assert_eq!((only.payload.is_empty(), only.flags & END), (false, END));
}
