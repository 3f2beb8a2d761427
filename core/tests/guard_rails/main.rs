//! Every guard rail of a server and a client: what it holds back, and that it can be set.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod audit;
mod error_detail;
mod media;
mod output;
mod paths;
mod untrusted;

#[path = "../peer/mod.rs"]
mod peer;

use std::time::Duration;

/// No wait is longer than this.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}
