//! What only the program can give to a sign-in.
//!
//! Owns: the trait. Must not know: what it is used for.

use mcpbolt_proto::auth::flow::Need;
use mcpbolt_proto::auth::metadata::ClientMetadata;
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;

use crate::handler::BoxFuture;

/// Gives what only the program has: signed assertions, tokens of a company's identity
/// provider, or a client that the user registers by hand. What is not given ends the
/// sign-in with an error that names it.
///
/// ```
/// use mcpbolt::Error;
/// use mcpbolt::auth::{Need, OAuth, Secret, Supplier};
/// use mcpbolt::handler::BoxFuture;
///
/// /// The platform puts an assertion into a file.
/// struct Platform;
///
/// impl Supplier for Platform {
///     fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
///         Box::pin(async move {
///             let Need::WorkloadAssertion { .. } = need else { return Ok(None) };
///             let text = std::fs::read_to_string("/var/run/secrets/token");
///             Ok(text.ok().map(|text| Secret::new(text.trim())))
///         })
///     }
/// }
///
/// let oauth = OAuth::new("Example").supplier(Platform);
/// # let _ = oauth;
/// ```
pub trait Supplier: Send + Sync + 'static {
    /// Something secret; `None` if there is none.
    fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        let _ = need;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// A client that the user registers at the authorization server `issuer`, which lets no
    /// client register by itself. `metadata` is what to say there; `None` gives up.
    fn register_by_hand<'a>(
        &'a self,
        issuer: &'a str,
        metadata: &'a ClientMetadata,
    ) -> BoxFuture<'a, Result<Option<ClientInformation>, Error>> {
        let _ = (issuer, metadata);
        Box::pin(std::future::ready(Ok(None)))
    }
}
