//! HTTP served by the engine's own threads.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::handler::{BoxFuture, Engine, Handler, Principal, RequestHead};
use crate::transport::streamable_http::server::{self, Denied, HttpOptions, Verifier};

use crate::bridge::boundary::item::Item;
use crate::bridge::options::http::HttpText;
use crate::bridge::queue::inbox::Inbox;

/// Longest wait for the last tasks of a listener that has ended.
const LAST_TASKS: Duration = Duration::from_secs(1);

/// How a listener ends.
enum Stop {
    /// Calls may finish.
    Gracefully,
    Now,
}

/// A running HTTP server and its threads.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    stop: Mutex<Option<oneshot::Sender<Stop>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Listener {
    /// Binds and serves. A `Closed` item with the number `id` tells the end.
    ///
    /// # Errors
    /// `Usage` for options that cannot work, `Transport` when the address cannot be
    /// bound.
    pub(crate) fn start(
        id: u64,
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        text: &HttpText,
        options: HttpOptions,
        inbox: &Arc<Inbox>,
    ) -> Result<Self, Error> {
        let failed = |e: std::io::Error| Error::new(ErrorKind::Transport, format!("no HTTP server: {e}"));
        let runtime = runtime(text.io_threads).map_err(failed)?;
        let (bound, address) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let (host, port) = (text.host.clone(), text.port);
        let (engine, handler, inbox) = (Arc::clone(engine), Arc::clone(handler), Arc::clone(inbox));
        let serving = async move {
            let listener = TcpListener::bind((host.as_str(), port)).await;
            let listener = listener.map_err(|error| server::unbound(format_args!("{host}:{port}"), &error));
            let server = match listener.and_then(|l| server::serve(l, &engine, &handler, options)) {
                Ok(server) => server,
                Err(error) => return drop(bound.send(Err(error))),
            };
            let _ = bound.send(Ok(server.local_addr()));
            if let Ok(Stop::Gracefully) = stopped.await {
                server.shutdown().await;
            }
        };
        let thread = std::thread::Builder::new()
            .name("mcpbolt-io".into())
            .spawn(move || {
                runtime.block_on(serving);
                runtime.shutdown_timeout(LAST_TASKS);
                inbox.post(Item::Closed { connection: id, failure: None });
            })
            .map_err(failed)?;
        let address = address.recv().unwrap_or_else(|_| Err(std::io::ErrorKind::Other.into()));
        let address = address.map_err(|e| Error::new(ErrorKind::Transport, e.to_string()))?;
        Ok(Self { address, stop: Mutex::new(Some(stop)), thread: Mutex::new(Some(thread)) })
    }

    /// Stops accepting and lets calls finish until the `drain` time is over.
    pub(crate) fn stop(&self) {
        self.tell(Stop::Gracefully);
    }

    /// Closes everything, and waits until it is.
    pub(crate) fn close(&self) {
        self.tell(Stop::Now);
        let thread = self.thread.lock().take();
        // A handler that closes its own server must not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            let _ = thread.join();
        }
    }

    fn tell(&self, how: Stop) {
        if let Some(stop) = self.stop.lock().take() {
            let _ = stop.send(how);
        }
    }
}

fn runtime(threads: usize) -> std::io::Result<Runtime> {
    if threads == 1 {
        return Builder::new_current_thread().enable_all().build();
    }
    Builder::new_multi_thread().worker_threads(threads).thread_name("mcpbolt-io").enable_all().build()
}

/// Asks the host who sent a request: the service `http.verify` is given `method`,
/// `target` and `headers`, and answers `{"principal": id}` (null: anonymous) or
/// `{"status": 401 or 403, "challenge": value of WWW-Authenticate}`.
pub(crate) struct AskVerifier(pub(crate) Arc<Inbox>);

impl Verifier for AskVerifier {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        let answer = self.0.ask_host("http.verify", describe_head(head));
        Box::pin(async move { verdict(answer.await) })
    }
}

fn verdict(answer: Result<RawJson, Error>) -> Result<Principal, Denied> {
    let members = match answer {
        Ok(answer) => RawObject::parse(&answer).unwrap_or_default(),
        Err(error) if error.kind == ErrorKind::Unauthorized => {
            return Err(Denied::Unauthorized { challenge: None });
        }
        // A verifier that fails lets nobody in.
        Err(_) => return Err(Denied::Forbidden { challenge: None }),
    };
    let text = |name: &str| members.get(name).and_then(RawJson::as_string);
    match members.get("status").and_then(|status| status.decode::<u16>().ok()) {
        Some(401) => Err(Denied::Unauthorized { challenge: text("challenge") }),
        Some(_) => Err(Denied::Forbidden { challenge: text("challenge") }),
        None if members.get("principal").is_some_and(RawJson::is_null) => Ok(Principal::ANONYMOUS),
        None => text("principal").map(Principal::named).ok_or(Denied::Forbidden { challenge: None }),
    }
}

/// A head for the host.
pub(crate) fn describe_head(head: &RequestHead) -> RawJson {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers: Vec<_> = head.headers.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
    json!({"method": head.method.as_str(), "target": head.uri.to_string(), "headers": headers}).into()
}
