//! Guard rails of a server in Rust: the options, and what they count by.
//!
//! Owns: which tool, resource or prompt a bound belongs to. Must not know: how rails work
//! (`handler::guard_rails` does).

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::policy::rate::RateRule;
use mcpbolt_proto::protocol::{Error, methods};

use crate::handler::{Authorize, Call, Clock, Listing};

use super::ServerBuilder;
use super::bounded::Bounded;
use super::core::Core;
use super::registry::Registry;

impl ServerBuilder {
    /// Token buckets: a request must pass all that concern it. Over the limit a tool call
    /// gets a result with `isError` that says how long to wait, other requests
    /// `RateLimited` with `retryAfterMs`; a rule for every method (`*`) per server or
    /// principal answers HTTP with 429 before a body of more than 16 KiB is read, which costs as
    /// much as a request whatever is in it. Answers to the server's questions and notifications in
    /// smaller bodies are no requests: they cost nothing, and are taken over the limit too.
    ///
    /// ```
    /// use mcpbolt::policy::rate::{Per, RateRule};
    /// use mcpbolt::server::Server;
    ///
    /// let server = Server::builder("notes", "1.0.0")
    ///     .rate_limit([
    ///         RateRule::new(["*"], Per::Principal, 50.0, 100)?,
    ///         RateRule::new(["notifications/message"], Per::Session, 10.0, 10)?,
    ///     ])
    ///     .build();
    /// # let _ = server;
    /// # Ok::<(), mcpbolt::Error>(())
    /// ```
    pub fn rate_limit(mut self, rules: impl IntoIterator<Item = RateRule>) -> Self {
        self.engine.rails.rate_limit.extend(rules);
        self
    }

    /// Longest run of a handler. Then it is cancelled, and what it still says is dropped; a
    /// tool's client reads "timed out after N s". Waiting for the client's answers is not
    /// counted.
    pub fn timeout(mut self, longest: Duration) -> Self {
        self.engine.rails.timeout = Some(longest);
        self
    }

    /// Most calls of tools, resources, prompts and completions at once; more are refused as
    /// `Overloaded`. A call counts until its handler lets go, also while it waits for the
    /// client.
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.engine.rails.max_concurrency = Some(calls);
        self
    }

    /// Bounds of one thing: its timeout counts instead of the server's, its number of calls
    /// beside the server's.
    pub fn bounds(mut self, what: Bounded, bounds: Bounds) -> Self {
        self.bounds.insert(what, bounds);
        self
    }

    /// The scopes that a token needs for one thing, over HTTP: all of them. A request whose token
    /// lacks one is refused with 403 and a challenge that names all, so that the client can ask
    /// for them; what it lacks scopes for stays in its lists. Without a verifier that knows
    /// tokens nobody has scopes. Connections other than HTTP bring no tokens and need none.
    ///
    /// ```
    /// use mcpbolt::server::{Bounded, Server};
    ///
    /// let server = Server::builder("files", "1.0.0")
    ///     .scopes(Bounded::tool("write"), ["files:read", "files:write"])?
    ///     .build();
    /// # let _ = server;
    /// # Ok::<(), mcpbolt::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Usage` for a name that can be no scope, and for more scopes than a token may have.
    pub fn scopes<'a>(
        mut self,
        what: Bounded,
        scopes: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, Error> {
        self.scopes.insert(what, Scopes::of_names(scopes)?);
        Ok(self)
    }

    /// Decides what each client may do and see, with or without OAuth. Lists are made for
    /// the client that asks and marked `private`.
    ///
    /// ```
    /// use mcpbolt::handler::Asker;
    /// use mcpbolt::policy::access::{Action, Verb, Verdict};
    /// use mcpbolt::server::Server;
    ///
    /// let server = Server::builder("notes", "1.0.0")
    ///     .authorize(|asker: &Asker, action: &Action| match &*action.name {
    ///         "purge" if asker.principal.id() != Some("root") => Verdict::Hide,
    ///         "write" if action.verb == Verb::Call && asker.principal.id().is_none() => {
    ///             Verdict::deny("sign in first")
    ///         }
    ///         _ => Verdict::Allow,
    ///     })
    ///     .build();
    /// # let _ = server;
    /// ```
    pub fn authorize(mut self, decide: impl Authorize) -> Self {
        self.engine.rails.authorize = Some(Arc::new(decide));
        self
    }

    /// The source of the server's time, for tests.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }
}

impl Core {
    /// The bounds of what a call is about.
    pub(super) fn bounds_of(&self, call: &Call) -> Option<(String, Bounds)> {
        if self.bounds.is_empty() {
            return None;
        }
        let action = Action::of(call.method(), call.members())?;
        let what = self.what_is_meant(action).filter(|_| call.method() != methods::RESOURCES_SUBSCRIBE)?;
        let bounds = self.bounds.get(&what)?;
        Some((what.label(), *bounds))
    }

    /// The scopes that an action needs.
    pub(super) fn scopes_of(&self, action: &Action) -> Scopes {
        let what = self.what_is_meant(action.clone());
        what.and_then(|what| self.scopes.get(&what)).cloned().unwrap_or_default()
    }

    /// What of this server an action is about.
    fn what_is_meant(&self, action: Action) -> Option<Bounded> {
        Some(match (action.verb, action.thing) {
            (Verb::Complete, _) => Bounded::Completion,
            (_, ResourceKind::Tool) => Bounded::Tool(action.name),
            (_, ResourceKind::Prompt) => Bounded::Prompt(action.name),
            (Verb::Read | Verb::Subscribe, _) => self.what_is_read(action.name)?,
            _ => return None,
        })
    }

    fn what_is_read(&self, uri: String) -> Option<Bounded> {
        if self.resources.get(&uri).is_some() {
            return Some(Bounded::Resource(uri));
        }
        let template = |text: &str, matches: bool| matches.then(|| Bounded::template(text));
        self.templates
            .find_map(|entry| template(&entry.template.uri_template, entry.pattern.match_uri(&uri).is_some()))
    }

    /// All that one of the four lists has to show, unless the program makes it.
    pub(super) fn whole_list(&self, call: &Call) -> Option<Listing> {
        let method = call.method();
        if self.requests.contains_key(method) {
            return None;
        }
        let entries = match method {
            methods::TOOLS_LIST => encoded(&self.tools, |entry| &entry.tool),
            methods::PROMPTS_LIST => encoded(&self.prompts, |entry| &entry.prompt),
            methods::RESOURCES_LIST => encoded(&self.resources, |entry| &entry.resource),
            methods::RESOURCES_TEMPLATES_LIST => encoded(&self.templates, |entry| &entry.template),
            _ => return None,
        };
        let ttl_ms = self.cache_hint(method).map_or(0, |hint| hint.ttl_ms);
        Some(Listing { entries, page_size: self.page_size, ttl_ms })
    }
}

fn encoded<T, I: Serialize>(registry: &Registry<T>, item: impl Fn(&T) -> &I) -> Vec<RawJson> {
    registry.visible(|entry| RawJson::encode(item(entry)).ok()).into_iter().flatten().collect()
}
