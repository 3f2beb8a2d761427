//! [`Bus`] on the server's channels.
//!
//! Owns: that a subscription ends when its stream is dropped. Must not know: who else listens.

use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
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
            let topic = topic.to_owned();
            if !self.0.request(Request::Join { topic: topic.clone(), tell }) {
                return Err(closed());
            }
            let inner = self.0.answer(told).await?;
            let link = Arc::downgrade(&self.0);
            Ok(Box::pin(Subscription { inner, topic, link }) as BoxStream<BusEvent>)
        })
    }
}

struct Subscription {
    inner: BoxStream<BusEvent>,
    topic: String,
    link: Weak<Link>,
}

impl Stream for Subscription {
    type Item = BusEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<BusEvent>> {
        self.inner.as_mut().poll_next(context)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(link) = self.link.upgrade() {
            link.request(Request::Leave { topic: std::mem::take(&mut self.topic) });
        }
    }
}
