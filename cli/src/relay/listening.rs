//! `subscriptions/listen` of clients of the modern era.
//!
//! Owns: whose tag is on what they are told; and, where the server has no such request, what it
//! is made of. Must not know: other requests.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

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

use super::outbox::{Hearer, ROOM};
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
    let wrong = || Error::invalid_params("notifications must be an object of wanted kinds");
    let asked: ListenParams = call.params().ok_or_else(wrong)?.decode().map_err(|_| wrong())?;
    let filter = honoured(asked.notifications, &upstream.agreed()?.capabilities);
    let acknowledged = RawJson::encode(&ListenParams { notifications: filter.clone(), meta: None })?;
    let uris: BTreeSet<String> = filter.resource_subscriptions.iter().flatten().cloned().collect();
    let (outbox, hearer) = (Arc::clone(&upstream.outbox), Arc::clone(call));
    let told = Arc::new(Told {
        tell: Box::new(move |method, params| {
            outbox.tell(Hearer::Call(Arc::clone(&hearer)), method, tagged(&hearer, params));
        }),
        early: Mutex::new(Some(VecDeque::new())),
    });
    let listener = Arc::clone(&told);
    // Before it subscribes: what changes from then on it is told of.
    let mut subscribed = Subscribed::new(upstream, move |method, params| {
        if wants(&filter, method, params) {
            listener.hear(method, params.cloned());
        }
    });
    for uri in uris {
        subscribed.add(uri).await?;
    }
    told.begin(acknowledged);
    let end = upstream.closed().await;
    drop(subscribed);
    Err(end.why)
}

/// Tells one who listens of something: a notification's name and params.
type Tell = Box<dyn Fn(&str, Option<RawJson>) + Send + Sync>;
/// What waits to be told.
type Early = VecDeque<(String, Option<RawJson>)>;

/// What one who listens is told: first of all that it is heard.
struct Told {
    tell: Tell,
    /// What waits until that is told; `None` from then on.
    early: Mutex<Option<Early>>,
}

impl Told {
    fn hear(&self, method: &str, params: Option<RawJson>) {
        match &mut *lock(&self.early) {
            None => (self.tell)(method, params),
            Some(early) => {
                if early.len() == ROOM {
                    early.pop_front();
                }
                early.push_back((method.to_owned(), params));
            }
        }
    }

    fn begin(&self, acknowledged: RawJson) {
        // Held meanwhile, so that nothing is told out of turn.
        let mut early = lock(&self.early);
        (self.tell)(methods::SUBSCRIPTIONS_ACKNOWLEDGED, Some(acknowledged));
        for (method, params) in early.take().into_iter().flatten() {
            (self.tell)(&method, params);
        }
    }
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

/// A listener, and the server's subscriptions for it, which end with it.
struct Subscribed {
    upstream: Arc<Upstream>,
    number: u64,
    uris: Vec<String>,
}

impl Subscribed {
    fn new(
        upstream: &Arc<Upstream>,
        listener: impl Fn(&str, Option<&RawJson>) + Send + Sync + 'static,
    ) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        lock(&upstream.listeners).insert(number, Box::new(listener));
        Self { upstream: Arc::clone(upstream), number, uris: Vec::new() }
    }

    /// Subscribes, also where another one has: whether the server heard that one is not known.
    async fn add(&mut self, uri: String) -> Result<(), Error> {
        let mut wanted = self.upstream.wanted.lock().await;
        *wanted.entry(uri.clone()).or_default() += 1;
        let params = serde_json::json!({ "uri": uri }).into();
        self.uris.push(uri);
        self.upstream.ask(methods::RESOURCES_SUBSCRIBE, Some(params)).await.map(drop)
    }
}

impl Drop for Subscribed {
    fn drop(&mut self) {
        lock(&self.upstream.listeners).remove(&self.number);
        let (upstream, uris) = (Arc::clone(&self.upstream), std::mem::take(&mut self.uris));
        if uris.is_empty() || upstream.is_closed() {
            return;
        }
        upstream.runtime.clone().spawn(async move {
            let mut wanted = upstream.wanted.lock().await;
            for uri in uris {
                let others = wanted.get(&uri).map_or(0, |all| all.saturating_sub(1));
                if others > 0 {
                    wanted.insert(uri, others);
                    continue;
                }
                wanted.remove(&uri);
                let params = serde_json::json!({ "uri": uri }).into();
                let _ = upstream.ask(methods::RESOURCES_UNSUBSCRIBE, Some(params)).await;
            }
        });
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
