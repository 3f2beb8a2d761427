//! What an extension of a client's hooks into: requests, results, and results of its own.
//!
//! Owns: the functions, and what they are given. Must not know: how an extension is put
//! together, or sessions.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::wire::Question;

use crate::handler::BoxFuture;

/// A result whose `resultType` is an extension's.
///
/// ```
/// use mcpbolt::client::ExtensionResult;
///
/// fn tell(result: &ExtensionResult) {
///     println!("{} was answered with a {}", result.method, result.result_type);
/// }
/// # let _ = tell;
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ExtensionResult {
    /// The method of the request that it answers.
    pub method: String,
    /// Its type.
    pub result_type: String,
    /// The whole result.
    pub value: RawJson,
}

/// A session as an extension sees it: what it needs to come from a result of its own to the
/// one that the program waits for.
///
/// ```
/// use mcpbolt::client::{ExtensionResult, Requests};
/// use mcpbolt::{Error, RawJson};
/// use std::sync::Arc;
///
/// /// Fetches what a ticket stands for.
/// async fn redeem(session: Arc<dyn Requests>, ticket: ExtensionResult) -> Result<RawJson, Error> {
///     session.request("com.example/redeem".to_owned(), Some(ticket.value)).await
/// }
/// # let _ = redeem;
/// ```
pub trait Requests: Send + Sync {
    /// Sends a request and waits for its complete result. `params` is an object; metadata is
    /// added.
    fn request(&self, method: String, params: Option<RawJson>) -> BoxFuture<'static, Result<RawJson, Error>>;

    /// Has the program's handlers answer questions of the server: each key with its answer.
    fn answer(&self, questions: Vec<Question>) -> BoxFuture<'static, Result<Vec<(String, RawJson)>, Error>>;

    /// Waits; ends early when the session is over.
    fn pause(&self, time: Duration) -> BoxFuture<'static, ()>;
}

/// Comes from a result of an extension's to a complete one.
pub(super) type ResolveFn = Arc<
    dyn Fn(Arc<dyn Requests>, ExtensionResult) -> BoxFuture<'static, Result<RawJson, Error>> + Send + Sync,
>;
/// Changes the params of a request before it is sent.
pub(super) type RequestHook = Arc<dyn Fn(Option<RawJson>) -> Result<Option<RawJson>, Error> + Send + Sync>;
/// Looks at a complete result, and may refuse it.
pub(super) type ResultHook = Arc<dyn Fn(&RawJson) -> Result<(), Error> + Send + Sync>;

/// The hooks of all extensions of a client.
#[derive(Clone, Default)]
pub(super) struct ExtensionHooks {
    pub(super) resolvers: HashMap<String, ResolveFn>,
    pub(super) requests: HashMap<String, Vec<RequestHook>>,
    pub(super) results: HashMap<String, Vec<ResultHook>>,
}

impl ExtensionHooks {
    /// The params of a request, as they are sent.
    pub(super) fn request(&self, method: &str, params: Option<RawJson>) -> Result<Option<RawJson>, Error> {
        self.requests.get(method).into_iter().flatten().try_fold(params, |params, hook| hook(params))
    }

    /// Whether a result may be handed on.
    pub(super) fn result(&self, method: &str, result: &RawJson) -> Result<(), Error> {
        self.results.get(method).into_iter().flatten().try_for_each(|hook| hook(result))
    }
}
