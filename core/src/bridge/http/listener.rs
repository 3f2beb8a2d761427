//! HTTP served by the engine's own threads.
//!
//! Owns: these threads, the two ways a listener ends. Must not know: what is served.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::net::lookup_host;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::bridge::boundary::item::Item;
use crate::bridge::options::http::HttpText;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::{Engine, Handler};
use crate::transport::streamable_http::server::{self, HttpOptions, HttpServer};

/// Longest wait for the last tasks of a listener that has ended.
const LAST_TASKS: Duration = Duration::from_secs(1);

/// Puts a page beside the endpoint that is served at this address: the options with it, and the
/// page's URL, which holds its key.
pub type PageMaker = fn(HttpOptions, SocketAddr) -> Result<(HttpOptions, String), Error>;

/// Whether and how a listener ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    No,
    /// Calls may finish.
    Gracefully,
    Now,
}

/// A running HTTP server and its threads.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    /// The URL of its page, if it has one.
    pub(crate) docs: Option<String>,
    stop: watch::Sender<Stop>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Listener {
    /// Binds and serves, with a page if there is one to make. A `Closed` item with the number `id` tells the end.
    ///
    /// # Errors
    /// `Usage` for options that cannot work, `Transport` when the address cannot be
    /// bound; what the page's maker says.
    pub(crate) fn start(
        id: u64,
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        text: &HttpText,
        beside: (HttpOptions, Option<PageMaker>),
        inbox: &Arc<Inbox>,
    ) -> Result<Self, Error> {
        let failed = |e: std::io::Error| Error::new(ErrorKind::Transport, format!("no HTTP server: {e}"));
        let runtime = runtime(text.io_threads()).map_err(failed)?;
        let (bound, address) = mpsc::channel();
        let (stop, mut stopped) = watch::channel(Stop::No);
        let (host, port) = text.address();
        let (engine, handler, inbox) = (Arc::clone(engine), Arc::clone(handler), Arc::clone(inbox));
        let serving = async move {
            let (server, docs) = match serve(&host, port, &engine, &handler, beside).await {
                Ok(served) => served,
                Err(error) => return drop(bound.send(Err(error))),
            };
            let _ = bound.send(Ok((server.local_addr(), docs)));
            let how = stopped.wait_for(|stop| *stop > Stop::No).await.map_or(Stop::Now, |stop| *stop);
            if how == Stop::Gracefully {
                tokio::select! {
                    () = server.shutdown() => {}
                    // Dropped, it closes everything.
                    Ok(_) = stopped.wait_for(|stop| *stop == Stop::Now) => {}
                }
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
        let gone = || Error::new(ErrorKind::Transport, "the thread of the HTTP server ended");
        let (address, docs) = address.recv().unwrap_or_else(|_| Err(gone()))?;
        Ok(Self { address, docs, stop, thread: Mutex::new(Some(thread)) })
    }

    /// Serves on for the `shutdown_delay`, then stops accepting and lets calls finish until
    /// the `drain` time is over. `false` if it ends already.
    pub(crate) fn stop(&self) -> bool {
        self.tell(Stop::Gracefully)
    }

    /// Whether it has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.thread.lock().as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Closes everything, and waits until it is; also while it stops.
    pub(crate) fn close(&self) {
        self.tell(Stop::Now);
        let thread = self.thread.lock().take();
        // A handler that closes its own server must not wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != std::thread::current().id()) {
            let _ = thread.join();
        }
    }

    fn tell(&self, how: Stop) -> bool {
        self.stop.send_if_modified(|stop| {
            let is_more = *stop < how;
            *stop = (*stop).max(how);
            is_more
        })
    }
}

/// Nothing is answered before the page is there.
async fn serve(
    host: &str,
    port: u16,
    engine: &Arc<Engine>,
    handler: &Arc<dyn Handler>,
    (options, page): (HttpOptions, Option<PageMaker>),
) -> Result<(HttpServer, Option<String>), Error> {
    let failed = |e: std::io::Error| Error::new(ErrorKind::Transport, e.to_string());
    let found = lookup_host((host, port)).await;
    let listener = found.and_then(|found| server::listen(&found.collect::<Vec<_>>()));
    let listener =
        listener.map_err(|error| failed(server::unbound(format_args!("{host}:{port}"), &error)))?;
    let (options, docs) = match page {
        Some(page) => {
            let (options, url) = page(options, listener.local_addr().map_err(failed)?)?;
            (options, Some(url))
        }
        None => (options, None),
    };
    Ok((server::serve(listener, engine, handler, options).map_err(failed)?, docs))
}

fn runtime(threads: usize) -> std::io::Result<Runtime> {
    if threads == 1 {
        return Builder::new_current_thread().enable_all().build();
    }
    Builder::new_multi_thread().worker_threads(threads).thread_name("mcpbolt-io").enable_all().build()
}
