//! The end of a client's connection.
//!
//! Owns: ending session and transport, and answering everything that is open. Must not know:
//! why it ends.

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::item::CancelWhy;
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::transport::client_connection::ClientConnection;

use super::session::{CLOSE_BOUND, HostSession, SessionPhase};

impl HostSession {
    /// Ends the connection politely; a `Closed` item says when it is over.
    pub(super) fn end_politely(&self) {
        self.state.lock().closing = true;
        match self.connection() {
            Err(_) => self.fail_all(&Error::closed()),
            Ok(connection) => self.end(connection, None),
        }
    }

    /// Closes session and transport; tells the end once both are over.
    fn end(&self, connection: &Arc<ClientConnection>, why: Option<Failure>) {
        let (inbox, id) = (Arc::clone(&self.inbox), self.id);
        let over = connection.clone();
        if self.options.fed {
            // Ready at the first poll: nothing waits for a transport of the host's.
            let _ = contain(|| futures_util::FutureExt::now_or_never(over.close()));
            return inbox.client_over(id, why);
        }
        connection.spawner().spawn(async move {
            let _ = tokio::time::timeout(CLOSE_BOUND, over.close()).await;
            inbox.client_over(id, why);
        });
    }

    /// The session is over: everything that is open fails with this error.
    pub(super) fn fail_all(&self, error: &Error) {
        let (handshake, pending, notifications, closing) = {
            // The server, the transport and the host may end it at once: the first one empties
            // everything under the lock, and what the others find is closed and empty. Answers
            // that are on their way find nothing to answer.
            let mut state = self.state.lock();
            if state.phase == SessionPhase::Closed {
                return;
            }
            state.phase = SessionPhase::Closed;
            state.ended = Some(error.clone());
            state.served.clear();
            let pending: Vec<_> = std::mem::take(&mut state.pending).into_iter().collect();
            state.numbers.clear();
            let notifications = std::mem::take(&mut state.notifications);
            (state.handshake.take(), pending, notifications, state.closing)
        };
        for id in notifications {
            self.inbox.answered(id, None, Err(error.clone()));
        }
        if let Some((id, _)) = handshake {
            self.inbox.answered(id, None, Err(error.clone()));
        }
        for (id, request) in pending {
            self.withdraw(request, CancelWhy::SessionClosed);
            self.inbox.answered(id, None, Err(error.clone()));
        }
        // If the host asked for the end, the task that closes the transport tells it when that
        // is done.
        if !closing {
            let why = Failure::from(error.clone());
            match self.connection() {
                Ok(connection) => self.end(connection, Some(why)),
                Err(_) => self.inbox.client_over(self.id, Some(why)),
            }
        }
    }
}
