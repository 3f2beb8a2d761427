//! Access: who asks is told to whoever decides, and the verdicts are carried out.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::{self, Action, Thing, Verb, Verdict};
use mcpbolt_proto::protocol::types::{Implementation, SubscriptionFilter};
use mcpbolt_proto::protocol::{Era, Error, Revision, methods};
use mcpbolt_proto::session::Answer;

use crate::handler::task::go_on;
use crate::handler::{Call, ConnectionInfo, Origin, Principal, Reply, RequestHead};
use crate::observe::events::{Refused, refused};

use super::{Rails, proceed};

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
    /// Who the client says it is. Anybody can say anything.
    pub client_info: Option<Implementation>,
    /// The revision it speaks.
    pub revision: Revision,
    /// The host's number for what caused the request.
    pub origin: Origin,
}

impl Asker {
    fn of(call: &Call) -> Self {
        let (scope, link) = (call.scope(), call.link());
        Self {
            connection: link.info().clone(),
            principal: scope.principal,
            head: scope.head,
            client_info: call.client_info(),
            revision: call.revision(),
            origin: scope.origin,
        }
    }

    /// A header of the HTTP request, if it is there and text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.as_ref()?.headers.get(name)?.to_str().ok()
    }
}

/// Decides what a client may do and see. A function of asker and action does at once;
/// whoever has to look something up first keeps the [`Verdicts`] and gives them later.
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

type Outcome = Result<Vec<Verdict>, Error>;

/// Where verdicts go. Dropped without any, the request fails: what nobody decided is not
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
pub struct Verdicts(Option<Box<dyn FnOnce(Outcome) + Send>>);

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

/// What is done with verdicts.
type Then = Box<dyn FnOnce(&Arc<Call>, Outcome) -> Reply + Send>;

/// Who comes first: the verdicts, or the end of the function that was asked for them.
enum Stage {
    Asking(Then),
    Answered(Then, Outcome),
    Waiting(Then),
    Over,
}

impl Rails {
    /// Lets a call through to its handler if it may, and a list's entries that may be seen.
    pub(super) fn access(&self, call: &Arc<Call>) -> Reply {
        if let Some(action) = call.action() {
            let same = action.clone();
            return self.ask(call, vec![action], move |call, verdicts| one(call, &same, verdicts));
        }
        if let Some((thing, ..)) = Thing::listed_by(call.method()) {
            return self.list(call, thing);
        }
        if call.method() == methods::SUBSCRIPTIONS_LISTEN && call.revision().era() == Era::Modern {
            let uris = wanted(call).and_then(|filter| filter.resource_subscriptions).unwrap_or_default();
            let actions = uris.into_iter().map(|uri| Action::new(Verb::Subscribe, Thing::Resource, uri));
            let actions: Vec<Action> = actions.collect();
            if !actions.is_empty() {
                let same = actions.clone();
                return self.ask(call, actions, move |call, verdicts| listen(call, &same, verdicts));
            }
        }
        proceed(call)
    }

    /// Asks for verdicts; given at once, the call goes on here and now.
    pub(super) fn ask(
        &self,
        call: &Arc<Call>,
        actions: Vec<Action>,
        then: impl FnOnce(&Arc<Call>, Outcome) -> Reply + Send + 'static,
    ) -> Reply {
        let Some(authorize) = &self.authorize else { return then(call, Ok(Vec::new())) };
        let stage = Arc::new(Mutex::new(Stage::Asking(Box::new(then))));
        let (later, waiting) = (Arc::clone(&stage), Arc::clone(call));
        let tell = move |outcome: Outcome| {
            let mut stage = later.lock();
            match std::mem::replace(&mut *stage, Stage::Over) {
                Stage::Asking(then) => *stage = Stage::Answered(then, outcome),
                Stage::Waiting(then) => {
                    drop(stage);
                    go_on(&waiting, || then(&waiting, outcome));
                }
                Stage::Answered(..) | Stage::Over => {}
            }
        };
        authorize.authorize(&Asker::of(call), actions, Verdicts(Some(Box::new(tell))));
        let mut stage = stage.lock();
        match std::mem::replace(&mut *stage, Stage::Over) {
            Stage::Answered(then, outcome) => {
                drop(stage);
                then(call, outcome)
            }
            Stage::Asking(then) => {
                *stage = Stage::Waiting(then);
                Reply::Detached
            }
            Stage::Waiting(_) | Stage::Over => Reply::Detached,
        }
    }
}

/// The verdict on a request about one thing.
fn one(call: &Arc<Call>, action: &Action, verdicts: Outcome) -> Reply {
    let verdict = match verdicts {
        Ok(verdicts) => verdicts.into_iter().next(),
        Err(error) => return Reply::Done(Answer::error(error)),
    };
    if verdict == Some(Verdict::Allow) {
        return proceed(call);
    }
    refused(Refused::Access, call.link().info().id.0);
    match verdict {
        Some(Verdict::Hide) if action.verb == Verb::Subscribe => {
            // As with what does not exist: the client is told yes, and never hears of it.
            call.link().disregard(call.exchange());
            Reply::Done(Answer::result(RawJson::empty_object()))
        }
        Some(Verdict::Hide) => Reply::Done(call.handler.unknown(call, action)),
        Some(Verdict::Deny(reason)) => Reply::Done(call.turned_away(access::denied(&reason))),
        _ => Reply::Done(call.turned_away(access::denied("nobody allowed it"))),
    }
}

fn wanted(call: &Call) -> Option<SubscriptionFilter> {
    call.param("notifications").filter(|filter| filter.is_object())?.decode().ok()
}

/// What is denied is not honoured; what is hidden is honoured like something that does not
/// exist.
fn listen(call: &Arc<Call>, actions: &[Action], verdicts: Outcome) -> Reply {
    let verdicts = match verdicts {
        Ok(verdicts) => verdicts,
        Err(error) => return Reply::Done(Answer::error(error)),
    };
    let (mut honoured, mut muted) = (Vec::new(), Vec::new());
    for (at, action) in actions.iter().enumerate() {
        match verdicts.get(at) {
            Some(Verdict::Allow) => {}
            verdict => {
                refused(Refused::Access, call.link().info().id.0);
                if verdict != Some(&Verdict::Hide) {
                    continue;
                }
                muted.push(&*action.name);
            }
        }
        honoured.push(&*action.name);
    }
    let mut filter = call.param("notifications").and_then(RawObject::parse).unwrap_or_default();
    let mut result = RawObject::new();
    let written = filter
        .put("resourceSubscriptions", &honoured)
        .and_then(|()| result.put("muted", &muted))
        .map(|()| result.set("notifications".to_owned(), filter.to_raw()));
    Reply::Done(match written {
        Ok(()) => Answer::result(result.to_raw()),
        Err(error) => Answer::error(Error::from(error)),
    })
}
