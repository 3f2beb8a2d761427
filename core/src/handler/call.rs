//! One activation of a handler, over one or more exchanges.
//!
//! Running(x) → Parked → Running(y) → Finished. What belongs to an exchange (id,
//! progress token, log level, capabilities, origin) lives in the binding, which a
//! retry replaces; what belongs to the call stays.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::meta::RequestMeta;
use mcpbolt_proto::protocol::types::{Implementation, LoggingLevel};
use mcpbolt_proto::protocol::{Error, Method, Revision, methods};
use mcpbolt_proto::session::parked::ParkId;
use mcpbolt_proto::session::server::NotSent;
use mcpbolt_proto::session::{Answer, CancelReason, ExchangeId, InboundRequest, OutgoingId, Time};

use crate::observe::{CallSpan, events};

use super::ask::Questions;
use super::cancel::{CancelFlag, Cancelled};
use super::charge::Charge;
use super::guard_rails::Guarded;
use super::retry::Given;
use super::task::Waiting;
use super::{AskPlan, ConnectionInfo, Engine, Handler, Scope};

/// Number of a call. Never reused in a process; fits 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u64);

/// What became of a message to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// Handed to the transport.
    Sent,
    /// The queue is full: wait until the link is writable and send again.
    Full,
}

/// Why a message was not sent.
pub type NotSentError = NotSent;

/// Called once, when there is room again or something has ended; from any thread.
pub type Wake = Box<dyn FnOnce() + Send>;

/// Takes the client's answer to a request of ours.
pub type ReplyFn = Box<dyn FnOnce(Result<RawJson, Error>) + Send>;

/// A connection as its calls see it.
pub trait Link: Send + Sync {
    /// What is known of it.
    fn info(&self) -> &ConnectionInfo;
    /// Answers an exchange; `false` if there is none.
    fn answer(&self, exchange: ExchangeId, answer: Answer) -> bool;
    /// Reports progress of an exchange.
    fn progress(
        &self,
        exchange: ExchangeId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<Sent, NotSent>;
    /// Sends a log message.
    fn log(
        &self,
        exchange: Option<ExchangeId>,
        level: LoggingLevel,
        logger: Option<&str>,
        data: RawJson,
    ) -> Result<Sent, NotSent>;
    /// Sends a notification.
    fn notify(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<Sent, NotSent>;
    /// Sends a request; `reply` is called exactly once if this succeeds.
    fn ask(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error>;
    /// Gives up on a request of ours.
    fn give_up(&self, request: OutgoingId);
    /// From now on `call` serves `exchange`.
    fn adopt(&self, exchange: ExchangeId, call: &Arc<Call>);
    /// Calls `wake` once when messages can be queued again; at once if they can now.
    fn on_writable(&self, wake: Wake);
    /// Whatever `exchange` would change in the session, it shall not.
    fn disregard(&self, exchange: ExchangeId) {
        let _ = exchange;
    }
    /// Closes the exchange's stream early, where the client can come back for the rest
    /// (2025-11-25 over HTTP); elsewhere nothing happens.
    fn close_stream(&self, exchange: ExchangeId) {
        let _ = exchange;
    }
    /// The revision a handshake agreed on; the modern era has none.
    fn revision(&self) -> Option<Revision> {
        None
    }
    /// What a legacy handshake said of the client.
    fn client(&self) -> (Option<ClientCapabilities>, Option<Implementation>);
    /// Until [`Link::release`], answers and messages are collected for one write.
    fn hold(&self) {}
    /// Sends what was collected. Belongs to one [`Link::hold`].
    fn release(&self) {}
    /// Ends the connection.
    fn close(&self);
}

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Running,
    Parked(ParkId),
    Finished,
}

/// The exchange a call serves now, or served last.
pub(super) struct Binding {
    pub(super) state: State,
    pub(super) link: Arc<dyn Link>,
    pub(super) exchange: ExchangeId,
    pub(super) id: Id,
    pub(super) meta: Arc<RequestMeta>,
    pub(super) scope: Scope,
    pub(super) round: u32,
    /// The outcome of a call that finished while it was parked.
    pub(super) kept: Option<Answer>,
}

/// One activation of a handler.
pub struct Call {
    pub(super) id: CallId,
    pub(super) engine: Arc<Engine>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) request: InboundRequest,
    pub(super) given: Given,
    pub(super) binding: Mutex<Binding>,
    pub(super) questions: Mutex<Questions>,
    cancel: CancelFlag,
    /// Its future, once that has to wait.
    waiting: Mutex<Weak<Waiting>>,
    started: Time,
    failure: OnceLock<Error>,
    /// What the guard rails keep of it.
    pub(super) guarded: Mutex<Option<Box<Guarded>>>,
    pub(super) charge: Mutex<Option<Charge>>,
    pub(super) span: CallSpan,
    /// Whether the audit knows of it.
    pub(super) audited: AtomicBool,
}

impl Call {
    pub(super) fn new(
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        link: Arc<dyn Link>,
        request: InboundRequest,
        scope: Scope,
        given: Given,
    ) -> Arc<Self> {
        let binding = Binding {
            state: State::Running,
            link,
            exchange: request.exchange,
            id: request.id.clone(),
            meta: Arc::clone(&request.meta),
            scope,
            round: given.round,
            kept: None,
        };
        engine.stats().started();
        let span = CallSpan::server(&request);
        Arc::new(Self {
            id: super::engine::next_call(),
            engine: Arc::clone(engine),
            handler: Arc::clone(handler),
            request,
            given,
            binding: Mutex::new(binding),
            questions: Mutex::new(Questions::default()),
            cancel: CancelFlag::default(),
            waiting: Mutex::default(),
            started: engine.now(),
            failure: OnceLock::new(),
            guarded: Mutex::new(None),
            charge: Mutex::default(),
            span,
            audited: AtomicBool::new(false),
        })
    }

    /// The handler this call was given to, as its own type.
    pub fn handler_as<T: Handler>(&self) -> Option<Arc<T>> {
        Arc::clone(&self.handler).as_any().downcast().ok()
    }

    /// What all connections of its server share.
    pub fn engine(&self) -> Arc<Engine> {
        Arc::clone(&self.engine)
    }

    /// When it started, in the engine's time.
    pub fn started(&self) -> Time {
        self.started
    }

    /// Its number.
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Method name.
    pub fn method(&self) -> &str {
        &self.request.method
    }

    /// The method's row, unless it is the program's own.
    pub fn spec(&self) -> Option<&'static Method> {
        self.request.spec
    }

    /// `params`, undecoded.
    pub fn params(&self) -> Option<&RawJson> {
        self.request.params.as_ref()
    }

    /// One member of `params`.
    pub fn param(&self, name: &str) -> Option<&RawJson> {
        self.request.members.get(name)
    }

    /// The tool or prompt it is about, or the URI of the resource.
    pub(crate) fn name(&self) -> Option<String> {
        self.param(self.spec()?.name_source.param()?)?.as_string()
    }

    /// All members of `params`.
    pub fn members(&self) -> &RawObject {
        &self.request.members
    }

    /// Revision the client speaks.
    pub fn revision(&self) -> Revision {
        self.request.revision
    }

    /// JSON-RPC id of the exchange served now; a retry brings another one.
    pub fn request_id(&self) -> Id {
        self.binding.lock().id.clone()
    }

    /// What `_meta` of the present exchange says.
    pub fn meta(&self) -> Arc<RequestMeta> {
        Arc::clone(&self.binding.lock().meta)
    }

    /// Origin, HTTP head and principal of the present exchange.
    pub fn scope(&self) -> Scope {
        self.binding.lock().scope.clone()
    }

    /// The connection of the present exchange.
    pub fn link(&self) -> Arc<dyn Link> {
        Arc::clone(&self.binding.lock().link)
    }

    /// What the client can do: per request on the modern era (L4), per session before.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        let (meta, link) = {
            let binding = self.binding.lock();
            (Arc::clone(&binding.meta), Arc::clone(&binding.link))
        };
        match meta.capabilities() {
            Ok(Some(capabilities)) => capabilities,
            _ => link.client().0.unwrap_or_default(),
        }
    }

    /// Who the client says it is. For display only (L8).
    pub fn client_info(&self) -> Option<Implementation> {
        let (meta, link) = {
            let binding = self.binding.lock();
            (Arc::clone(&binding.meta), Arc::clone(&binding.link))
        };
        meta.client_info().or_else(|| link.client().1)
    }

    /// The answers a retry brought to a handler's explicit questions.
    pub fn input_responses(&self) -> &RawObject {
        &self.given.responses
    }

    /// The state an explicit handler attached to its questions, unsealed.
    pub fn request_state(&self) -> Option<&str> {
        self.given.state.as_deref()
    }

    /// Whether the client gave up, the stream went away, or the session ended.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    /// Why, once it is cancelled.
    pub fn cancel_reason(&self) -> Option<CancelReason> {
        self.cancel.reason()
    }

    /// Resolves when the call is cancelled.
    pub fn cancelled(self: &Arc<Self>) -> Cancelled {
        Cancelled(Arc::clone(self))
    }

    pub(super) fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel
    }

    /// Where its future waits from now on.
    pub(super) fn waits_in(&self, waiting: &Arc<Waiting>) {
        *self.waiting.lock() = Arc::downgrade(waiting);
    }

    /// Whether it waits for the client's retry.
    pub fn is_parked(&self) -> bool {
        matches!(self.binding.lock().state, State::Parked(_))
    }

    /// Reports progress, if the client asked for it.
    pub fn progress(
        &self,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<Sent, NotSent> {
        let (link, exchange) = self.running().ok_or(NotSent::Gone)?;
        link.progress(exchange, progress, total, message)
    }

    /// Sends a log message, if the client wants its level.
    pub fn log(&self, level: LoggingLevel, logger: Option<&str>, data: RawJson) -> Result<Sent, NotSent> {
        let (link, exchange) = self.running().ok_or(NotSent::Gone)?;
        if self.engine.rails.is_on() && self.engine.rails.pace_of_call(self, methods::MESSAGE).is_err() {
            self.engine.stats().dropped(1);
            return Ok(Sent::Sent);
        }
        link.log(Some(exchange), level, logger, data)
    }

    /// Sends a notification on the stream of this call.
    pub fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<Sent, NotSent> {
        let (link, exchange) = self.running().ok_or(NotSent::Gone)?;
        link.notify(Some(exchange), method, params)
    }

    /// Closes the stream of this call early; the client fetches the rest by resuming it
    /// (2025-11-25 over HTTP). Does nothing elsewhere.
    pub fn close_stream(&self) {
        if let Some((link, exchange)) = self.running() {
            link.close_stream(exchange);
        }
    }

    /// Link and exchange while an exchange is open.
    pub(super) fn running(&self) -> Option<(Arc<dyn Link>, ExchangeId)> {
        let binding = self.binding.lock();
        (binding.state == State::Running).then(|| (Arc::clone(&binding.link), binding.exchange))
    }

    /// Marks a call as over whose answer its connection sends itself: as it may leave.
    pub(crate) fn conclude(&self, answer: Answer) -> Answer {
        self.note(&answer);
        let answer = self.outgoing(answer);
        self.audit(&answer);
        self.binding.lock().state = State::Finished;
        answer
    }

    fn note(&self, answer: &Answer) {
        if let Answer::Error { error, .. } = answer {
            self.fail(error.clone());
        }
    }

    /// What it failed with, however the client is told.
    pub(super) fn fail(&self, error: Error) {
        let _ = self.failure.set(error);
    }

    /// The exchange served now, or last.
    pub(crate) fn exchange(&self) -> ExchangeId {
        self.binding.lock().exchange
    }

    /// Ends the call. `false` if it had ended before; the outcome of a cancelled call
    /// is dropped, that of a parked one waits for the retry.
    pub fn finish(self: &Arc<Self>, answer: Answer) -> bool {
        let Some(answer) = self.sifted(answer) else { return true };
        self.note(&answer);
        let (link, exchange) = {
            let mut binding = self.binding.lock();
            match binding.state {
                State::Finished => return false,
                State::Parked(_) if !self.is_cancelled() => {
                    let first = binding.kept.is_none();
                    binding.kept.get_or_insert(answer);
                    return first;
                }
                State::Parked(id) => {
                    binding.state = State::Finished;
                    drop(binding);
                    self.audit(&answer);
                    self.engine.parking.remove(id);
                    return true;
                }
                State::Running => {}
            }
            if !matches!(answer, Answer::InputRequired { .. }) {
                binding.state = State::Finished;
            }
            (Arc::clone(&binding.link), binding.exchange)
        };
        match answer {
            Answer::InputRequired { requests, state } => {
                self.ask_explicitly(&link, exchange, requests, state)
            }
            answer => {
                let answer = self.outgoing(answer);
                self.audit(&answer);
                self.answered();
                link.answer(exchange, answer)
            }
        }
    }

    /// The call is not wanted any more. `false` if that was known.
    pub fn cancel(self: &Arc<Self>, reason: CancelReason) -> bool {
        if !self.cancel.set(reason) {
            return false;
        }
        let parked = match self.binding.lock().state {
            State::Parked(id) => Some(id),
            _ => None,
        };
        if let Some(id) = parked {
            self.engine.parking.remove(id);
        }
        self.questions.lock().fail_all();
        self.handler.cancelled(self);
        let waiting = self.waiting.lock().upgrade();
        if let Some(waiting) = waiting {
            waiting.let_go();
        }
        true
    }
}

/// A call counts until the last that knows of it lets go.
impl Drop for Call {
    fn drop(&mut self) {
        self.audit_unanswered();
        self.leave();
        let took = self.engine.now().saturating_sub(self.started);
        let failure = self.failure.get();
        self.engine.stats().ended(self.method(), failure.is_some(), took);
        if let Some(error) = failure {
            self.engine.stats().failed(error);
        }
        self.span.finish(failure);
        events::call_ended("server", self.method(), failure, took);
        if took > self.engine.slow_call {
            events::slow_call("server", self.method(), took);
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({} {})", self.id.0, self.request.method)
    }
}
