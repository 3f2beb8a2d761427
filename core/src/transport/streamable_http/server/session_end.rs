//! The end of a legacy session: DELETE.
//!
//! Owns: who may end a session, and what is answered. Must not know: what ends with it.

use mcpbolt_proto::http::Legacy;

use super::endpoint::{Admitted, Endpoint};
use super::reply::{self, Reply};
use super::takeover::failed;

impl Endpoint {
    pub(super) async fn delete(&self, legacy: Legacy<'_>, request: &Admitted) -> Reply {
        match (self.find(&legacy, request).await, legacy.session_id) {
            (Ok(session), Some(id)) => match self.end_session(id, &session).await {
                Ok(()) => reply::empty(200),
                Err(error) => failed(&error),
            },
            (Ok(_), None) => reply::empty(404),
            (Err(refused), _) => refused,
        }
    }
}
