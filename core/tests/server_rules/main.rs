//! What a server promises whoever uses it: steady lists, extensions, schemas, access,
//! places, pages, and that it keeps secrets to itself.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod access;
mod apps;
mod asking;
mod extensions;
mod lists;
mod pages;
mod places;
mod schemas;
mod secrets;
mod skills;
mod streams;

#[path = "../peer/mod.rs"]
mod peer;

use std::time::Duration;

/// No wait is longer than this.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}
