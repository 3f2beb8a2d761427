//! Paths of a listener that are not ours: for hosts with pages of their own.

use std::pin::Pin;

use bytes::Bytes;
use http_body::Body;

use crate::handler::{BoxFuture, RequestHead, Scope};

/// A response body of the host's making.
pub type ForeignBody = Pin<Box<dyn Body<Data = Bytes, Error = std::convert::Infallible> + Send>>;

/// Serves what the endpoint does not. Host, Origin and credentials are checked, the
/// body is read.
pub trait Fallback: Send + Sync + 'static {
    /// The response to one request.
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        scope: &Scope,
    ) -> BoxFuture<'static, http::Response<ForeignBody>>;
}
