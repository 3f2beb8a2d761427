//! [`Bus`] on the server's channels.
//!
//! Owns: what is asked of the server for each of its promises. Must not know: who else listens.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt_proto::protocol::Error;
use tokio::sync::oneshot;

use super::super::bus::{Bus, BusEvent};
use super::super::future::{BoxFuture, BoxStream};
use super::failure::closed;
use super::link::Link;
use super::topics::Request;

pub(super) struct RedisBus(pub(super) Arc<Link>);

impl Bus for RedisBus {
    fn publish<'a>(&'a self, topic: &'a str, message: Bytes) -> BoxFuture<'a, Result<(), Error>> {
        let channel = self.0.key(topic);
        self.0.run(move |mut connection| async move {
            redis::cmd("PUBLISH").arg(channel).arg(&message[..]).query_async(&mut connection).await
        })
    }

    fn subscribe<'a>(&'a self, topic: &'a str) -> BoxFuture<'a, Result<BoxStream<BusEvent>, Error>> {
        Box::pin(async move {
            // Something is asked first, since it fails where nobody would answer.
            let () = self
                .0
                .run(|mut connection| async move { redis::cmd("PING").exec_async(&mut connection).await })
                .await?;
            let (tell, told) = oneshot::channel();
            if !self.0.request(Request::Join { topic: topic.to_owned(), tell }) {
                return Err(closed());
            }
            Ok(Box::pin(self.0.answer(told).await?) as BoxStream<BusEvent>)
        })
    }
}
