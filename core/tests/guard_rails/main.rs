//! Every guard rail of a server and a client: what it holds back, and that it can be set;
//! over memory and, where it matters, over real HTTP.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod access;
mod audit;
mod deadlines;
mod error_detail;
mod hosts;
mod media;
mod output;
mod paths;
mod rates;
mod untrusted;

#[path = "../bridge/peer.rs"]
#[allow(dead_code, reason = "a part of it is used here")]
mod host;
#[path = "../peer/mod.rs"]
mod peer;
#[path = "../http_server/support.rs"]
#[allow(dead_code, reason = "a part of it is used here")]
mod web;

use std::time::Duration;

/// No wait is longer than this.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}
