//! What an extension adds to a server: its declaration, its methods, its hooks.
//!
//! Owns: how an extension is put together, and what of it becomes part of the server. Must not
//! know: any extension, or how a request is answered.

use std::future::Future;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::extensions::Topic;
use mcpbolt_proto::protocol::{Error, Method, methods};
use mcpbolt_proto::session::Answer;

use crate::handler::{Call, Reply};

use super::core::Core;
use super::entries::{NotificationFn, RequestFn};
use super::extensions::{Start, Starting, TopicFn};
use super::middleware::Middleware;
use super::outcome::Failure;
use super::{Context, ServerBuilder, answers};

/// An extension of a server, for [`ServerBuilder::extension`]. It is declared with its settings;
/// its methods are rows, which say who may send them and from which revision on; its hooks see
/// requests and results of methods that are not its own. A client that did not declare it gets
/// -32021 for its methods and topics, and the core protocol for all else.
///
/// ```
/// use mcpbolt::protocol::Method;
/// use mcpbolt::server::{Context, Extension, Failure, Next, Server};
///
/// const ID: &str = "com.example/colours";
/// const MIX: Method = Method::extension_request(ID, "colours/mix");
///
/// let colours = Extension::new(ID)
///     .settings(serde_json::json!({"depth": 8}))
///     .method(&MIX, |_, _: Context| async { Ok::<_, Failure>(serde_json::json!({"name": "green"}).into()) })
///     .hook("tools/call", |ctx: Context, next: Next| next.run(ctx)); // sees every tool call
/// let server = Server::builder("paints", "1.0.0").extension(colours).build();
/// # let _ = server;
/// ```
#[must_use]
pub struct Extension {
    id: String,
    settings: RawJson,
    rows: Vec<(&'static Method, RequestFn)>,
    told: Vec<(&'static Method, Option<NotificationFn>)>,
    topics: Vec<(&'static Topic, TopicFn)>,
    hooks: Vec<(String, Arc<dyn Middleware>)>,
    offers: Vec<Offer>,
    starts: Vec<Start>,
    legacy_tasks: Option<RawObject>,
}

type Offer = Box<dyn FnOnce(ServerBuilder) -> ServerBuilder + Send>;

impl Extension {
    /// An extension of this identifier, which has a prefix, as in `com.example/notes`. Its
    /// settings are `{}`.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            settings: RawJson::empty_object(),
            rows: Vec::new(),
            told: Vec::new(),
            topics: Vec::new(),
            hooks: Vec::new(),
            offers: Vec::new(),
            starts: Vec::new(),
            legacy_tasks: None,
        }
    }

    /// The settings that clients are told: an object.
    pub fn settings(mut self, settings: impl Into<RawJson>) -> Self {
        self.settings = settings.into();
        self
    }

    /// Answers a method of the extension: undecoded params, undecoded result. The row is
    /// [`Method::extension_request`], or one of the protocol's table.
    pub fn method<F, Fut, E>(mut self, row: &'static Method, answer: F) -> Self
    where
        F: Fn(Option<RawJson>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<RawJson, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let answer: RequestFn = Arc::new(move |params, context| {
            let answer = answer(params, context);
            Box::pin(async move { answer.await.map_err(Into::into) })
        });
        self.rows.push((row, answer));
        self
    }

    /// Hears a notification of clients that belongs to the extension.
    pub fn notification(
        mut self,
        row: &'static Method,
        take: impl Fn(Option<&RawJson>) + Send + Sync + 'static,
    ) -> Self {
        self.told.push((row, Some(Arc::new(take))));
        self
    }

    /// Something that clients may listen for (2026-07-28). `granted` is given the keys that a
    /// client asks for, and returns those it may hear of.
    pub fn topic<F, Fut, E>(mut self, topic: &'static Topic, granted: F) -> Self
    where
        F: Fn(Vec<String>, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>, E>> + Send + 'static,
        E: Into<Failure>,
    {
        let granted: TopicFn = Arc::new(move |keys, context| {
            let granted = granted(keys, context);
            Box::pin(async move { granted.await.map_err(Into::into) })
        });
        self.topics.push((topic, granted));
        self
    }

    /// Sees each request of another's method before its handler, and its answer after it.
    /// Inside the server's own middleware; the first extension added is the outermost.
    pub fn hook(mut self, method: impl Into<String>, hook: impl Middleware) -> Self {
        self.hooks.push((method.into(), Arc::new(hook)));
        self
    }

    /// Does something when the server is built, which fails if this does.
    pub fn starting(
        mut self,
        start: impl FnOnce(&Starting<'_>) -> Result<(), Error> + Send + 'static,
    ) -> Self {
        self.starts.push(Box::new(start));
        self
    }

    /// Declares tasks to clients of 2025-11-25, whose tasks are no extension.
    pub(super) fn legacy_tasks(mut self, capability: RawObject) -> Self {
        self.legacy_tasks = Some(capability);
        self
    }

    /// Registers tools, prompts and resources that belong to the extension.
    pub fn offering(mut self, offer: impl FnOnce(ServerBuilder) -> ServerBuilder + Send + 'static) -> Self {
        self.offers.push(Box::new(offer));
        self
    }
}

impl std::fmt::Debug for Extension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Extension({})", self.id)
    }
}

impl ServerBuilder {
    /// Adds an extension. Without this none is on; what else clients are told of it is for its
    /// settings to say.
    pub fn extension(mut self, extension: impl Into<Extension>) -> Self {
        let Extension { id, settings, rows, told, topics, hooks, offers, starts, legacy_tasks } =
            extension.into();
        self.declared.extensions.get_or_insert_default().set(id.clone(), settings);
        let all = &mut self.extensions;
        all.ids.push(id);
        let known = Arc::make_mut(&mut all.rows);
        for (row, answer) in rows {
            known.insert(row.name, row);
            self.requests.insert(row.name.to_owned(), answer);
        }
        for (row, take) in told {
            known.insert(row.name, row);
            self.notifications.extend(take.map(|take| (row.name.to_owned(), take)));
        }
        all.granted.extend(topics);
        all.topics = all.granted.iter().map(|(topic, _)| *topic).collect();
        all.hooks.extend(hooks);
        if legacy_tasks.is_some() {
            all.legacy_tasks = legacy_tasks;
        }
        self.starts.extend(starts);
        offers.into_iter().fold(self, |builder, offer| offer(builder))
    }
}

impl Core {
    /// A client wants to listen: what it may hear of extensions is for them to say.
    pub(super) fn listens(self: &Arc<Self>, call: &Arc<Call>, mut members: RawObject) -> Reply {
        let kinds = members.get("notifications").and_then(RawObject::parse).unwrap_or_default();
        let wanted = |(topic, _): &&(&'static Topic, TopicFn)| kinds.contains(topic.member);
        let asked: Vec<_> = self.extensions.granted.iter().filter(wanted).cloned().collect();
        if asked.is_empty() {
            return Reply::Done(Answer::result(members.to_raw()));
        }
        let (context, mut kinds) = (Context::new(call), kinds);
        Reply::Later(Box::pin(async move {
            for (topic, granted) in asked {
                // What is no list of texts is refused by the session.
                let keys = kinds.get(topic.member).and_then(|keys| keys.decode::<Vec<String>>().ok());
                let Some(keys) = keys else { continue };
                if context.client_extension(topic.extension).is_none() {
                    continue;
                }
                match granted(keys, context.clone()).await.map(|keys| RawJson::encode(&keys)) {
                    Ok(Ok(keys)) => kinds.set(topic.member, keys),
                    Ok(Err(error)) => return answers::written(Err(error)),
                    Err(failure) => return Answer::error(failure.into_error()),
                }
            }
            members.set("notifications", kinds.to_raw());
            Answer::result(members.to_raw())
        }))
    }

    /// Names that the program answers and that no row stands for.
    pub(super) fn rowless(&self) -> impl Iterator<Item = String> + '_ {
        let has_row = |name: &str| methods::lookup(name).is_some() || self.extensions.rows.contains_key(name);
        self.requests.keys().filter(move |name| !has_row(name)).cloned()
    }
}
