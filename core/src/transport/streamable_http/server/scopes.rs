//! Whether the token of a request has the scopes that its operations need.
//!
//! Owns: which scopes a POST needs, all at once, and that it is refused before anything of it is
//! done. Must not know: what a scope stands for, which operation needs which; verifier and
//! handler say that.

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::{Incoming, Malformed, Message, RawObject};
use mcpbolt_proto::policy::access::Action;

use crate::handler::Principal;

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
        if !self.handler.has_scopes() {
            return None;
        }
        let needed = match incoming {
            Ok(Incoming::Single(message)) => self.needed(message),
            Ok(Incoming::Batch(messages)) => {
                let messages = messages.iter().filter_map(|message| message.as_ref().ok());
                messages.fold(Scopes::default(), |all, message| all.union(&self.needed(message)))
            }
            Err(_) => return None,
        };
        if needed.is_empty() {
            return None;
        }
        let verdict = match &self.options.verify {
            Some(verifier) => verifier.allows(principal, &needed),
            None => suffices(principal, &needed),
        };
        verdict.err().map(|denied| reply::denied(&denied))
    }

    fn needed(&self, message: &Message) -> Scopes {
        let Message::Request(request) = message else { return Scopes::default() };
        let params = request.params.as_ref().and_then(RawObject::parse).unwrap_or_default();
        let actions = Action::all_of(&request.method, &params);
        actions.iter().fold(Scopes::default(), |all, action| all.union(&self.handler.scopes(action)))
    }
}
