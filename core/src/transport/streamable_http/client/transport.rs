//! The HTTP transport of a client, as its connection drives it.
//!
//! Owns: the public way to open one; which task takes which frame; the fallback to HTTP+SSE.
//! Must not know: how a message is posted or a stream is read.

use std::fmt;
use std::sync::{Arc, Weak};

use bytestring::ByteString;
use futures_util::future::{AbortHandle, Abortable};

use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::OutgoingId;

use crate::handler::BoxFuture;
use crate::transport::client::{
    ClientEvents, ClientTransport, FrameKind, OutgoingFrame, SendFailure, Taken, TransportFacts,
};
use crate::transport::legacy_sse;

use super::connection::HttpConnection;
use super::exchange::Http;
use super::failures;
use super::options::HttpClientOptions;
use super::state::{Mode, TransportState};

/// Opens a transport to the server at `url`, `http://…` or `https://…`. Nothing is sent
/// before the first frame, except with [`HttpClientOptions::sse_only`]. Fails with
/// `Usage` when the options cannot work.
pub fn connect(
    url: &str,
    options: HttpClientOptions,
    events: Weak<dyn ClientEvents>,
) -> Result<Arc<dyn ClientTransport>, Error> {
    let sse_only = options.sse_only;
    let http = Http::new(url, options)?;
    let shared = Arc::new(HttpConnection {
        http,
        state: TransportState::new(if sse_only { Mode::Opening } else { Mode::Streamable }),
        events,
    });
    if sse_only {
        let opening = Arc::clone(&shared);
        shared.spawn(async move {
            if let Err(failure) = opening.open_sse().await {
                opening.tell(|events| events.closed(failure.error));
            }
        });
    }
    Ok(Arc::new(HttpTransport { shared }))
}

/// The handle: dropping it ends every task.
struct HttpTransport {
    shared: Arc<HttpConnection>,
}

impl HttpConnection {
    /// Opens the event stream of HTTP+SSE and lets messages pass.
    async fn open_sse(self: &Arc<Self>) -> Result<(), SendFailure> {
        let (endpoint, stream) = legacy_sse::client::open(&self.http).await?;
        self.state.set_mode(Mode::LegacySse(endpoint));
        self.spawn_stream(legacy_sse::client::listen(Arc::clone(self), stream));
        self.state.open_gate();
        Ok(())
    }
}

impl HttpTransport {
    /// Has a notification or an answer of ours carried, in its turn. A cancellation also reaches
    /// the copies of its request, which only this transport knows.
    fn carry(
        &self,
        text: ByteString,
        revision: Option<Revision>,
        is_notification: bool,
        taken: Option<Taken>,
    ) {
        let more = if is_notification { self.shared.state.cancellations(&text) } else { Vec::new() };
        self.carry_one(text, revision, is_notification, taken);
        for text in more {
            self.carry_one(text, revision, true, None);
        }
    }

    fn carry_one(
        &self,
        text: ByteString,
        revision: Option<Revision>,
        is_notification: bool,
        taken: Option<Taken>,
    ) {
        let shared = Arc::clone(&self.shared);
        let admitted = shared.state.admit(is_notification);
        if admitted.is_none() && taken.is_none() {
            return;
        }
        self.shared.spawn(async move {
            let Some(admitted) = admitted else {
                return taken.into_iter().for_each(|taken| taken(Err(Error::closed())));
            };
            let answer_epoch = (!is_notification).then_some(admitted.epoch);
            let outcome = shared.notice(text, revision, admitted.passage, answer_epoch).await;
            shared.state.delivered(admitted, outcome.as_ref().err().map(|missed| &missed.error));
            match (outcome, taken) {
                (outcome, Some(taken)) => taken(outcome.map_err(|missed| missed.error)),
                // The one who waits for the end of the handshake says so.
                (Err(missed), None) if !missed.is_known && !admitted.ends_handshake => {
                    shared.tell(|events| events.problem(missed.error));
                }
                _ => {}
            }
        });
    }
}

impl ClientTransport for HttpTransport {
    fn send(&self, frame: OutgoingFrame) {
        let shared = Arc::clone(&self.shared);
        let OutgoingFrame { text, kind, revision } = frame;
        let FrameKind::Request(facts) = kind else {
            return self.carry(text, revision, matches!(kind, FrameKind::Notification), None);
        };
        let (handle, registration) = AbortHandle::new_pair();
        let cancels = revision.is_some_and(|r| r.features().disconnect_cancels);
        if shared.state.start(facts.request, handle, cancels) {
            self.shared.spawn(async move {
                let _ = Abortable::new(shared.request(text, facts, revision), registration).await;
            });
        }
    }

    fn send_watched(&self, frame: OutgoingFrame, taken: Taken) -> Option<Taken> {
        self.carry(frame.text, frame.revision, true, Some(taken));
        None
    }

    fn abandon(&self, request: OutgoingId) -> bool {
        self.shared.state.abandon(request)
    }

    fn renew(&self) {
        self.shared.http.renew();
        self.shared.state.renew();
    }

    fn go_on_without_session(&self) {
        self.shared.state.go_on_without_session();
    }

    fn negotiated(&self, revision: Revision) {
        self.shared.state.negotiated(revision);
    }

    fn opening(&self) -> Option<BoxFuture<'static, Result<(), Error>>> {
        let shared = Arc::clone(&self.shared);
        shared.state.is_opening().then(|| Box::pin(async move { shared.state.opened().await }) as _)
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let bound = self.shared.http.options.close_timeout;
            let _ = tokio::time::timeout(bound, self.shared.state.quiet()).await;
            if let Some(ticket) = self.shared.left() {
                self.shared.end_session(&ticket).await;
            }
        })
    }

    fn restart(&self) -> BoxFuture<'_, bool> {
        Box::pin(async {
            match self.shared.open_sse().await {
                Ok(()) => true,
                Err(failure) => {
                    self.shared.tell(|events| events.problem(failure.error));
                    false
                }
            }
        })
    }

    fn facts(&self) -> TransportFacts {
        let session = self.shared.state.ticket().session;
        let session = session.and_then(|id| id.to_str().ok().map(str::to_owned));
        TransportFacts { session, ..TransportFacts::default() }
    }

    fn place(&self) -> Option<String> {
        Some(failures::shown_url(&self.shared.http.url))
    }

    fn fell_back(&self) -> bool {
        matches!(self.shared.state.mode(), Mode::LegacySse(_))
    }

    fn is_http(&self) -> bool {
        true
    }
}

impl Drop for HttpTransport {
    fn drop(&mut self) {
        if let Some(ticket) = self.shared.left() {
            let shared = Arc::clone(&self.shared);
            self.shared.spawn(async move { shared.end_session(&ticket).await });
        }
    }
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport").finish_non_exhaustive()
    }
}
