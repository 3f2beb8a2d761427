//! A server, its authorization server and a browser, all in memory.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use mcpbolt_proto::auth::fetch::{Answer, Fetch};
use mcpbolt_proto::auth::flow::{Cause, Change, Event, Flow, Options, Random, Step, Stored};
use mcpbolt_proto::auth::metadata::ClientMetadata;
use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use serde_json::{Value, json};
use url::Url;

pub(crate) const SERVER: &str = "https://mcp.example.com/mcp";
pub(crate) const ISSUER: &str = "https://a.example.com";
pub(crate) const RESOURCE_METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
pub(crate) const SERVER_METADATA: &str = "https://a.example.com/.well-known/oauth-authorization-server";
pub(crate) const REGISTER: &str = "https://a.example.com/register";
pub(crate) const TOKEN: &str = "https://a.example.com/token";

/// A flow with everybody it talks to. What is not configured answers 404.
pub(crate) struct World {
    pub(crate) flow: Flow,
    pub(crate) now: Duration,
    pub(crate) answers: BTreeMap<String, VecDeque<Answer>>,
    /// What was sent to whom, in order.
    pub(crate) sent: Vec<Fetch>,
    /// What was kept and forgotten, in order.
    pub(crate) changes: Vec<Change>,
    pub(crate) random: u8,
}

pub(crate) fn options() -> Options {
    Options {
        client: ClientMetadata {
            client_name: Some("Test".into()),
            redirect_uris: vec!["http://localhost:3000/cb".into()],
            ..ClientMetadata::default()
        },
        ..Options::new(SERVER)
    }
}

pub(crate) fn resource_metadata() -> Value {
    json!({"resource": SERVER, "authorization_servers": [ISSUER]})
}

pub(crate) fn server_metadata() -> Value {
    json!({
        "issuer": ISSUER,
        "authorization_endpoint": "https://a.example.com/authorize",
        "token_endpoint": TOKEN,
        "registration_endpoint": REGISTER,
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    })
}

pub(crate) fn tokens(access: &str, refresh: Option<&str>) -> Value {
    json!({"access_token": access, "token_type": "Bearer", "expires_in": 3600, "refresh_token": refresh})
}

impl World {
    pub(crate) fn new(options: Options) -> Self {
        Self::with(options, Stored::default())
    }

    pub(crate) fn with(options: Options, stored: Stored) -> Self {
        let mut world = Self {
            flow: Flow::new(options, stored).unwrap(),
            now: Duration::from_secs(1_000_000),
            answers: BTreeMap::new(),
            sent: Vec::new(),
            changes: Vec::new(),
            random: 0,
        };
        world.answer(RESOURCE_METADATA, 200, &resource_metadata());
        world.answer(SERVER_METADATA, 200, &server_metadata());
        world.answer(REGISTER, 201, &json!({"client_id": "registered"}));
        world.answer(TOKEN, 200, &tokens("first", Some("refresh-1")));
        world
    }

    /// From now on a URL answers this.
    pub(crate) fn answer(&mut self, url: &str, status: u16, body: &Value) {
        self.answers.insert(url.to_owned(), [Answer::new(status, body.to_string())].into());
    }

    /// After what it answers now, a URL answers this.
    pub(crate) fn then(&mut self, url: &str, status: u16, body: &Value) {
        self.answers.entry(url.to_owned()).or_default().push_back(Answer::new(status, body.to_string()));
    }

    pub(crate) fn gone(&mut self, url: &str) {
        self.answers.remove(url);
    }

    fn fetched(&mut self, fetch: &Fetch) -> Answer {
        self.sent.push(fetch.clone());
        match self.answers.get_mut(&fetch.url) {
            Some(queue) if queue.len() > 1 => queue.pop_front().unwrap(),
            Some(queue) => queue[0].clone(),
            None => Answer::new(404, "not here"),
        }
    }

    /// Goes on by itself as long as nobody outside is needed.
    pub(crate) fn run(&mut self, mut step: Step) -> Step {
        loop {
            let event = match step {
                Step::Fetch(fetch) => Event::Answered(self.fetched(&fetch)),
                Step::Store(change) => {
                    self.changes.push(*change);
                    Event::Done
                }
                Step::Remember(_) => Event::Done,
                other => return other,
            };
            step = self.flow.take(event, self.now);
        }
    }

    pub(crate) fn start(&mut self, cause: Cause) -> Step {
        self.random += 1;
        let step = self.flow.start(cause, self.now, &Random::new([self.random; 64]));
        self.run(step)
    }

    pub(crate) fn take(&mut self, event: Event) -> Step {
        let step = self.flow.take(event, self.now);
        self.run(step)
    }

    pub(crate) fn refuse(&mut self, status: u16, challenge: &str, sent: Option<&str>) -> Step {
        self.start(Cause::Refused {
            status,
            challenges: vec![challenge.to_owned()],
            sent: sent.map(Secret::new),
            operation: "tools/call".into(),
        })
    }

    /// The user agrees: the browser comes back from the URL that was opened.
    pub(crate) fn agree(&mut self, step: &Step) -> Step {
        let url = opened(step);
        let query = format!("code=c0de&state={}&iss={ISSUER}", parameter(&url, "state").unwrap());
        self.take(Event::Redirected(RedirectAnswer::from_query(&query).unwrap()))
    }

    /// The URLs that were asked, in order.
    pub(crate) fn urls(&self) -> Vec<&str> {
        self.sent.iter().map(|fetch| fetch.url.as_str()).collect()
    }

    /// The last form that was sent.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.sent.last().and_then(|fetch| fetch.body.field(name))
    }
}

pub(crate) fn opened(step: &Step) -> Url {
    let Step::OpenBrowser { url } = step else { panic!("no browser: {step:?}") };
    Url::parse(url.expose()).unwrap()
}

pub(crate) fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into())
}

pub(crate) fn bearer(token: &str) -> Step {
    Step::Send { authorization: Some(Secret::new(format!("Bearer {token}"))) }
}
