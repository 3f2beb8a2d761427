//! Who decides what a client may do and see: the trait that a program implements.
//!
//! Owns: what the program is told of who asks, and how it gives its verdicts.
//! Must not know: what is done with them.

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::policy::access::{Action, Verdict};
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, Revision};

use crate::handler::principal::Principal;
use crate::handler::scope::{Cause, ConnectionInfo, RequestHead};

/// Who wants to do something.
///
/// ```
/// use mcpbolt::handler::Asker;
///
/// fn is_ann(asker: &Asker) -> bool {
///     asker.principal.id() == Some("ann") || asker.header("x-user") == Some("ann")
/// }
/// # let _ = is_ann;
/// ```
#[derive(Debug, Clone)]
pub struct Asker {
    /// The connection or session.
    pub connection: ConnectionInfo,
    /// Who it is, where credentials were checked.
    pub principal: Principal,
    /// The head of the HTTP request, over HTTP.
    pub head: Option<Arc<RequestHead>>,
    /// Who the client says it is. It may say anything.
    pub client_info: Option<Implementation>,
    /// The revision it speaks.
    pub revision: Revision,
    /// The host's number for what caused the request.
    pub cause: Cause,
}

impl Asker {
    /// A header of the HTTP request, if it is there and text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.as_ref()?.headers.get(name)?.to_str().ok()
    }
}

/// Decides what a client may do and see. A function of asker and action does at once;
/// one that has to look something up first keeps the [`Verdicts`] and gives them later.
///
/// ```
/// use mcpbolt::handler::{Asker, Authorize, Verdicts};
/// use mcpbolt::policy::access::{Action, Verdict};
///
/// /// Asks somebody else, in the background.
/// struct Elsewhere;
///
/// impl Authorize for Elsewhere {
///     fn authorize(&self, asker: &Asker, actions: Vec<Action>, verdicts: Verdicts) {
///         let known = asker.principal.id().is_some();
///         std::thread::spawn(move || {
///             let one = |_: &Action| if known { Verdict::Allow } else { Verdict::Hide };
///             verdicts.give(actions.iter().map(one).collect());
///         });
///     }
/// }
/// ```
pub trait Authorize: Send + Sync + 'static {
    /// Gives a verdict for each action, in their order, now or later. All entries of a list
    /// come together. Must not block.
    fn authorize(&self, asker: &Asker, actions: Vec<Action>, verdicts: Verdicts);
}

impl<F> Authorize for F
where
    F: Fn(&Asker, &Action) -> Verdict + Send + Sync + 'static,
{
    fn authorize(&self, asker: &Asker, actions: Vec<Action>, verdicts: Verdicts) {
        verdicts.give(actions.iter().map(|action| self(asker, action)).collect());
    }
}

pub(super) type Outcome = Result<Vec<Verdict>, Error>;

/// Where verdicts go. Dropped without any, the request fails: what was not decided is not
/// allowed.
///
/// ```
/// use mcpbolt::handler::Verdicts;
/// use mcpbolt::policy::access::{Action, Verdict};
///
/// fn closed_today(actions: &[Action], verdicts: Verdicts) {
///     let reason = Verdict::Deny("closed today".to_owned());
///     verdicts.give(vec![reason; actions.len()]);
/// }
/// # let _ = closed_today;
/// ```
pub struct Verdicts(pub(super) Option<Box<dyn FnOnce(Outcome) + Send>>);

impl Verdicts {
    /// One for each action; an action without one may not be done.
    pub fn give(mut self, verdicts: Vec<Verdict>) {
        self.end(Ok(verdicts));
    }

    fn end(&mut self, outcome: Outcome) {
        if let Some(tell) = self.0.take() {
            tell(outcome);
        }
    }
}

impl Drop for Verdicts {
    fn drop(&mut self) {
        self.end(Err(Error::internal("access could not be decided")));
    }
}

impl fmt::Debug for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Verdicts")
    }
}
