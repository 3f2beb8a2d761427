//! The listener: accepts connections, runs hyper on them, shuts down.
//!
//! Owns: sockets, TLS handshakes, the cap on connections. Must not know: MCP.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream, ToSocketAddrs, lookup_host};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use mcpbolt_proto::limits::Limits;

use crate::handler::lasting::Listening;
use crate::handler::{Engine, Handler, Sender, TransportKind};
use crate::observe::events::{self, Refused};

use super::http2_streams::StreamExecutor;
use super::io_timeouts::{Patience, TimedIo};
use super::options::HttpOptions;
use super::peer::Peer;
use super::quota::{Counted, OverQuota, Ticket};
use super::service::HttpService;

/// Most concurrent streams of one HTTP/2 connection.
const MAX_HTTP2_STREAMS: u32 = 256;
/// Interval of HTTP/2 pings and how long an answer may take.
const HTTP2_PING: Duration = Duration::from_secs(30);
/// Pause after a failed accept, which is usually a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long stores may take, at the end of a shutdown, for what is to be written.
const LAST_WRITES: Duration = Duration::from_secs(5);
const TURNED_AWAY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\
    content-length: 36\r\n\r\ntoo many connections of one address\n";

/// Where connections are in their life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Open,
    /// Finish what runs, take nothing new.
    Draining,
    Closed,
}

/// A running server. Dropping it closes everything at once.
///
/// ```
/// use mcpbolt::server::Server;
/// use mcpbolt::transport::streamable_http::server::HttpOptions;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let server = Server::builder("notes", "1.0.0").build();
/// let running = server.serve_http("127.0.0.1:0", HttpOptions::default()).await?;
/// println!("http://{}/mcp", running.local_addr());
/// running.shutdown().await; // calls in flight may finish
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    stage: watch::Sender<Stage>,
    accepting: JoinHandle<()>,
    service: HttpService,
    listening: Listening,
    open: Arc<Semaphore>,
    max: u32,
}

/// Binds `address` and serves it. A host that may be reached from elsewhere needs a
/// guard with its names and should have a verifier.
pub async fn bind(
    address: impl ToSocketAddrs,
    engine: &Arc<Engine>,
    handler: &Arc<dyn Handler>,
    options: HttpOptions,
) -> io::Result<HttpServer> {
    let found: Vec<SocketAddr> = lookup_host(address).await?.collect();
    let listener = listen(&found).map_err(|error| {
        let found: Vec<String> = found.iter().map(SocketAddr::to_string).collect();
        unbound(found.join(", "), &error)
    })?;
    serve(listener, engine, handler, options)
}

/// Connections that wait until they are accepted, at most; the system may allow fewer. Those beyond are
/// not refused: their clients try again after a second.
const BACKLOG: u32 = 4096;

/// Listens on the first of these addresses that can be had.
pub(crate) fn listen(addresses: &[SocketAddr]) -> io::Result<TcpListener> {
    let mut failure = io::Error::new(io::ErrorKind::InvalidInput, "no address of that name");
    for &address in addresses {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let listening = socket.and_then(|socket| {
            // As `TcpListener::bind` does it: a port whose last connections still fade can be had again.
            #[cfg(not(windows))]
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(BACKLOG)
        });
        match listening {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Why nothing listens at `place`, with the remedy.
pub(crate) fn unbound(place: impl fmt::Display, error: &io::Error) -> io::Error {
    let remedy = match error.kind() {
        io::ErrorKind::AddrInUse => "; another program has this port: end it, or take another port (0: any)",
        io::ErrorKind::AddrNotAvailable => "; this machine has no such address",
        io::ErrorKind::PermissionDenied => "; take a port from 1024 on",
        _ => "",
    };
    io::Error::new(error.kind(), format!("cannot listen on {place}: {error}{remedy}"))
}

/// Serves a listener on the caller's runtime until shutdown.
///
/// # Errors
/// `InvalidInput` with an [`Error`](mcpbolt_proto::protocol::Error) of the kind `Usage` for paths
/// that cannot be told apart, see [`HttpOptions::check_paths`].
pub fn serve(
    listener: TcpListener,
    engine: &Arc<Engine>,
    handler: &Arc<dyn Handler>,
    mut options: HttpOptions,
) -> io::Result<HttpServer> {
    options.check_paths().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let address = listener.local_addr()?;
    options.guard.get_or_insert_with(|| mcpbolt_proto::http::Guard::for_address(address.ip()));
    let max = u32::try_from(engine.limits.max_connections).unwrap_or(u32::MAX).min(1 << 28);
    let open = Arc::new(Semaphore::new(max as usize));
    let (stage, stages) = watch::channel(Stage::Open);
    let tls = options.tls.clone().map(TlsAcceptor::from);
    let patience =
        Patience { head: engine.limits.head_timeout, idle: options.idle, stall: engine.limits.slow_reader };
    let builder = builder(Limits::size(engine.limits.max_header_bytes), patience.stall);
    let service = HttpService::new(engine, handler, options);
    let acceptor = Acceptor { service: service.clone(), builder, tls, patience, open: open.clone(), stages };
    let accepting = tokio::spawn(acceptor.run(listener));
    let listening = Listening::begin(&engine.lasting);
    Ok(HttpServer { address, stage, accepting, service, listening, open, max })
}

impl HttpServer {
    /// The bound address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// The service behind the listener.
    pub fn service(&self) -> &HttpService {
        &self.service
    }

    /// Says 503 at `health` and `ready`, and serves on for the `shutdown_delay`. Then stops
    /// accepting, ends listen streams with their result, waits for calls until the `drain`
    /// time is over, then cancels them. Returns when all connections are closed, and stores that
    /// other nodes share have what was said. The last listener of a server waits for the tasks
    /// of its clients, too: those that do not end in time have failed, and say why.
    pub async fn shutdown(mut self) {
        self.service.leave();
        let HttpOptions { shutdown_delay, drain, .. } = *self.service.options();
        if !shutdown_delay.is_zero() {
            tokio::time::sleep(shutdown_delay).await;
        }
        self.accepting.abort();
        self.service.drain();
        self.stage.send_replace(Stage::Draining);
        let lasting = self.listening.leave().then(|| Arc::clone(&self.service.shared.engine.lasting));
        let drained = async {
            let _ = self.open.clone().acquire_many_owned(self.max).await;
            self.service.settle().await;
            if let Some(lasting) = &lasting {
                lasting.ended(over_http).await;
            }
        };
        let is_drained = tokio::time::timeout(drain, drained).await.is_ok();
        let stopped = lasting.filter(|_| !is_drained).map(|lasting| lasting.stop(over_http));
        if !is_drained {
            self.service.cancel_all();
            self.stage.send_replace(Stage::Closed);
            let _ = self.open.clone().acquire_many_owned(self.max).await;
        }
        self.service.cancel_all();
        let written = async {
            if let Some(stopped) = stopped {
                stopped.await;
            }
            self.service.written().await;
        };
        let _ = tokio::time::timeout(LAST_WRITES, written).await;
    }
}

/// Whether the clients of a listener ask in this way.
fn over_http(kind: TransportKind) -> bool {
    matches!(kind, TransportKind::Http | TransportKind::LegacySse)
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.accepting.abort();
        self.stage.send_replace(Stage::Closed);
    }
}

fn builder(max_header_bytes: usize, stall: Duration) -> auto::Builder<StreamExecutor> {
    let mut builder = auto::Builder::new(StreamExecutor { stall });
    // The conduit keeps head and idle time, because it can also answer 408.
    builder.http1().timer(TokioTimer::new()).half_close(false).header_read_timeout(None);
    builder.http1().max_buf_size(max_header_bytes.max(8 * 1024));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_HTTP2_STREAMS)
        .max_header_list_size(u32::try_from(max_header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(HTTP2_PING)
        .keep_alive_timeout(HTTP2_PING);
    builder
}

#[derive(Clone)]
struct Acceptor {
    service: HttpService,
    builder: auto::Builder<StreamExecutor>,
    tls: Option<TlsAcceptor>,
    patience: Patience,
    open: Arc<Semaphore>,
    stages: watch::Receiver<Stage>,
}

impl Acceptor {
    async fn run(self, listener: TcpListener) {
        loop {
            // Beyond the cap the kernel queues, and then refuses, for us.
            let Ok(permit) = self.open.clone().acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, address)) => match self.place(address.ip()) {
                    Ok(place) => {
                        drop(tokio::spawn(self.clone().connection(stream, address, (permit, place))));
                    }
                    Err(OverQuota) => self.turn_away(&stream),
                },
                Err(error) if is_about_one(&error) => {}
                Err(error) => {
                    tracing::warn!(target: "mcpbolt::transport", kind = ?error.kind(), "accepting failed");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// A place among the connections of one address. A proxy speaks for many: those that
    /// are trusted are not counted, nor are the addresses of one on this machine.
    fn place(&self, ip: IpAddr) -> Result<Option<Ticket>, OverQuota> {
        let shared = &self.service.shared;
        let ip = ip.to_canonical();
        let own = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        if own.contains(&ip) || shared.options.trusted_proxies.contains(ip) {
            return Ok(None);
        }
        shared.quotas.take(Sender::at(ip), Counted::Connection).map(Some).ok_or(OverQuota)
    }

    /// One connection too many. What can be said without waiting is said.
    fn turn_away(&self, stream: &TcpStream) {
        events::refused(Refused::Rate, 0);
        if self.tls.is_none() {
            let _ = stream.try_write(TURNED_AWAY);
        }
    }

    async fn connection(
        self,
        stream: TcpStream,
        address: SocketAddr,
        places: (OwnedSemaphorePermit, Option<Ticket>),
    ) {
        let _places = places;
        let _ = stream.set_nodelay(true);
        match self.tls.clone() {
            None => self.http(stream, address).await,
            // In a box: plain connections need not carry its room.
            Some(tls) => Box::pin(self.https(tls, stream, address)).await,
        }
    }

    async fn https(self, tls: TlsAcceptor, stream: TcpStream, address: SocketAddr) {
        let mut stages = self.stages.clone();
        let handshake = tokio::time::timeout(self.patience.head, tls.accept(stream));
        let stream = tokio::select! {
            stream = handshake => stream,
            _ = stages.wait_for(|stage| *stage > Stage::Open) => return,
        };
        if let Ok(Ok(stream)) = stream {
            self.http(stream, address).await;
        }
    }

    async fn http<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(self, stream: S, address: SocketAddr) {
        let conduit = TimedIo::new(stream, self.patience);
        let peer = Peer { address: Some(address), watch: Some(conduit.watch()) };
        let service = self.service.clone();
        let respond = hyper::service::service_fn(move |request| {
            // Not an async block, which would have room for the answer's future twice.
            service.handle(request, peer.clone()).map(Ok::<_, std::convert::Infallible>)
        });
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(conduit), respond));
        let mut stages = self.stages.clone();
        let mut stage = Stage::Open;
        loop {
            tokio::select! {
                outcome = connection.as_mut() => {
                    if let Err(error) = outcome {
                        tracing::debug!(target: "mcpbolt::transport", %error, "a connection ended");
                    }
                    return;
                }
                changed = stages.wait_for(|now| *now > stage) => {
                    stage = changed.map_or(Stage::Closed, |now| *now);
                    match stage {
                        Stage::Draining => connection.as_mut().graceful_shutdown(),
                        _ => return,
                    }
                }
            }
        }
    }
}

/// Failures of accept that concern one peer only.
fn is_about_one(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}
