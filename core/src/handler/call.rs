//! One activation of a handler, over one or more exchanges.
//!
//! Owns: what a handler can read of its call, and send on its stream. Must not know: how the
//! call is run, parked or ended.
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
use mcpbolt_proto::protocol::{Method, Revision, methods};
use mcpbolt_proto::session::server::NotSent;
use mcpbolt_proto::session::{CancelReason, ExchangeId, InboundRequest, Time};

use crate::observe::CallSpan;

use super::cancel::{CancelFlag, Pending};
use super::charge::Account;
use super::contract::{Binding, Call, CallState, Engine, Handler, Link, Sent, Wake};
use super::principal::Sender;
use super::questions::{Given, Questions};
use super::scope::{CallId, Scope, next_call};

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
            state: CallState::Running,
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
            id: next_call(),
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

    /// The handler this call was given to.
    pub(crate) fn handler(&self) -> &Arc<dyn Handler> {
        &self.handler
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

    /// What the client can do: per request on the modern era, per session before.
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

    /// Who the client says it is. For display only.
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

    pub(super) fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel
    }

    /// Where its future waits from now on.
    pub(super) fn waits_in(&self, waiting: Weak<dyn Pending>) {
        *self.waiting.lock() = Some(waiting);
    }

    /// Whether it waits for the client's retry.
    pub fn is_parked(&self) -> bool {
        matches!(self.binding.lock().state, CallState::Parked(_))
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
        if self.is_log_dropped() {
            return Ok(Sent::Sent);
        }
        link.log(Some(exchange), level, logger, data)
    }

    /// Whether a log message is one too many for its client's rate: it is counted, and nobody is told.
    pub(crate) fn is_log_dropped(&self) -> bool {
        let rails = &self.engine.rails;
        let dropped = rails.is_on() && rails.limit_in_call(self, methods::MESSAGE).is_err();
        if dropped {
            self.engine.stats().dropped(1);
        }
        dropped
    }

    /// Sends a notification on the stream of this call.
    pub fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<Sent, NotSent> {
        let (link, exchange) = self.running().ok_or(NotSent::Gone)?;
        link.notify(Some(exchange), method, params)
    }

    /// Calls `wake` once when messages of this call can be queued again; at once if they can now,
    /// or the call is over.
    pub fn on_writable(&self, wake: Wake) {
        match self.running() {
            Some((link, exchange)) => link.on_writable(Some(exchange), wake),
            None => wake(),
        }
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
        (binding.state == CallState::Running).then(|| (Arc::clone(&binding.link), binding.exchange))
    }

    /// The exchange served now, or last.
    pub(crate) fn exchange(&self) -> ExchangeId {
        self.binding.lock().exchange
    }
}

impl Call {
    /// It is not answered at once: from here its sender is charged, until its handler ends.
    pub(super) fn charge(&self) {
        let charge = {
            let binding = self.binding.lock();
            let scope = &binding.scope;
            let charge =
                |account: &Account| account.ledger.clone().charge(Sender::of(&scope.principal, account.peer));
            scope.account.as_ref().map(charge)
        };
        if charge.is_some() {
            *self.charge.lock() = charge;
        }
    }

    /// The answer leaves. Of a cancelled call that says nothing about its handler: it is
    /// charged until the last holder of the call lets go.
    pub(super) fn answered(&self) {
        if !self.is_cancelled() {
            self.discharge();
        }
    }

    /// Its handler has ended, or waits for a client that may never come back.
    pub(super) fn discharge(&self) {
        let charge = self.charge.lock().take();
        drop(charge);
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Call({} {})", self.id.0, self.request.method)
    }
}
