//! [`Client`]: how a program presents itself to servers.
//!
//! Owns: the options, and what the handlers amount to as capabilities. Must not know: how a
//! server is reached.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::types::{
    CreateMessageParams, CreateMessageResult, ElicitFormParams, ElicitResult, Implementation, Root,
};
use mcpbolt_proto::protocol::{Error, extensions};
use mcpbolt_proto::session::Problem;
use mcpbolt_proto::session::client::{ClientSettings, KeepAlive};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use crate::handler::{BoxFuture, Clock, SystemClock};
use crate::observe::FrameTrace;
use crate::observe::events::{Deprecated, deprecated};

use super::connect::Client;
use super::era_cache::BELIEVED;
use super::extension_result::ExtensionHooks;
use super::handlers::Handlers;
use super::page_request::PageRequest;
use super::result_checks::Checks;
use super::sampling::{Sampler, SamplingBudget};
use super::session_core::{OnError, Settings};
use super::start_review::{StartRequest, StartReviewer};
use super::tool_review::{AllowAll, ToolReviewer};

impl Client {
    /// A client of that name and version, as servers see it.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ClientBuilder {
        let info = Implementation::new(name, version);
        ClientBuilder {
            settings: ClientSettings::new(info, ClientCapabilities::default()),
            handlers: Handlers::default(),
            session: Settings {
                reviewer: Arc::new(AllowAll),
                trusted: false,
                cache: true,
                max_rounds: 8,
                on_error: None,
                checks: Checks::default(),
                extensions: ExtensionHooks::default(),
            },
            clock: Arc::new(SystemClock::default()),
            trace: None,
            slow_call: None,
            start: None,
            believed: BELIEVED,
        }
    }
}

/// Builds a [`Client`]. What it can do follows from the handlers set.
///
/// ```
/// use mcpbolt::client::{Client, ClientBuilder, KeepAlive, ProtocolPolicy};
/// use std::time::Duration;
///
/// let builder: ClientBuilder = Client::builder("example", "1.0")
///     .protocol(ProtocolPolicy::Auto)
///     .request_timeout(Duration::from_secs(20))
///     .keep_alive(KeepAlive { interval: Duration::from_secs(30), timeout: Duration::from_secs(10) })
///     .on_error(|problem| eprintln!("{}", problem.message));
/// let client = builder.build();
/// # let _ = client;
/// ```
#[must_use]
pub struct ClientBuilder {
    pub(super) settings: ClientSettings,
    pub(super) handlers: Handlers,
    pub(super) session: Settings,
    clock: Arc<dyn Clock>,
    trace: Option<FrameTrace>,
    slow_call: Option<Duration>,
    start: Option<StartReviewer>,
    believed: Duration,
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder").finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// Sets all that servers are told about the program.
    pub fn info(mut self, info: Implementation) -> Self {
        self.settings.info = info;
        self
    }

    /// Sets which era is tried, and in which order.
    pub fn protocol(mut self, policy: ProtocolPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// Sets how long a request may wait for an answer or progress. 60 s.
    pub fn request_timeout(mut self, timeout: Duration) -> Self {
        self.settings.patience.timeout = timeout;
        self
    }

    /// Sets how long a request may take in all, whatever its progress. 10 min.
    pub fn request_max(mut self, max: Duration) -> Self {
        self.settings.patience.max = max;
        self
    }

    /// Sets how long the first question may stay unanswered. Over stdio the server then counts
    /// as one of the legacy era, after 10 s if nothing is set; over HTTP connecting fails, by
    /// default after [`ClientBuilder::request_timeout`].
    pub fn probe_timeout(mut self, timeout: Duration) -> Self {
        self.settings.probe_timeout = Some(timeout);
        self
    }

    /// Pings legacy servers; one that does not answer counts as lost: a child process is ended and
    /// started again if its [`RestartPolicy`](super::RestartPolicy) says so, else the session is over.
    pub fn keep_alive(mut self, keep_alive: KeepAlive) -> Self {
        self.settings.keep_alive = Some(keep_alive);
        self
    }

    /// Sends requests even if the server did not declare the capability they need.
    pub fn lenient(mut self) -> Self {
        self.settings.strict = false;
        self
    }

    /// Answers `sampling/createMessage` with a plain function. Deprecated since 2026-07-28
    /// (SEP-2577); earliest removal 2027-07-28.
    pub fn on_sampling<F, R>(self, handler: F) -> Self
    where
        F: Fn(CreateMessageParams) -> R + Send + Sync + 'static,
        R: Future<Output = Result<CreateMessageResult, Error>> + Send + 'static,
    {
        self.sampler(FnSampler(handler))
    }

    /// Answers `sampling/createMessage` in four steps. Deprecated since 2026-07-28 (SEP-2577); earliest removal
    /// 2027-07-28.
    pub fn sampler(mut self, sampler: impl Sampler) -> Self {
        self.handlers.sampler = Some(Arc::new(sampler));
        self
    }

    /// Declares that sampling requests may carry tools.
    pub fn sampling_tools(mut self) -> Self {
        self.handlers.sampling.tools = Some(RawObject::new());
        self
    }

    /// Declares that sampling requests may ask for context. Deprecated since 2025-11-25
    /// (SEP-2596); earliest removal with sampling, 2027-07-28.
    pub fn sampling_context(mut self) -> Self {
        self.handlers.sampling.context = Some(RawObject::new());
        self
    }

    /// Bounds what one session may cause by sampling.
    pub fn sampling_budget(mut self, budget: SamplingBudget) -> Self {
        self.handlers.budget = budget;
        self
    }

    /// Answers forms. Missing values are filled from the form's defaults, and the
    /// answer is checked before it is sent.
    pub fn on_elicitation<F, R>(mut self, handler: F) -> Self
    where
        F: Fn(ElicitFormParams) -> R + Send + Sync + 'static,
        R: Future<Output = Result<ElicitResult, Error>> + Send + 'static,
    {
        self.handlers.form = Some(Arc::new(move |form| Box::pin(handler(form))));
        self
    }

    /// Answers requests to visit a page. The handler shows the whole URL, its host and
    /// origin, and asks; the engine never opens it. Pages that are neither `http`
    /// nor `https` are refused without asking.
    pub fn on_elicitation_url<F, R>(mut self, handler: F) -> Self
    where
        F: Fn(PageRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<ElicitResult, Error>> + Send + 'static,
    {
        self.handlers.url = Some(Arc::new(move |url| Box::pin(handler(url))));
        self
    }

    /// Offers these roots, of any URI scheme. Deprecated since 2026-07-28 (SEP-2577); earliest removal
    /// 2027-07-28.
    pub fn roots(self, roots: impl IntoIterator<Item = Root>) -> Self {
        let roots: Vec<Root> = roots.into_iter().collect();
        self.on_roots(move || std::future::ready(Ok(roots.clone())))
    }

    /// Offers the roots this function returns at the time. Deprecated since 2026-07-28 (SEP-2577); earliest removal
    /// 2027-07-28.
    pub fn on_roots<F, R>(mut self, handler: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<Vec<Root>, Error>> + Send + 'static,
    {
        self.handlers.roots = Some(Arc::new(move |()| Box::pin(handler())));
        self
    }

    /// Answers a request of the server's that the protocol does not define.
    pub fn on_request<F, R>(mut self, method: impl Into<String>, handler: F) -> Self
    where
        F: Fn(Option<RawJson>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<RawJson, Error>> + Send + 'static,
    {
        let method = method.into();
        self.settings.methods.insert(method.clone());
        self.handlers.raw.insert(method, Arc::new(move |params| Box::pin(handler(params))));
        self
    }

    /// Decides about each tool call before anything is sent.
    pub fn review_tool_call(mut self, reviewer: impl ToolReviewer) -> Self {
        self.session.reviewer = Arc::new(reviewer);
        self
    }

    /// Decides whether a server program may be started, usually by asking a person.
    /// Without it every command the program connects to is started.
    pub fn review_start<F, R>(mut self, reviewer: F) -> Self
    where
        F: Fn(StartRequest) -> R + Send + Sync + 'static,
        R: Future<Output = bool> + Send + 'static,
    {
        self.start = Some(Arc::new(move |request| Box::pin(reviewer(request))));
        self
    }

    /// Sets how long it is remembered which era a server speaks; zero asks every time.
    /// 1 h.
    pub fn remember_era(mut self, time: Duration) -> Self {
        self.believed = time;
        self
    }

    /// Trusts what servers say about their tools. Off.
    pub fn trusted(mut self, trusted: bool) -> Self {
        self.session.trusted = trusted;
        self
    }

    /// Whether results are kept as long as servers allow. On.
    pub fn cache(mut self, on: bool) -> Self {
        self.session.cache = on;
        self
    }

    /// Sets how many rounds of questions one call may take. 8.
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.session.max_rounds = rounds;
        self
    }

    /// Hears what belongs to no request: unreadable input, late and duplicate replies,
    /// failures of streams.
    pub fn on_error(mut self, hook: impl Fn(&Problem) + Send + Sync + 'static) -> Self {
        self.session.on_error = Some(Arc::new(hook) as OnError);
        self
    }

    /// Writes every frame to a file or hands it to a function, for debugging.
    /// `MCPBOLT_TRACE=FILE` writes to a file from outside.
    pub fn trace(mut self, trace: FrameTrace) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Tells calls slower than this under `mcpbolt::performance`. 10 s.
    pub fn slow_call(mut self, threshold: Duration) -> Self {
        self.slow_call = Some(threshold);
        self
    }

    /// Sets the source of time.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The client.
    ///
    /// # Panics
    /// Where [`ClientBuilder::try_build`] fails.
    pub fn build(self) -> Client {
        match self.try_build() {
            Ok(client) => client,
            Err(error) => panic!("{error}"),
        }
    }

    /// The client.
    ///
    /// # Errors
    /// `Usage` if an extension has no prefix, or settings that are not an object.
    pub fn try_build(mut self) -> Result<Client, Error> {
        extensions::check(self.handlers.other.extensions.as_ref())?;
        if self.handlers.roots.is_some() {
            deprecated(Deprecated::Roots);
        }
        if self.handlers.sampler.is_some() {
            deprecated(Deprecated::Sampling);
        }
        self.settings.capabilities = self.handlers.capabilities();
        Ok(Client {
            settings: self.settings,
            handlers: Arc::new(self.handlers),
            session: self.session,
            clock: self.clock,
            trace: self.trace,
            slow_call: self.slow_call,
            start: self.start,
            believed: self.believed,
            eras: Arc::default(),
        })
    }
}

struct FnSampler<F>(F);

impl<F, R> Sampler for FnSampler<F>
where
    F: Fn(CreateMessageParams) -> R + Send + Sync + 'static,
    R: Future<Output = Result<CreateMessageResult, Error>> + Send + 'static,
{
    fn create_message(
        &self,
        params: CreateMessageParams,
        _: Option<String>,
    ) -> BoxFuture<'_, Result<CreateMessageResult, Error>> {
        Box::pin((self.0)(params))
    }
}
