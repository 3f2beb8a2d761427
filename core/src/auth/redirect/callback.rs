//! A receiver that is a function of the program's.
//!
//! Owns: handing it the URL. Must not know: how it shows it.

use std::sync::Arc;

use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;

use super::{Listening, RedirectReceiver};
use crate::handler::BoxFuture;

type Visit = dyn Fn(Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> + Send + Sync;

/// A redirect URI of the program's own, and the function that shows the user a URL and waits
/// for the answer there.
///
/// ```
/// use mcpbolt::auth::{OAuth, RedirectAnswer, RedirectCallback};
///
/// let redirect = RedirectCallback::new("https://app.example.com/callback", |url| async move {
///     println!("Please visit {}", url.expose());
///     let mut came_back_to = String::new();
///     std::io::stdin().read_line(&mut came_back_to).ok();
///     Ok(RedirectAnswer::from_url(came_back_to.trim())?)
/// });
/// let oauth = OAuth::new("Example").redirect(redirect);
/// # let _ = oauth;
/// ```
#[derive(Clone)]
pub struct RedirectCallback {
    redirect_uri: String,
    visit: Arc<Visit>,
}

impl RedirectCallback {
    /// `visit` is given the URL that the user has to open.
    pub fn new<F, R>(redirect_uri: impl Into<String>, visit: F) -> Self
    where
        F: Fn(Secret) -> R + Send + Sync + 'static,
        R: Future<Output = Result<RedirectAnswer, Error>> + Send + 'static,
    {
        Self { redirect_uri: redirect_uri.into(), visit: Arc::new(move |url| Box::pin(visit(url))) }
    }
}

impl std::fmt::Debug for RedirectCallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RedirectCallback({})", self.redirect_uri)
    }
}

impl RedirectReceiver for RedirectCallback {
    fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>> {
        Box::pin(std::future::ready(Ok(Box::new(self.clone()) as Box<dyn Listening>)))
    }
}

impl Listening for RedirectCallback {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> {
        (self.visit)(url)
    }
}
