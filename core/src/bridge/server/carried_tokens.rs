//! Tokens of requests whose messages the host reads itself.
//!
//! Owns: the verb that says whether they suffice. Must not know: what needs which scopes, how a
//! token is verified.

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};

use crate::bridge::boundary::grant::Grant;
use crate::handler::{Handler as _, Principal};
use crate::transport::streamable_http::server::{Denied, needed_scopes, suffices};

use super::host_server::HostServer;

impl HostServer {
    /// Whether a token needs scopes for anything that this server has.
    pub fn has_scopes(&self) -> bool {
        self.host.has_scopes()
    }

    /// For transports whose requests the host reads itself: the value of `WWW-Authenticate` with
    /// which a request is refused (403) because its token lacks scopes for one of its messages, all
    /// of which are in the challenge. `messages` is the body; `is_bound` says that the token came
    /// with a proof of possession. Text that is no message is nothing to refuse here.
    pub fn lacks_scopes(&self, messages: &str, grant: Option<&Grant>, is_bound: bool) -> Option<String> {
        if !self.has_scopes() {
            return None;
        }
        // How long a batch may be was the transport's to say.
        let limits = DecodeLimits { max_batch: usize::MAX, ..DecodeLimits::default() };
        let needed = needed_scopes(&*self.host, &decode(messages.to_owned(), limits))?;
        let scheme = if is_bound { TokenScheme::Dpop } else { TokenScheme::Bearer };
        let sender = grant.map_or(Principal::ANONYMOUS, |grant| grant.onto(Principal::ANONYMOUS, scheme));
        match suffices(&sender, &needed) {
            Err(Denied::Forbidden { challenge }) => challenge,
            _ => None,
        }
    }
}
