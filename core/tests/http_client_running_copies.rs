//! Calls that go again while our own server still works on the copy before.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod http_client_support;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use mcpbolt::client::{Client, ClientSession, ProtocolPolicy, Target};
use mcpbolt::protocol::Revision;
use mcpbolt::protocol::types::{Tool, ToolAnnotations};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, ResponseMode};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};

use http_client_support::{Exchange, Server as Front, bounded, quick};

/// A server whose tool waits, and a client behind a proxy that leaves the calls to the test.
struct Place {
    http: HttpServer,
    session: ClientSession,
    calls: mpsc::UnboundedReceiver<Exchange>,
    /// What the tool says of itself.
    said: mpsc::UnboundedReceiver<&'static str>,
    release: watch::Sender<bool>,
}

impl Place {
    async fn start(response: ResponseMode) -> Self {
        let (saying, said) = mpsc::unbounded_channel();
        let (release, released) = watch::channel(false);
        let options = HttpOptions { response, ..HttpOptions::default() };
        let http = server(saying, released).serve_http("127.0.0.1:0", options).await.unwrap();
        let front = Front::start().await;
        let url = front.url();
        let calls = proxy(front, http.local_addr());
        let policy = ProtocolPolicy::Pinned(Revision::V2025_06_18);
        let client = Client::builder("client", "1").protocol(policy).build();
        let mut options = Box::new(quick());
        options.pause = Some(Arc::new(|_| Box::pin(std::future::ready(()))));
        let session = client.connect(Target::Http { url, options }).await.unwrap();
        // Says that the tool may be called twice.
        session.list_tools(None).await.unwrap();
        Self { http, session, calls, said, release }
    }

    async fn call(&mut self) -> Exchange {
        bounded("a call", self.calls.recv()).await.unwrap()
    }

    async fn hear(&mut self, word: &str) {
        assert_eq!(bounded(word, self.said.recv()).await, Some(word));
    }

    /// The call reaches the server, whose answer does not reach the client. What the server has
    /// sent so far does, up to the end of its head, if it is a stream.
    async fn lose(&mut self, is_stream: bool) -> TcpStream {
        let mut call = self.call().await;
        let mut socket = forward(&call, self.http.local_addr()).await;
        self.hear("started").await;
        if !is_stream {
            call.reply(504, &[], "").await;
            return socket;
        }
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(bounded("the head", socket.read_u8()).await.unwrap());
        }
        call.write(&String::from_utf8(head).unwrap()).await;
        call.end().await;
        socket
    }

    /// The next call reaches the server, and the server takes it.
    async fn pass(&mut self) {
        let call = self.call().await;
        let socket = forward(&call, self.http.local_addr()).await;
        tokio::spawn(back(socket, call));
        self.hear("started").await;
    }
}

/// A call of the tool; one that is cancelled is dropped.
struct Running(mpsc::UnboundedSender<&'static str>);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.send("ended");
    }
}

fn server(saying: mpsc::UnboundedSender<&'static str>, released: watch::Receiver<bool>) -> Server {
    let harmless = ToolAnnotations::new().read_only_hint(true);
    let tool = Tool::new("look", RawJson::from(json!({"type": "object"}))).annotations(harmless);
    let look = move |_: Value, _: Context| {
        let (running, mut released) = (Running(saying.clone()), released.clone());
        async move {
            let _ = running.0.send("started");
            drop(released.wait_for(|released| *released).await);
            "seen"
        }
    };
    Server::builder("slow", "1").raw_tool(tool, look).build()
}

/// Passes on all but calls of tools, which come out here.
fn proxy(mut front: Front, to: SocketAddr) -> mpsc::UnboundedReceiver<Exchange> {
    let (calls, received) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let exchange = front.whenever().await;
            if exchange.text().contains("tools/call") {
                let _ = calls.send(exchange);
            } else {
                let socket = forward(&exchange, to).await;
                tokio::spawn(back(socket, exchange));
            }
        }
    });
    received
}

/// Sends a request on; what comes back is on the socket.
fn forward(exchange: &Exchange, to: SocketAddr) -> impl Future<Output = TcpStream> + use<> {
    let mut text = format!("{} {} HTTP/1.1\r\nconnection: close\r\n", exchange.method, exchange.target);
    for (name, value) in &exchange.headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    let _ = write!(text, "\r\n{}", exchange.text());
    async move {
        let mut socket = TcpStream::connect(to).await.unwrap();
        socket.write_all(text.as_bytes()).await.unwrap();
        socket
    }
}

async fn back(mut from: TcpStream, mut to: Exchange) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        to.write(&String::from_utf8_lossy(&buffer[..count])).await;
    }
    to.end().await;
}

#[tokio::test]
async fn the_answer_to_the_second_copy_arrives() {
    for response in [ResponseMode::Sse, ResponseMode::Json] {
        let mut place = Place::start(response).await;
        let session = place.session.clone();
        let lose_and_pass = async {
            let lost = place.lose(response == ResponseMode::Sse).await;
            place.pass().await;
            place.release.send_replace(true);
            lost
        };
        let call = bounded("the call", session.call_tool("look", json!({})));
        let (result, _lost) = tokio::join!(call, lose_and_pass);
        assert_eq!(result.unwrap().content[0].as_text(), Some("seen"), "{response:?}");
    }
}

#[tokio::test]
async fn both_copies_are_cancelled_with_the_call() {
    let mut place = Place::start(ResponseMode::Json).await;
    let session = place.session.clone();
    let both_run = async {
        let lost = place.lose(false).await;
        place.pass().await;
        lost
    };
    let _lost = tokio::select! {
        result = session.call_tool("look", json!({})) => panic!("{result:?}"),
        lost = both_run => lost,
    };
    // Nothing has released them.
    for _ in 0..2 {
        place.hear("ended").await;
    }
}
