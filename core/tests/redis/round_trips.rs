//! How often a server that serves over HTTP asks its store.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcpbolt::client::{CallOptions, Client, ClientSession, ProtocolPolicy};
use mcpbolt::server::{self, Context};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, ResponseMode};
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use super::server::Server;

/// Calls that are made one after the other.
const CALLS: usize = 20;
/// What a server asks beside its calls, such as a session being kept alive, while they run.
const SLACK: usize = 2;

#[derive(Deserialize, JsonSchema)]
struct Steps {
    steps: u32,
}

/// Carries connections to a store and counts round trips: what is asked after the last answer.
#[derive(Default)]
struct Counted {
    trips: AtomicUsize,
}

impl Counted {
    async fn before(port: u16) -> (Arc<Self>, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, counted) = (listener.local_addr().unwrap(), Arc::<Self>::default());
        let counting = Arc::clone(&counted);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                // Else what is written apart would arrive together.
                far.set_nodelay(true).unwrap();
                near.set_nodelay(true).unwrap();
                let ((asks, answered), (answers, asked)) = (near.into_split(), far.into_split());
                let waiting = Arc::<Mutex<bool>>::default();
                tokio::spawn(Arc::clone(&counting).carry(asks, asked, Arc::clone(&waiting), true));
                tokio::spawn(Arc::clone(&counting).carry(answers, answered, waiting, false));
            }
        });
        (counted, address)
    }

    /// One direction. `waiting`: something was asked, and nothing answered since.
    async fn carry(
        self: Arc<Self>,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
        waiting: Arc<Mutex<bool>>,
        asks: bool,
    ) {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(length @ 1..) = from.read(&mut buffer).await {
            let was = std::mem::replace(&mut *waiting.lock(), asks);
            if asks && !was {
                self.trips.fetch_add(1, Ordering::SeqCst);
            }
            if to.write_all(&buffer[..length]).await.is_err() {
                return;
            }
        }
    }
}

/// A client of a server whose store counts.
struct Fixture {
    session: ClientSession,
    counted: Arc<Counted>,
    _serving: HttpServer,
    _store: Server,
}

impl Fixture {
    async fn start(policy: ProtocolPolicy, response: ResponseMode) -> Self {
        let store = Server::start(&[]);
        let (counted, address) = Counted::before(store.port).await;
        let server = server::Server::builder("counted", "1")
            .stores(format!("redis://{address}"))
            .tool("walk", "Says each step", |walk: Steps, context: Context| async move {
                for step in 0..walk.steps {
                    context.progress(f64::from(step), None, None::<&str>).await;
                }
                "there"
            })
            .build();
        let options = HttpOptions { response, ..HttpOptions::default() };
        let serving = server.serve_http("127.0.0.1:0", options).await.unwrap();
        let client = Client::builder("test", "1").protocol(policy).build();
        let url = format!("http://{}/mcp", serving.local_addr());
        let session = client.connect(url.as_str()).await.unwrap();
        Self { session, counted, _serving: serving, _store: store }
    }

    /// Round trips that so many calls made.
    async fn trips(&self, steps: u32) -> usize {
        let walk = || async {
            let hears = CallOptions::new().on_progress(drop);
            self.session.call_tool_with("walk", Some(json!({"steps": steps}).into()), hears).await.unwrap()
        };
        // What only the first call needs is not counted.
        walk().await;
        let before = self.counted.trips.load(Ordering::SeqCst);
        for _ in 0..CALLS {
            let bounded = tokio::time::timeout(Duration::from_secs(20), walk());
            bounded.await.expect("an answer");
        }
        self.counted.trips.load(Ordering::SeqCst) - before
    }
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_call_in_a_session_asks_the_store_twice_at_most() {
    let fixture = Fixture::start(ProtocolPolicy::LegacyFirst, ResponseMode::Json).await;
    let trips = fixture.trips(0).await;
    assert!(trips <= 2 * CALLS + SLACK, "{trips} round trips for {CALLS} calls");
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn each_event_of_a_stream_is_one_write_more() {
    let fixture = Fixture::start(ProtocolPolicy::LegacyFirst, ResponseMode::Sse).await;
    let without = fixture.trips(0).await;
    // The first event of a stream only has an id to go on from.
    assert!(
        without <= (2 + 2) * CALLS + SLACK,
        "{without} round trips for {CALLS} calls with two events each"
    );
    let with = fixture.trips(4).await;
    assert!(with <= (2 + 6) * CALLS + SLACK, "{with} round trips for {CALLS} calls with six events each");
}

#[tokio::test]
#[ignore = "needs a redis-server: cargo xtask test fleet"]
async fn a_call_of_the_modern_era_does_not_ask_the_store() {
    let fixture = Fixture::start(ProtocolPolicy::Auto, ResponseMode::default()).await;
    let trips = fixture.trips(2).await;
    assert!(trips <= SLACK, "{trips} round trips for {CALLS} calls");
}
