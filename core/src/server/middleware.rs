//! Code of the program that sees every request, on every transport.

use std::sync::Arc;

use mcpbolt_proto::session::Answer;

use crate::handler::BoxFuture;

use super::Context;

/// Sees every request before its handler, and the answer after it.
pub trait Middleware: Send + Sync + 'static {
    /// Handles a request, usually by calling `next`.
    fn handle(&self, context: Context, next: Next) -> BoxFuture<'static, Answer>;
}

/// The rest of the chain.
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
