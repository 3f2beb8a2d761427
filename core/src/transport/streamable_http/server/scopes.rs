//! Whether the token of a request has the scopes that its operations need.
//!
//! Owns: which scopes messages need, all at once, and that a POST is refused before anything of
//! it is done. Must not know: what a scope stands for, which operation needs which; verifier and
//! handler say that.

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::{Incoming, Malformed, Message, RawObject};
use mcpbolt_proto::policy::access::Action;

use crate::handler::{Handler, Principal};

use super::endpoint::Endpoint;
use super::reply::{self, Reply};
use super::verify::suffices;

impl Endpoint {
    /// The refusal of a POST whose token lacks scopes for any of its requests.
    pub(crate) fn lacks_scopes(
        &self,
        incoming: &Result<Incoming, Malformed>,
        principal: &Principal,
    ) -> Option<Reply> {
        let needed = needed(&*self.handler, incoming)?;
        let verdict = match &self.options.verify {
            Some(verifier) => verifier.allows(principal, &needed),
            None => suffices(principal, &needed),
        };
        verdict.err().map(|denied| reply::denied(&denied))
    }
}

#[cfg(feature = "bridge")]
impl super::service::HttpService {
    /// Whether a token needs scopes for anything.
    pub(crate) fn has_scopes(&self) -> bool {
        self.shared.handler.has_scopes()
    }
}

/// The scopes that messages need together; `None` if they need none.
pub(crate) fn needed(handler: &dyn Handler, incoming: &Result<Incoming, Malformed>) -> Option<Scopes> {
    if !handler.has_scopes() {
        return None;
    }
    let all = match incoming {
        Ok(Incoming::Single(message)) => of_message(handler, message),
        Ok(Incoming::Batch(messages)) => {
            let messages = messages.iter().filter_map(|message| message.as_ref().ok());
            messages.fold(Scopes::default(), |all, message| all.union(&of_message(handler, message)))
        }
        Err(_) => return None,
    };
    (!all.is_empty()).then_some(all)
}

fn of_message(handler: &dyn Handler, message: &Message) -> Scopes {
    let Message::Request(request) = message else { return Scopes::default() };
    let params = request.params.as_ref().and_then(RawObject::parse).unwrap_or_default();
    let actions = Action::all_of(&request.method, &params);
    actions.iter().fold(Scopes::default(), |all, action| all.union(&handler.scopes(action)))
}
