//! What the tasks of one HTTP transport share: the way to the server, the state, who is told.
//!
//! Owns: how tasks are started, and stopped with the transport. Must not know: what a task
//! sends or reads.

use std::sync::Weak;

use futures_util::future::{AbortHandle, Abortable};

use mcpbolt_proto::session::OutgoingId;

use crate::transport::client::{ClientEvents, SendFailure};

use super::exchange::Http;
use super::state::TransportState;

/// One client's way to its server, as all its tasks see it.
pub(crate) struct HttpConnection {
    pub(crate) http: Http,
    pub(super) state: TransportState,
    pub(super) events: Weak<dyn ClientEvents>,
}

impl HttpConnection {
    pub(crate) fn tell(&self, event: impl FnOnce(&dyn ClientEvents)) {
        if let Some(events) = self.events.upgrade() {
            event(&*events);
        }
    }

    pub(crate) fn fail(&self, request: OutgoingId, failure: SendFailure) {
        self.state.finish(request);
        self.tell(|events| events.failed(request, failure));
    }

    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.http.options.spawner.spawn(task);
    }

    /// Runs the stream that belongs to no request.
    pub(crate) fn spawn_stream(&self, task: impl Future<Output = ()> + Send + 'static) {
        let (handle, registration) = AbortHandle::new_pair();
        self.state.set_stream(handle);
        self.spawn(async move {
            let _ = Abortable::new(task, registration).await;
        });
    }
}
