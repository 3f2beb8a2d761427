//! What a handler can learn and do while it runs.
//!
//! Owns: the typed face of a call. Must not know: how a call is run, or which method it
//! answers.

use std::future::{Future as _, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use serde::Serialize;
use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::policy::media;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::meta::Meta;
use mcpbolt_proto::protocol::types::{
    CreateMessageParams, CreateMessageResult, ElicitParams, ElicitResult, Implementation, ListRootsResult,
    LoggingLevel, ProgressParams, Root,
};
use mcpbolt_proto::protocol::{Error, ErrorKind, Revision, methods};

use crate::handler::{AskPlan, Call, Cancelled, NotSentError, Principal, ProgressFn, RequestHead, Sent};
use crate::observe::events::{self, Deprecated, deprecated, is_file};

use super::Page;

/// One running call. Cheap to clone; clones are the same call.
///
/// ```
/// use mcpbolt::server::{Context, Failure};
/// use mcpbolt::types::{BooleanSchema, ElicitParams, FormSchema};
///
/// async fn import(files: Vec<String>, ctx: Context) -> Result<String, Failure> {
///     let form = FormSchema::builder().required("go", BooleanSchema::new().title("Import them"));
///     if !ctx.elicit(ElicitParams::form("Import all files?", form)).await?.accepted() {
///         return Ok("Nothing was imported.".to_owned());
///     }
///     for (done, file) in files.iter().enumerate() {
///         if ctx.is_cancelled() {
///             return Err(Failure::tool("cancelled"));
///         }
///         ctx.progress(done as f64, Some(files.len() as f64), Some(file)).await;
///     }
///     ctx.info(format!("imported {}", files.len()));
///     Ok(format!("Imported {} files.", files.len()))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Context(Arc<Call>);

impl Context {
    /// The context of a call.
    pub fn new(call: &Arc<Call>) -> Self {
        Self(Arc::clone(call))
    }

    /// The call underneath.
    pub fn call(&self) -> &Arc<Call> {
        &self.0
    }

    /// Id of the request; on the modern era a retry brings another one.
    pub fn request_id(&self) -> Id {
        self.0.request_id()
    }

    /// Revision the client speaks.
    pub fn revision(&self) -> Revision {
        self.0.revision()
    }

    /// `_meta` of the request.
    pub fn meta(&self) -> Meta {
        Meta(self.0.meta().raw.clone())
    }

    /// What the client can do.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.0.client_capabilities()
    }

    /// The settings the client declared an extension with; `None` if it did not, and the
    /// core protocol has to do.
    pub fn client_extension(&self, id: &str) -> Option<RawObject> {
        self.client_capabilities().extension(id)
    }

    /// The same, where nothing can be done without it.
    ///
    /// # Errors
    /// `MissingClientCapability` (-32021 on the modern era), naming the extension.
    pub fn require_extension(&self, id: &str) -> Result<RawObject, Error> {
        self.client_capabilities().require_extension(id)
    }

    /// Who the client says it is. For display only.
    pub fn client_info(&self) -> Option<Implementation> {
        self.0.client_info()
    }

    /// Who is asking, as the credential hook knows it.
    pub fn principal(&self) -> Principal {
        self.0.scope().principal
    }

    /// Head of the HTTP request, over HTTP.
    pub fn http_head(&self) -> Option<Arc<RequestHead>> {
        self.0.scope().head
    }

    /// Whether the client no longer wants the answer.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Resolves when the client no longer wants the answer.
    pub fn cancelled(&self) -> Cancelled {
        self.0.cancelled()
    }

    /// Reports progress, if the client asked for it; returns when it is queued.
    /// `progress` must increase.
    pub async fn progress(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        while let Ok(Sent::Full) = self.0.progress(progress, total, message) {
            self.writable().await;
        }
    }

    /// Sends a log message, if the client wants this level. One that comes too fast, or
    /// while the client takes nothing, waits; when too many wait the oldest is lost, and
    /// the next that is sent says how many were
    /// ([`meta::LOST_LOGS`](mcpbolt_proto::protocol::meta::LOST_LOGS)).
    /// Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
    pub fn log(&self, level: LoggingLevel, data: impl Serialize) {
        self.send_log(level, None, data);
    }

    /// As [`Context::log`], naming a part of the server. Deprecated since 2026-07-28
    /// (SEP-2577); earliest removal 2027-07-28.
    pub fn log_from(&self, logger: &str, level: LoggingLevel, data: impl Serialize) {
        self.send_log(level, Some(logger), data);
    }

    fn send_log(&self, level: LoggingLevel, logger: Option<&str>, data: impl Serialize) {
        deprecated(Deprecated::Logging);
        if let Ok(data) = RawJson::encode(&data) {
            let _ = self.0.log(level, logger, data);
        }
    }

    /// Logs at `debug`.
    pub fn debug(&self, message: impl AsRef<str>) {
        self.log(LoggingLevel::Debug, message.as_ref());
    }

    /// Logs at `info`.
    pub fn info(&self, message: impl AsRef<str>) {
        self.log(LoggingLevel::Info, message.as_ref());
    }

    /// Logs at `warning`.
    pub fn warning(&self, message: impl AsRef<str>) {
        self.log(LoggingLevel::Warning, message.as_ref());
    }

    /// Logs at `error`.
    pub fn error(&self, message: impl AsRef<str>) {
        self.log(LoggingLevel::Error, message.as_ref());
    }

    /// Sends a notification of the program's own on this request's stream.
    pub fn notify(&self, method: &str, params: impl Serialize) -> Result<Sent, NotSentError> {
        let params = RawJson::encode(&params).unwrap_or_else(|_| RawJson::empty_object());
        self.0.notify(method, Some(&params))
    }

    /// Asks the client's user.
    pub async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Error> {
        self.ask(methods::ELICITATION_CREATE, Some(&params)).await
    }

    /// Asks the client's model. Deprecated since 2026-07-28 (SEP-2577); earliest removal
    /// 2027-07-28.
    pub async fn create_message(&self, params: CreateMessageParams) -> Result<CreateMessageResult, Error> {
        deprecated(Deprecated::Sampling);
        self.ask(methods::SAMPLING_CREATE_MESSAGE, Some(&params)).await
    }

    /// Asks for the client's roots. Deprecated since 2026-07-28 (SEP-2577); earliest
    /// removal 2027-07-28.
    pub async fn list_roots(&self) -> Result<Vec<Root>, Error> {
        deprecated(Deprecated::Roots);
        let result: ListRootsResult = self.ask(methods::ROOTS_LIST, None::<&()>).await?;
        if result.roots.iter().any(|root| !is_file(&root.uri)) {
            events::foreign_root();
        }
        Ok(result.roots)
    }

    /// A page this client is sent to under this id; see [`Failure::pages`](super::Failure::pages).
    pub fn page(&self, elicitation_id: impl Into<String>) -> Page {
        Page::new(&self.0.link(), elicitation_id.into())
    }

    /// Sends any request to the client, typed. On the modern era only what an
    /// `input_required` result may carry.
    pub async fn ask<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: Option<&P>,
    ) -> Result<R, Error> {
        self.answered(method, params, AskPlan::default()).await
    }

    /// As [`Context::ask`], and hears of the client's progress meanwhile. On the modern era
    /// a question travels in a result, and nothing is reported of it.
    pub async fn ask_with_progress<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: Option<&P>,
        progress: impl Fn(ProgressParams) + Send + Sync + 'static,
    ) -> Result<R, Error> {
        let progress: ProgressFn = Arc::new(move |params: &RawJson| {
            if let Ok(params) = params.decode() {
                progress(params);
            }
        });
        self.answered(method, params, AskPlan { progress: Some(progress), ..AskPlan::default() }).await
    }

    async fn answered<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: Option<&P>,
        plan: AskPlan,
    ) -> Result<R, Error> {
        let params = params
            .map(RawJson::encode)
            .transpose()
            .map_err(|e| Error::new(ErrorKind::Usage, format!("params of {method}: {e}")))?;
        let answer = self.0.ask_with(method, params, plan).await?;
        if method == methods::SAMPLING_CREATE_MESSAGE && self.0.engine().checks_media() {
            let wrong = |wrong| Error::new(ErrorKind::Protocol, format!("the client's answer: {wrong}"));
            media::check(&answer).map_err(wrong)?;
        }
        answer.decode().map_err(|_| {
            Error::new(ErrorKind::Protocol, format!("the client's answer to {method} is malformed"))
        })
    }

    /// Closes the stream this call would answer on, though it runs on: the client comes
    /// back for the answer. Only where the revision can resume streams (2025-11-25 over
    /// HTTP); elsewhere nothing happens.
    pub fn close_stream(&self) {
        self.0.close_stream();
    }

    /// The answers a retry brought to questions this handler returned earlier.
    pub fn input_responses(&self) -> &RawObject {
        self.0.input_responses()
    }

    /// One of those answers, typed.
    pub fn input_response<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.input_responses().get(key)?.decode().ok()
    }

    /// The state this handler returned with its questions.
    pub fn request_state(&self) -> Option<&str> {
        self.0.request_state()
    }

    /// Resolves when messages can be queued again.
    async fn writable(&self) {
        let (sender, mut receiver) = tokio::sync::oneshot::channel::<()>();
        self.0.on_writable(Box::new(move || drop(sender)));
        let call = &self.0;
        poll_fn(|cx| {
            if call.is_cancelled() {
                return Poll::Ready(());
            }
            std::pin::Pin::new(&mut receiver).poll(cx).map(drop)
        })
        .await;
    }
}
