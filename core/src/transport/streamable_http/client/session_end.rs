//! The end of a legacy session: DELETE.
//!
//! Owns: when the server is asked to forget a session, and for how long its answer is waited
//! for. Must not know: how a session begins.

use http::{HeaderMap, Method};

use super::connection::HttpConnection;
use super::exchange::Outgoing;
use super::headers::session_headers;
use super::state::Ticket;

impl HttpConnection {
    /// Closes; the session that is left to be ended at the server.
    pub(super) fn left(&self) -> Option<Ticket> {
        self.state.close().filter(|ticket| ticket.session.is_some() && self.http.options.end_session)
    }

    /// Asks the server to forget the session. Its answer does not matter.
    pub(super) async fn end_session(&self, ticket: &Ticket) {
        let mut headers = HeaderMap::new();
        session_headers(&mut headers, ticket);
        let outgoing = Outgoing {
            method: Method::DELETE,
            url: self.http.url.clone(),
            headers,
            body: bytes::Bytes::new(),
            repeatable: true,
            operation: "DELETE".into(),
        };
        let bound = self.http.options.close_timeout;
        let _ = tokio::time::timeout(bound, self.http.exchange(outgoing)).await;
    }
}
