//! Futures and streams behind a pointer.
//!
//! Owns: the two type aliases. Must not know: what is awaited.

use std::future::Future;
use std::pin::Pin;

use futures_core::Stream;

/// A future behind a pointer, so that stores can be chosen at run time.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A stream behind a pointer.
pub type BoxStream<T> = Pin<Box<dyn Stream<Item = T> + Send>>;
