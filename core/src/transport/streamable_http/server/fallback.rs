//! Paths of a listener that are not ours: for hosts with pages of their own.
//!
//! Owns: the trait that answers them. Must not know: which paths those are.

use std::pin::Pin;

use bytes::Bytes;
use http_body::Body;

use crate::handler::{BoxFuture, RequestHead, Scope};

/// A response body of the host's making.
pub type ForeignBody = Pin<Box<dyn Body<Data = Bytes, Error = std::convert::Infallible> + Send>>;

/// Serves what the endpoint does not. Host, Origin and credentials are checked, the
/// body is read.
///
/// ```
/// use bytes::Bytes;
/// use mcpbolt::handler::{BoxFuture, RequestHead, Scope};
/// use mcpbolt::transport::streamable_http::server::{Fallback, ForeignBody, HttpOptions};
/// use std::sync::Arc;
///
/// /// A page beside the endpoint.
/// struct Welcome;
///
/// impl Fallback for Welcome {
///     fn respond(
///         &self,
///         head: &RequestHead,
///         _: Bytes,
///         _: &Scope,
///     ) -> BoxFuture<'static, http::Response<ForeignBody>> {
///         let text = format!("there is nothing at {}, the endpoint is /mcp\n", head.uri.path());
///         let body: ForeignBody = Box::pin(http_body_util::Full::new(Bytes::from(text)));
///         Box::pin(async move { http::Response::new(body) })
///     }
/// }
/// let options = HttpOptions { fallback: Some(Arc::new(Welcome)), ..HttpOptions::default() };
/// # assert!(options.fallback.is_some());
/// ```
pub trait Fallback: Send + Sync + 'static {
    /// The response to one request.
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        scope: &Scope,
    ) -> BoxFuture<'static, http::Response<ForeignBody>>;

    /// The server began to shut down: bodies that go on until the client leaves should end, or
    /// the shutdown waits for them as long as it waits for calls. Nothing unless said.
    fn drain(&self) {}
}
