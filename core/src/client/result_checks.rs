//! What a server answered, before the program gets it.
//!
//! Owns: the program's own check, the caps, the check of media, how deep sampling nests.
//! Must not know: how answers travel.

use std::future::Future;
use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::media;
use mcpbolt_proto::policy::trust::{ResultCaps, Untrusted};
use mcpbolt_proto::protocol::types::ToolAnnotations;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};

use super::builder::ClientBuilder;
use super::session::ClientSession;

/// A result that the program has not seen yet.
///
/// ```
/// use mcpbolt::client::{Client, Received};
///
/// let client = Client::builder("host", "1.0")
///     .validate_result(|received: &Received<'_>| {
///         let suspicious = received.method == "tools/call" && received.result.as_str().contains("<script");
///         if suspicious { Err("it holds a script".to_owned()) } else { Ok(()) }
///     })
///     .build();
/// # let _ = client;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// The method that was asked.
    pub method: &'a str,
    /// The tool or prompt, or the URI of the resource.
    pub name: Option<&'a str>,
    /// The result as it came.
    pub result: &'a RawJson,
}

pub(super) type ValidateFn = Arc<dyn Fn(&Received<'_>) -> Result<(), String> + Send + Sync>;

/// How results are checked.
#[derive(Clone)]
pub(super) struct Checks {
    pub(super) caps: ResultCaps,
    pub(super) media: bool,
    pub(super) validate: Option<ValidateFn>,
}

impl Default for Checks {
    fn default() -> Self {
        Self { caps: ResultCaps::default(), media: true, validate: None }
    }
}

/// Whether a result is as large as it may be and, where that is asked for, its content well
/// formed.
pub(crate) fn acceptable(
    caps: &ResultCaps,
    check_media: bool,
    method: &str,
    result: &RawJson,
) -> Result<(), Error> {
    caps.result(result.as_bytes().len()).map_err(|why| wrong(method, &why))?;
    if check_media && media::has_content(method) {
        media::check(result).map_err(|why| wrong(method, &why))?;
    }
    Ok(())
}

/// A result that must not be taken.
pub(crate) fn wrong(method: &str, why: &str) -> Error {
    Error::protocol(format!("the server's answer to {method}: {why}"))
}

impl Checks {
    /// Whether a result may be handed to the program.
    pub(super) fn check(
        &self,
        method: &str,
        params: Option<&RawJson>,
        result: &RawJson,
    ) -> Result<(), Error> {
        acceptable(&self.caps, self.media, method, result)?;
        let Some(validate) = &self.validate else { return Ok(()) };
        let name = methods::name_of(method, params);
        let received = Received { method, name: name.as_deref(), result };
        validate(&received).map_err(|why| {
            Error::new(ErrorKind::Rejected, format!("the result of {method} was refused: {why}"))
        })
    }

    /// Whether a list of so many items may be handed to the program.
    pub(super) fn list(&self, items: usize) -> Result<(), Error> {
        self.caps.list(items).map_err(Error::protocol)
    }
}

impl ClientBuilder {
    /// Checks each result before it is returned or kept. `Err` says why it must not be:
    /// the call fails with `Rejected`.
    pub fn validate_result(
        mut self,
        validate: impl Fn(&Received<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.session.checks.validate = Some(Arc::new(validate));
        self
    }

    /// Whether MIME types (RFC 6838) and base64 in results are checked; calls whose
    /// result has a wrong one fail with `Protocol`. On.
    pub fn check_media(mut self, on: bool) -> Self {
        self.session.checks.media = on;
        self
    }

    /// Bounds what a server may hand to the program.
    pub fn result_caps(mut self, caps: ResultCaps) -> Self {
        self.session.checks.caps = caps;
        self
    }
}

impl ClientSession {
    /// What the server says of a tool, as of the last list.
    pub fn annotations(&self, tool: &str) -> Option<Untrusted<ToolAnnotations>> {
        let claimed = self.shared.tools.get(tool)?.annotations?;
        Some(self.shared.settings.claim(claimed))
    }
}

/// Sampling inside of sampling, more often than may be.
pub(crate) fn too_deep() -> Error {
    Error::rejected("sampling request: it is nested too deeply (max_nested_sampling)")
}

tokio::task_local! {
    /// How deep in sampling the running handler is.
    static DEPTH: usize;
}

/// The calls of one session that are open, by the depth they were made at.
#[derive(Debug, Default)]
pub(super) struct Nesting(Mutex<Vec<usize>>);

/// One open call.
pub(super) struct Open<'a>(&'a Nesting, usize);

impl Nesting {
    /// A call begins.
    pub(super) fn call(&self) -> Open<'_> {
        let depth = DEPTH.try_with(|depth| *depth).unwrap_or(0);
        self.0.lock().push(depth);
        Open(self, depth)
    }

    /// Answers a sampling request, unless that would be one inside too many others: it
    /// belongs to one of the open calls, at worst to the deepest.
    pub(super) async fn sample<T>(
        &self,
        caps: &ResultCaps,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let depth = self.0.lock().iter().copied().max().unwrap_or(0) + 1;
        if !caps.nests(depth) {
            return Err(too_deep());
        }
        DEPTH.scope(depth, answer).await
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut open = self.0.0.lock();
        if let Some(at) = open.iter().position(|depth| *depth == self.1) {
            open.swap_remove(at);
        }
    }
}
