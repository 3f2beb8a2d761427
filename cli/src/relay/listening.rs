//! `subscriptions/listen` of clients of the modern era.
//!
//! Owns: whose tag is on what they are told; and, where the server has no such request, what it
//! is made of. Must not know: other requests.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mcpbolt::handler::Call;
use mcpbolt::meta::SUBSCRIPTION_ID;
use mcpbolt::protocol::capabilities::ServerCapabilities;
use mcpbolt::protocol::wire;
use mcpbolt::session::Answer;
use mcpbolt::session::client::{Answered, RequestOptions};
use mcpbolt::session::server::covers;
use mcpbolt::transport::client_connection::NoteFn;
use mcpbolt::types::{ListenParams, SubscriptionFilter};
use mcpbolt::{Error, RawJson, RawObject, methods};

use super::outbox::Hearer;
use super::upstream::{Upstream, lock};

/// Passes the request on; what comes back gets the client's tag.
pub(super) async fn pass_on(upstream: &Arc<Upstream>, call: &Arc<Call>) -> Result<Answer, Error> {
    let (outbox, hearer) = (Arc::clone(&upstream.outbox), Arc::clone(call));
    let notes: NoteFn = Arc::new(move |method: &str, params: Option<&RawJson>| {
        let params = tagged(&hearer, params.cloned());
        outbox.tell(Hearer::Call(Arc::clone(&hearer)), method, params);
    });
    let options = RequestOptions { as_it_is: true, ..RequestOptions::default() };
    match upstream.forward(call, call.params().cloned(), options, Some(notes)).await? {
        Answered::Complete(result) => {
            let tagged = tagged(call, Some(result)).unwrap_or_else(RawJson::empty_object);
            Ok(Answer::Shaped(tagged))
        }
        _ => Err(Error::protocol("subscriptions/listen was answered with a question")),
    }
}

/// Listens at a server that has sessions: it subscribes to the resources, and hands on what fits.
pub(super) async fn stand_in(upstream: &Arc<Upstream>, call: &Arc<Call>) -> Result<Answer, Error> {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    let wrong = || Error::invalid_params("notifications must be an object of wanted kinds");
    let asked: ListenParams = call.params().ok_or_else(wrong)?.decode().map_err(|_| wrong())?;
    let filter = honoured(asked.notifications, &upstream.agreed()?.capabilities);
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let subscribed = Subscribed::new(upstream, number, &filter);
    for uri in &subscribed.uris {
        let params = serde_json::json!({ "uri": uri }).into();
        upstream.ask(methods::RESOURCES_SUBSCRIBE, Some(params)).await?;
    }
    let acknowledged = RawJson::encode(&ListenParams { notifications: filter.clone(), meta: None })?;
    let (outbox, hearer) = (Arc::clone(&upstream.outbox), Arc::clone(call));
    let tell = move |method: &str, params: Option<RawJson>| {
        outbox.tell(Hearer::Call(Arc::clone(&hearer)), method, tagged(&hearer, params));
    };
    tell(methods::SUBSCRIPTIONS_ACKNOWLEDGED, Some(acknowledged));
    let listener = move |method: &str, params: Option<&RawJson>| {
        if wants(&filter, method, params) {
            tell(method, params.cloned());
        }
    };
    lock(&upstream.listeners).insert(number, Box::new(listener));
    let end = upstream.closed().await;
    drop(subscribed);
    Err(end.why)
}

/// What the server can tell of what is wanted.
pub(super) fn honoured(asked: SubscriptionFilter, server: &ServerCapabilities) -> SubscriptionFilter {
    let both = |wanted: Option<bool>, declared: Option<bool>| wanted.filter(|_| declared == Some(true));
    let resources = server.resources.as_ref();
    let subscribes = resources.and_then(|all| all.subscribe) == Some(true);
    SubscriptionFilter {
        tools_list_changed: both(
            asked.tools_list_changed,
            server.tools.as_ref().and_then(|tools| tools.list_changed),
        ),
        prompts_list_changed: both(
            asked.prompts_list_changed,
            server.prompts.as_ref().and_then(|prompts| prompts.list_changed),
        ),
        resources_list_changed: both(
            asked.resources_list_changed,
            resources.and_then(|all| all.list_changed),
        ),
        resource_subscriptions: asked.resource_subscriptions.filter(|_| subscribes),
    }
}

/// Whether a change is one of those that are listened for.
fn wants(filter: &SubscriptionFilter, method: &str, params: Option<&RawJson>) -> bool {
    let on = |wanted: Option<bool>| wanted == Some(true);
    match method {
        methods::TOOLS_LIST_CHANGED => on(filter.tools_list_changed),
        methods::PROMPTS_LIST_CHANGED => on(filter.prompts_list_changed),
        methods::RESOURCES_LIST_CHANGED => on(filter.resources_list_changed),
        methods::RESOURCES_UPDATED => {
            let uri = params.and_then(RawObject::parse).and_then(|members| members.get("uri")?.as_string());
            let mut wanted = filter.resource_subscriptions.iter().flatten();
            uri.is_some_and(|uri| wanted.any(|wanted| covers(wanted, &uri)))
        }
        _ => false,
    }
}

/// The server's subscriptions for one listen request, which end with it.
struct Subscribed {
    upstream: Arc<Upstream>,
    number: u64,
    uris: BTreeSet<String>,
}

impl Subscribed {
    fn new(upstream: &Arc<Upstream>, number: u64, filter: &SubscriptionFilter) -> Self {
        let uris = filter.resource_subscriptions.iter().flatten().cloned().collect();
        Self { upstream: Arc::clone(upstream), number, uris }
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        lock(&self.upstream.listeners).remove(&self.number);
        let (upstream, uris) = (Arc::clone(&self.upstream), std::mem::take(&mut self.uris));
        let others = lock(&upstream.listeners).len();
        // Where others still listen, one of them may want the same.
        if others == 0 && !uris.is_empty() && !upstream.is_closed() {
            upstream.runtime.clone().spawn(async move {
                for uri in uris {
                    let params = serde_json::json!({ "uri": uri }).into();
                    let _ = upstream.ask(methods::RESOURCES_UNSUBSCRIBE, Some(params)).await;
                }
            });
        }
    }
}

/// The object with the tag of the client's listen request in its `_meta`.
fn tagged(call: &Call, object: Option<RawJson>) -> Option<RawJson> {
    wire::encode_notification_params(call.revision(), object, Some(&call.request_id()))
}

/// The object without such a tag.
pub(super) fn untagged(object: &RawJson) -> RawJson {
    let Some(mut members) = RawObject::parse(object) else { return object.clone() };
    let Some(mut meta) = members.get("_meta").and_then(RawObject::parse) else { return object.clone() };
    meta.remove(SUBSCRIPTION_ID);
    if meta.is_empty() {
        members.remove("_meta");
    } else {
        members.set("_meta", meta.to_raw());
    }
    members.to_raw()
}
