//! The words for a body that is not a message, found by the program.
//!
//! Owns: the hook. Must not know: why the engine could not read the body.

use crate::handler::BoxFuture;

/// Words the refusals of bodies that are not one message. Asked only where the server's
/// [`Norm`](mcpbolt_proto::policy::norm::Norm) leaves them to the program.
///
/// ```
/// use mcpbolt::handler::BoxFuture;
/// use mcpbolt::transport::streamable_http::server::BodyWords;
///
/// /// Says the same of every body.
/// struct Short;
///
/// impl BodyWords for Short {
///     fn describe<'a>(&'a self, body: &'a [u8]) -> BoxFuture<'a, Option<(i64, String)>> {
///         Box::pin(async move { Some((-32700, format!("{} bytes that are no message", body.len()))) })
///     }
/// }
/// ```
pub trait BodyWords: Send + Sync {
    /// Code and message of the error; `None` for the server's own words.
    fn describe<'a>(&'a self, body: &'a [u8]) -> BoxFuture<'a, Option<(i64, String)>>;
}
