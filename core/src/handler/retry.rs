//! What happens when a request arrives: a fresh call, or a parked one going on.
//!
//! Owns: whether a request starts a call, goes on with one, or is refused. Must not know: how a
//! handler is run, or what a state is sealed with.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures_util::future::try_join_all;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson, RawObject};
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::{Answer, ExchangeId, Facts, InboundRequest};

use crate::observe::events::{self, Refused};

use super::contract::CallState;
use super::questions::Given;
use super::sealed_state::{SealedState, StateKind};
use super::{AskPlan, Call, Engine, Handler, Link, Reply, Scope};

/// Where a request leads.
///
/// ```
/// use mcpbolt::handler::{Engine, Entry, Handler, Link, Scope, start};
/// use mcpbolt::session::{Answer, InboundRequest};
/// use std::sync::Arc;
///
/// /// What a transport does with a request that its session let through.
/// fn arrived(engine: &Arc<Engine>, handler: &Arc<dyn Handler>, link: Arc<dyn Link>, request: InboundRequest) {
///     let exchange = request.exchange;
///     match Entry::of(engine, handler, Arc::clone(&link), request, Scope::default()) {
///         Entry::Fresh(call) => {
///             link.adopt(exchange, &call);
///             start(&call);
///         }
///         Entry::Resumed => {}
///         Entry::Refused(error) => drop(link.answer(exchange, Answer::error(error))),
///     }
/// }
/// ```
pub enum Entry {
    /// To a call that has to be started.
    Fresh(Arc<Call>),
    /// To a call that was parked and goes on by itself.
    Resumed,
    /// Nowhere.
    Refused(Error),
}

impl Entry {
    /// Finds or makes the call of a request.
    pub fn of(
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        link: Arc<dyn Link>,
        request: InboundRequest,
        scope: Scope,
    ) -> Self {
        let modern = request.revision.era() == Era::Modern;
        let given = if modern && request.spec.is_some_and(|s| s.may_require_input) {
            Self::given(engine, &request, &scope)
        } else {
            Ok((Given::default(), None))
        };
        match given {
            Err(error) => {
                engine.audit_refused(&*link, &scope, &request, &error);
                Self::Refused(error)
            }
            Ok((given, None)) => Self::Fresh(Call::new(engine, handler, link, request, scope, given)),
            Ok((given, Some(call))) => {
                call.resume(&link, &request, scope, &given.responses);
                Self::Resumed
            }
        }
    }

    fn given(
        engine: &Engine,
        request: &InboundRequest,
        scope: &Scope,
    ) -> Result<(Given, Option<Arc<Call>>), Error> {
        let responses = match request.members.get("inputResponses") {
            None => RawObject::new(),
            // Null and other nonsense answer nothing: the handler asks again.
            Some(raw) if raw.kind() == JsonKind::Object => RawObject::parse(raw)
                .ok_or_else(|| Error::invalid_params("inputResponses has a key twice"))?,
            Some(raw) if raw.is_null() => RawObject::new(),
            Some(_) => return Err(Error::invalid_params("inputResponses must be an object")),
        };
        let Some(state) = request.members.get("requestState") else {
            return Ok((Given { responses, ..Given::default() }, None));
        };
        let state =
            state.as_string().ok_or_else(|| Error::invalid_params("requestState must be a string"))?;
        let principal = scope.principal.id();
        let state = SealedState::open(engine, &state, &request.method, request.params.as_ref(), principal)?;
        match state.kind {
            StateKind::Handler(own) => {
                let given = Given { responses, state: Some(own), once: state.once, round: state.round };
                Ok((given, None))
            }
            StateKind::Replay(mut recorded) => {
                for (key, answer) in responses.iter() {
                    if !recorded.contains(key) {
                        recorded.set(key.to_owned(), answer.clone());
                    }
                }
                let given = Given { responses: recorded, state: None, once: state.once, round: state.round };
                Ok((given, None))
            }
            StateKind::Park(id) => {
                let call = Call::unpark(engine, &id, state.round)?;
                Ok((Given { responses, ..Given::default() }, Some(call)))
            }
        }
    }
}

impl Call {
    /// Binds a parked call to the exchange of its retry. With an answer missing the
    /// client is asked again and the handler is not woken.
    fn resume(
        self: &Arc<Self>,
        link: &Arc<dyn Link>,
        request: &InboundRequest,
        scope: Scope,
        responses: &RawObject,
    ) {
        let kept = {
            let mut binding = self.binding.lock();
            binding.state = CallState::Running;
            binding.link = Arc::clone(link);
            binding.exchange = request.exchange;
            binding.id = request.id.clone();
            binding.meta = Arc::clone(&request.meta);
            binding.scope = scope;
            binding.kept.take()
        };
        self.audited.store(false, Ordering::Relaxed);
        self.charge();
        self.deadline_anew();
        link.adopt(request.exchange, self);
        if let Some(answer) = kept {
            self.finish(*answer);
            return;
        }
        if !self.questions.lock().fill(responses) {
            self.park();
            return;
        }
        let answered = self.questions.lock().take_answered();
        for (reply, answer) in answered {
            reply(Ok(answer));
        }
        // Another branch of the handler may have asked while the call was parked.
        self.flush_questions();
    }

    /// A handler returned its questions instead of awaiting them.
    pub(super) fn ask_explicitly(
        self: &Arc<Self>,
        link: &Arc<dyn Link>,
        exchange: ExchangeId,
        requests: Vec<(String, String, Option<RawJson>)>,
        state: Option<String>,
    ) -> bool {
        let capabilities = self.client_capabilities();
        let missing = requests
            .iter()
            .filter(|_| !self.engine.asks_undeclared)
            .find_map(|(_, method, params)| capabilities.missing_for(method, params.as_ref()));
        let refused = match missing {
            Some(required) => Some(Error::missing_capability(required)),
            None if requests.is_empty() && state.is_none() => {
                Some(Error::invalid_params("a handler asked for input without a question or a state"))
            }
            None if self.given.round as usize >= self.engine.limits.max_rounds => {
                Some(Error::overloaded("the call asked too often"))
            }
            None => self.limit_questions(&requests).err(),
        };
        if let Some(error) = refused {
            self.binding.lock().state = CallState::Finished;
            let answer = Answer::error(error);
            self.audit(&answer);
            return link.answer(exchange, answer);
        }
        if self.revision().era() == Era::Legacy || link.task().is_some() {
            let (call, at_once) = (Arc::clone(self), link.task().is_some());
            self.engine.spawner.spawn(async move { call.ask_itself(requests, state, at_once).await });
            return true;
        }
        self.binding.lock().state = CallState::Finished;
        let answer = match state.map(|own| self.seal_handler_state(own)).transpose() {
            Ok(state) => Answer::InputRequired { requests, state },
            Err(error) => Answer::error(error),
        };
        self.audit(&answer);
        self.discharge();
        link.answer(exchange, answer)
    }

    /// On the legacy era, and in tasks, the engine asks the client itself and runs the handler
    /// again.
    async fn ask_itself(
        self: Arc<Self>,
        requests: Vec<(String, String, Option<RawJson>)>,
        state: Option<String>,
        at_once: bool,
    ) {
        let questions = requests.into_iter().map(|(key, method, params)| {
            let plan = AskPlan { key: Some(key.clone()), ..AskPlan::default() };
            let call = Arc::clone(&self);
            async move { call.ask_with(&method, params, plan).await.map(|answer| (key, answer)) }
        });
        let answers = if at_once {
            try_join_all(questions).await
        } else {
            stream::iter(questions).then(|question| question).try_collect().await
        };
        let responses: RawObject = match answers {
            Ok::<Vec<_>, Error>(answers) => answers.into_iter().collect(),
            Err(error) => {
                self.finish(Answer::error(error));
                return;
            }
        };
        let (link, scope) = {
            let mut binding = self.binding.lock();
            binding.state = CallState::Finished;
            (Arc::clone(&binding.link), binding.scope.clone())
        };
        // The request goes on as another call.
        self.audited.store(true, Ordering::Relaxed);
        let given = Given { responses, state, once: None, round: self.given.round + 1 };
        let mut request = self.request.clone();
        request.exchange = self.binding.lock().exchange;
        let next = Self::new(&self.engine, &self.handler, Arc::clone(&link), request, scope, given);
        link.adopt(next.request.exchange, &next);
        self.hand_on(&next);
        super::start(&next);
    }

    /// Hands the call to its handler, past the guard rails.
    pub(super) fn invoke(self: &Arc<Self>) -> Reply {
        if self.engine.rails.is_on() { self.engine.rails.call(self) } else { self.reach_handler() }
    }

    /// The last step to the handler. A state is used up no sooner: a client that was turned
    /// away for now may come back with it.
    pub(super) fn reach_handler(self: &Arc<Self>) -> Reply {
        if let Some(state) = self.given.once
            && let Err(error) = super::used_states::take(state, self.engine.limits.used_states)
        {
            events::refused(Refused::State, 0);
            return Reply::Done(Answer::error(error));
        }
        // The session does it.
        if self.method() == methods::SUBSCRIPTIONS_LISTEN
            && self.revision().era() == Era::Modern
            && !Facts::host_listens(&*self.handler.facts())
        {
            return self.handler.listen(self, self.members().clone());
        }
        self.handler.call(self)
    }
}
