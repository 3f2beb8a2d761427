//! Code of the program that sees every request, on every transport.
//!
//! Owns: the order of the chain. Must not know: what it does.

use std::sync::Arc;

use mcpbolt_proto::session::Answer;

use crate::handler::BoxFuture;

use super::Context;

/// Sees every request before its handler, and the answer after it.
///
/// ```
/// use mcpbolt::server::{Context, Middleware, Next, Server};
/// use std::time::Instant;
///
/// let timed = |context: Context, next: Next| -> mcpbolt::handler::BoxFuture<'static, _> {
///     Box::pin(async move {
///         let (method, start) = (context.call().method().to_owned(), Instant::now());
///         let answer = next.run(context).await;
///         eprintln!("{method} took {:?}", start.elapsed());
///         answer
///     })
/// };
/// let server = Server::builder("notes", "1.0.0").middleware(timed).build();
/// # let _: (&Server, &dyn Middleware) = (&server, &timed);
/// ```
pub trait Middleware: Send + Sync + 'static {
    /// Handles a request, usually by calling `next`.
    fn handle(&self, context: Context, next: Next) -> BoxFuture<'static, Answer>;
}

/// The rest of the chain.
///
/// ```
/// use mcpbolt::handler::BoxFuture;
/// use mcpbolt::server::{Context, Middleware, Next};
/// use mcpbolt::session::Answer;
/// use mcpbolt::Error;
///
/// /// Answers nothing while the house is on fire.
/// struct Closed;
///
/// impl Middleware for Closed {
///     fn handle(&self, context: Context, next: Next) -> BoxFuture<'static, Answer> {
///         if context.call().method() == "tools/call" {
///             return Box::pin(async { Answer::error(Error::overloaded("closed for today")) });
///         }
///         next.run(context)
///     }
/// }
/// ```
pub struct Next(pub(super) Box<dyn FnOnce(Context) -> BoxFuture<'static, Answer> + Send>);

impl Next {
    /// Goes on to the next middleware, or to the handler.
    pub fn run(self, context: Context) -> BoxFuture<'static, Answer> {
        (self.0)(context)
    }
}

impl<F> Middleware for F
where
    F: Fn(Context, Next) -> BoxFuture<'static, Answer> + Send + Sync + 'static,
{
    fn handle(&self, context: Context, next: Next) -> BoxFuture<'static, Answer> {
        self(context, next)
    }
}

/// Runs `context` through `chain` from its `at`th link, then through `last`.
pub(super) fn run(
    chain: Arc<[Arc<dyn Middleware>]>,
    at: usize,
    context: Context,
    last: Box<dyn FnOnce(Context) -> BoxFuture<'static, Answer> + Send>,
) -> BoxFuture<'static, Answer> {
    let Some(middleware) = chain.get(at).cloned() else { return last(context) };
    let next = Next(Box::new(move |context| run(chain, at + 1, context, last)));
    middleware.handle(context, next)
}
