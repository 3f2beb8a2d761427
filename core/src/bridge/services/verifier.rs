//! Who sent an HTTP request, found out by the host: the service `http.verify`.
//!
//! Owns: what the service is given, how its answer is read. Must not know: credentials.

use std::sync::Arc;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::bridge::boundary::grant::Grant;
use crate::bridge::boundary::http_head::describe_head;
use crate::bridge::queue::inbox::Inbox;
use crate::handler::{BoxFuture, Principal, RequestHead};
use crate::transport::streamable_http::server::{Denied, Verifier};

/// Asks the host who sent a request: the service `http.verify` is given `method`,
/// `target` and `headers`, and answers `{"principal": id, "grant": what its token allows}`
/// (null: anonymous) or `{"status": 401 or 403, "challenge": value of WWW-Authenticate}`.
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
        // If the verifier fails, the request is refused.
        Err(_) => return Err(Denied::Forbidden { challenge: None }),
    };
    let text = |name: &str| members.get(name).and_then(RawJson::as_string);
    match members.get("status").and_then(|status| status.decode::<u16>().ok()) {
        Some(401) => Err(Denied::Unauthorized { challenge: text("challenge") }),
        Some(_) => Err(Denied::Forbidden { challenge: text("challenge") }),
        None if members.get("principal").is_some_and(RawJson::is_null) => Ok(Principal::ANONYMOUS),
        None => {
            let sender =
                text("principal").map(Principal::named).ok_or(Denied::Forbidden { challenge: None })?;
            match members.get("grant").map(RawJson::decode::<Grant>) {
                None => Ok(sender),
                Some(Ok(grant)) => Ok(grant.onto(sender, TokenScheme::Bearer)),
                Some(Err(_)) => Err(Denied::Forbidden { challenge: None }),
            }
        }
    }
}
