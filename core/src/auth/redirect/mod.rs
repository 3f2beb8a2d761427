//! How the user's answer comes back from the authorization server.
//!
//! Owns: the traits, a receiver on this machine, and one for apps that have their own way.
//! Must not know: whether an answer is good.

mod callback;
mod loopback;
mod page;

use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;

use crate::handler::BoxFuture;

pub use callback::RedirectCallback;
pub use loopback::Loopback;

/// Sends users to an authorization server and receives what their browser comes back with.
/// [`Loopback`] opens the browser of this machine, [`RedirectCallback`] is for all else.
///
/// ```
/// use mcpbolt::Error;
/// use mcpbolt::auth::{Listening, RedirectAnswer, RedirectReceiver, Secret};
/// use mcpbolt::handler::BoxFuture;
///
/// /// The window of an app.
/// #[derive(Clone)]
/// struct Window;
///
/// impl RedirectReceiver for Window {
///     fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>> {
///         Box::pin(async { Ok(Box::new(Window) as Box<dyn Listening>) })
///     }
/// }
///
/// impl Listening for Window {
///     fn redirect_uri(&self) -> &str {
///         "https://app.example.com/callback"
///     }
///     fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> {
///         Box::pin(async move {
///             let came_back_to = format!("{}?error=access_denied", self.redirect_uri()); // shows `url`
///             # let _ = url;
///             Ok(RedirectAnswer::from_url(&came_back_to)?)
///         })
///     }
/// }
/// ```
pub trait RedirectReceiver: Send + Sync + 'static {
    /// Gets ready for one answer, before the authorization server is told where it shall go.
    fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>>;
}

/// A [`RedirectReceiver`] that is ready for one answer. Dropping it gives up.
///
/// ```
/// use mcpbolt::auth::{Loopback, RedirectReceiver};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcpbolt::Error> {
/// let listening = Loopback::new().listen().await?;
/// assert!(listening.redirect_uri().starts_with("http://127.0.0.1:"));
/// # Ok(())
/// # }
/// ```
pub trait Listening: Send + Sync {
    /// Where the browser shall come back to.
    fn redirect_uri(&self) -> &str;

    /// Has the user visit the authorization server at `url`, and waits for the answer. The
    /// URL is for the user's browser only; it belongs in no log, and is never given to a shell.
    fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>>;
}
