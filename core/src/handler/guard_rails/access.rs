//! Access: the program is told who asks for what, and its verdicts are carried out.
//!
//! Owns: which actions a request comes to, and what each verdict means for it. Must not know:
//! how a verdict is reached.

use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::{self, Action, ResourceKind, Verb, Verdict};
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::{Answer, Facts};

use crate::handler::task::go_on;
use crate::handler::{Call, Reply};
use crate::observe::events::{Refused, refused};

use super::admit::proceed;
use super::authorize::{Asker, Outcome, Verdicts};
use super::state::GuardRails;

/// What is done with verdicts.
type Then = Box<dyn FnOnce(&Arc<Call>, Outcome) -> Reply + Send>;

/// Who comes first: the verdicts, or the end of the function that was asked for them.
enum Stage {
    Asking(Then),
    Answered(Then, Outcome),
    Waiting(Then),
    Over,
}

impl GuardRails {
    /// Lets a call through to its handler if it may, and a list's entries that may be seen.
    pub(super) fn access(&self, call: &Arc<Call>) -> Reply {
        if let Some(action) = call.action() {
            let same = action.clone();
            return self.ask(call, vec![action], move |call, verdicts| one(call, &same, verdicts));
        }
        if let Some((thing, ..)) = ResourceKind::listed_by(call.method()) {
            return self.list(call, thing);
        }
        if call.method() == methods::SUBSCRIPTIONS_LISTEN && call.revision().era() == Era::Modern {
            let actions = Action::all_of(call.method(), call.members());
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
        authorize.authorize(&asker_of(call), actions, Verdicts(Some(Box::new(tell))));
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

/// Who is behind a call.
fn asker_of(call: &Call) -> Asker {
    let (scope, link) = (call.scope(), call.link());
    Asker {
        connection: link.info().clone(),
        principal: scope.principal,
        head: scope.head,
        client_info: call.client_info(),
        revision: call.revision(),
        cause: scope.cause,
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

/// What is denied is not honoured; what is hidden is honoured like something that does not
/// exist.
fn listen(call: &Arc<Call>, actions: &[Action], verdicts: Outcome) -> Reply {
    let verdicts = match verdicts {
        Ok(verdicts) => verdicts,
        Err(error) => return Reply::Done(Answer::error(error)),
    };
    if Facts::host_listens(&*call.handler.facts()) {
        // The handler promises what it was asked for: all of it is allowed, or nothing is.
        if verdicts.iter().filter(|verdict| **verdict == Verdict::Allow).count() == actions.len() {
            return proceed(call);
        }
        refused(Refused::Access, call.link().info().id.0);
        return Reply::Done(call.turned_away(access::denied("not all of these resources may be watched")));
    }
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
    match written {
        Ok(()) => call.handler.listen(call, result),
        Err(error) => Reply::Done(Answer::error(Error::from(error))),
    }
}
