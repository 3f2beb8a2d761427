//! A relay between client and server whose connections can be cut.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

struct Lines {
    upstream: Upstream,
    open: JoinSet<()>,
}

/// Where new connections lead.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Upstream {
    /// To this server.
    Server(SocketAddr),
    /// To one that says nothing.
    Mute,
    /// Nowhere: they are closed.
    Gone,
}

/// Passes bytes on, until told otherwise.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    lines: Arc<Mutex<Lines>>,
    accepting: JoinHandle<()>,
}

impl Relay {
    pub(crate) async fn start(upstream: Upstream) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("an address");
        let lines = Arc::new(Mutex::new(Lines { upstream, open: JoinSet::new() }));
        let shared = Arc::clone(&lines);
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let mut lines = shared.lock().expect("not poisoned");
                let upstream = lines.upstream;
                lines.open.spawn(carry(client, upstream));
            }
        });
        Self { address, lines, accepting }
    }

    /// Breaks every connection; new ones are accepted.
    pub(crate) fn cut(&self) {
        self.lines.lock().expect("not poisoned").open.abort_all();
    }

    /// From now on connections lead there.
    pub(crate) fn lead_to(&self, upstream: Upstream) {
        self.lines.lock().expect("not poisoned").upstream = upstream;
    }

    /// Breaks every connection and accepts no other.
    pub(crate) fn vanish(&self) {
        self.accepting.abort();
        self.cut();
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.vanish();
    }
}

async fn carry(mut client: TcpStream, upstream: Upstream) {
    let server = match upstream {
        Upstream::Server(address) => TcpStream::connect(address).await,
        Upstream::Mute => std::future::pending().await,
        Upstream::Gone => return,
    };
    if let Ok(mut server) = server {
        let _ = copy_bidirectional(&mut client, &mut server).await;
    }
}
