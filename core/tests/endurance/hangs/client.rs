//! Rows whose waiting side is a client: its server is a process, its runtime its own.

use std::fmt::{self, Display};
use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{Client, ClientSession, NotificationStream, ProtocolPolicy, Target};
use mcpbolt::protocol::types::{ElicitResult, SubscriptionFilter};
use mcpbolt::protocol::{ErrorKind, Revision};
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ReconnectPolicy};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::{BOUND, Ended, Over, Waits};
use crate::program::{HttpProcess, command};
use crate::relay::{Relay, Upstream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Close {
    PeerExits,
    PipeCut,
    StreamCut,
    SessionDead,
    ClosedHere,
    RuntimeShutDown,
}

pub(crate) type Row = super::Row<Close>;

impl Display for Close {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::PeerExits => "peer exits",
            Self::PipeCut => "pipe cut",
            Self::StreamCut => "stream cut",
            Self::SessionDead => "session dead",
            Self::ClosedHere => "closed here",
            Self::RuntimeShutDown => "runtime shut down",
        })
    }
}

pub(crate) fn rows() -> Vec<Row> {
    use Close::{ClosedHere, PeerExits, PipeCut, RuntimeShutDown, SessionDead, StreamCut};
    use Waits::{Connect, Elicit, ListPage, Listen, Request};
    super::table(
        &[PeerExits, PipeCut, StreamCut, SessionDead, ClosedHere, RuntimeShutDown],
        &[Request, Listen, Elicit, ListPage, Connect],
        expected,
    )
}

/// How a row must end; `None` where there is no such thing.
fn expected(over: Over, close: Close, waits: Waits) -> Option<Ended> {
    let closed = Ended::As(ErrorKind::Closed);
    match (close, waits) {
        // Streams are HTTP's, pipes are stdio's, and only legacy HTTP has session ids.
        (Close::PipeCut, _) if over.is_http() => None,
        (Close::StreamCut, _) if !over.is_http() => None,
        (Close::SessionDead, _) if over != Over::HttpLegacy => None,
        // Legacy servers tell without being asked.
        (_, Waits::Listen) if !over.is_modern() => None,
        // Nothing can be closed or forgotten before there is a session.
        (Close::ClosedHere | Close::SessionDead, Waits::Connect) => None,
        (Close::ClosedHere | Close::RuntimeShutDown, _) => Some(closed),
        _ if !over.is_http() => Some(closed),
        (Close::SessionDead, Waits::Request | Waits::Elicit) => Some(closed),
        _ if goes_on(over, close, waits) && close != Close::PeerExits => Some(Ended::Well),
        _ => Some(Ended::As(ErrorKind::Transport)),
    }
}

/// Whether what waits outlives the cut, until the server answers or the user does.
fn goes_on(over: Over, close: Close, waits: Waits) -> bool {
    match (over, close, waits) {
        (Over::HttpLegacy, Close::StreamCut, waits) => waits != Waits::Connect,
        // While the user thinks, nothing is open.
        (Over::HttpModern, Close::StreamCut | Close::PeerExits, Waits::Elicit) => true,
        // A list can be asked for again: in the next session, or where no stream can be gone on with.
        (Over::HttpLegacy, Close::SessionDead, waits) | (Over::HttpModern, Close::StreamCut, waits) => {
            waits == Waits::ListPage
        }
        _ => false,
    }
}

/// The server of one row, and what can be done to it.
struct Peer {
    relay: Option<Relay>,
    process: Option<HttpProcess>,
}

impl Peer {
    async fn start(row: Row) -> (Self, Target) {
        if !row.over.is_http() {
            let role = match (row.waits, row.close) {
                (Waits::Connect, Close::PeerExits) => "mute, exits",
                (Waits::Connect, Close::PipeCut) => "mute, cuts",
                (Waits::Connect, _) => "mute",
                (_, Close::PipeCut) => "stdio, cut",
                _ => "stdio",
            };
            return (Self { relay: None, process: None }, command(role).into());
        }
        let process = (row.waits != Waits::Connect).then(HttpProcess::start);
        let upstream = process.as_ref().map_or(Upstream::Mute, |process| Upstream::Server(process.address));
        let relay = Relay::start(upstream).await;
        let url = format!("http://{}/mcp", relay.address);
        let reconnect = ReconnectPolicy {
            initial: Duration::from_millis(5),
            max: Duration::from_millis(20),
            attempts: 3,
            ..ReconnectPolicy::default()
        };
        let options = Box::new(HttpClientOptions { reconnect, ..HttpClientOptions::default() });
        (Self { relay: Some(relay), process }, Target::Http { url, options })
    }

    /// Does what the row says. `session` is `None` while it is being opened.
    async fn end(&mut self, row: Row, session: Option<&ClientSession>, home: Runtime) -> Option<Runtime> {
        let tool = |name| async move {
            if let Some(session) = session {
                spawn_call(session, name);
            }
        };
        match (row.close, &self.relay) {
            (Close::RuntimeShutDown, _) => {
                home.shutdown_background();
                return None;
            }
            (Close::ClosedHere, _) => session.expect("open").close().await,
            (Close::PeerExits, None) => tool("exit").await,
            (Close::PipeCut, _) => tool("cut").await,
            (Close::PeerExits, Some(relay)) => match &mut self.process {
                Some(process) => process.kill(),
                None => relay.vanish(),
            },
            (Close::StreamCut, Some(relay)) => {
                if row.waits == Waits::Connect {
                    relay.lead_to(Upstream::Gone);
                }
                relay.cut();
            }
            (Close::SessionDead, Some(relay)) => {
                let next = HttpProcess::start();
                relay.lead_to(Upstream::Server(next.address));
                self.process = Some(next);
                relay.cut();
            }
            (Close::StreamCut | Close::SessionDead, None) => unreachable!("only over HTTP"),
        }
        Some(home)
    }
}

/// Calls a tool whose answer does not matter.
fn spawn_call(session: &ClientSession, tool: &'static str) {
    let session = session.clone();
    tokio::spawn(async move { drop(session.call_tool(tool, json!({})).await) });
}

/// The user of a client, who is asked and takes time to answer.
#[derive(Default)]
pub(super) struct User {
    asked: Notify,
    answers: Notify,
}

pub(super) fn client(over: Over, user: &Arc<User>) -> Client {
    let revision = if over.is_modern() { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
    let user = Arc::clone(user);
    Client::builder("client", "1")
        .protocol(ProtocolPolicy::Pinned(revision))
        .on_elicitation(move |_| {
            let user = Arc::clone(&user);
            async move {
                user.asked.notify_one();
                user.answers.notified().await;
                Ok(ElicitResult::decline())
            }
        })
        .build()
}

pub(crate) async fn run(row: Row) -> Ended {
    let home = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let home = home.expect("a runtime");
    let (mut peer, target) = Peer::start(row).await;
    let user = Arc::new(User::default());
    let client = client(row.over, &user);
    // The session lives on the runtime it was opened on; what waits for it, on ours.
    let connecting = {
        let _home = home.enter();
        let handle = home.handle().clone();
        on(handle, async move { client.connect(target).await })
    };
    // Kept to the end: a session whose last handle goes is closed.
    let (waiting, mut open) = if row.waits == Waits::Connect {
        (tokio::spawn(async move { Ended::from(connecting.await) }), None)
    } else {
        let session = soon("connecting", connecting).await.expect("connects");
        let mut heard = session.notifications();
        let waiting = begin(row.waits, &session, &mut heard, &user).await;
        (waiting, Some((session, heard)))
    };
    let home = peer.end(row, open.as_ref().map(|(session, _)| session), home).await;
    if let Some((session, heard)) = &mut open
        && goes_on(row.over, row.close, row.waits)
    {
        if row.waits == Waits::ListPage && (row.over.is_modern() || row.close == Close::SessionDead) {
            soon("the page again", heard.next()).await.expect("open");
        } else if row.close == Close::StreamCut {
            soon("a connection again", async {
                while session.call_tool("census", json!({})).await.is_err() {}
            })
            .await;
        }
        user.answers.notify_one();
        spawn_call(session, "release");
    }
    let ended = tokio::time::timeout(BOUND, waiting).await;
    let ended = ended.map_or(Ended::Hangs, |ended| ended.expect("no panic"));
    drop(open);
    if let Some(home) = home {
        home.shutdown_background();
    }
    ended
}

/// A future that is polled here, within the context of another runtime.
fn on<F: Future + Send + 'static>(
    handle: tokio::runtime::Handle,
    future: F,
) -> impl Future<Output = F::Output> {
    let mut future = Box::pin(future);
    std::future::poll_fn(move |cx| {
        let _home = handle.enter();
        future.as_mut().poll(cx)
    })
}

pub(super) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, future).await.unwrap_or_else(|_| panic!("{what}: still waiting"))
}

/// Begins to wait, and comes back when the server has begun to keep it waiting.
pub(super) async fn begin(
    waits: Waits,
    session: &ClientSession,
    heard: &mut NotificationStream,
    user: &User,
) -> JoinHandle<Ended> {
    let calls = session.clone();
    match waits {
        Waits::Request => {
            let waiting = tokio::spawn(async move { calls.call_tool("hang", json!({})).await.into() });
            soon("the call", heard.next()).await.expect("open");
            waiting
        }
        Waits::Elicit => {
            let waiting = tokio::spawn(async move { calls.call_tool("ask", json!({})).await.into() });
            soon("the question", user.asked.notified()).await;
            waiting
        }
        Waits::ListPage => {
            let waiting = tokio::spawn(async move { calls.list_all_tools().await.into() });
            soon("the page", heard.next()).await.expect("open");
            waiting
        }
        Waits::Listen => {
            let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
            let mut subscription = soon("listening", session.listen(filter)).await.expect("agreed");
            tokio::spawn(async move {
                while subscription.next().await.is_some() {}
                subscription.end().unwrap_or(Ok(())).into()
            })
        }
        Waits::Connect => unreachable!("begun elsewhere"),
    }
}
