//! The relay: answers every request with what the server answers.
//!
//! Owns: what is passed on as it is, and what is different where client and server do not speak the
//! same. Must not know: how either of them is reached.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use mcpbolt::handler::{Call, ConnectionInfo, Handler, Link, Reply, Scope, ServerFacts};
use mcpbolt::protocol::{Era, ErrorKind, Revision, wire};
use mcpbolt::session::client::{Answered, RequestOptions};
use mcpbolt::session::negotiate::Agreed;
use mcpbolt::session::{Answer, InboundNotification};
use mcpbolt::types::{Implementation, InitializeParams, ListToolsResult};
use mcpbolt::{Error, ParamHeaders, RawJson, RawObject, methods};

use super::listening;
use super::sessions::{Reaching, Session, Sessions, Used};
use super::upstream::Upstream;

/// Most pages of tools that are looked through for headers.
const MOST_PAGES: usize = 100;

/// A server that stands for another one.
pub(crate) struct Relay {
    facts: Arc<ServerFacts>,
    sessions: Sessions,
    /// Which arguments of which tools travel as headers as well; `None` where nobody reads them.
    headers: Option<RwLock<HashMap<String, Arc<ParamHeaders>>>>,
}

/// The connection for a request, and the session where there is one.
struct Way {
    upstream: Arc<Upstream>,
    session: Option<Arc<Session>>,
    agreed: Arc<Agreed>,
    _used: Option<Used>,
}

impl Relay {
    /// Reaches the server, and learns what it is. `for_http`: clients come over HTTP.
    pub(crate) async fn start(reaching: Reaching, for_http: bool) -> Result<Arc<Self>, Error> {
        let (sessions, first) = Sessions::start(reaching).await?;
        let agreed = first.agreed()?;
        let info = agreed.server_info.clone().unwrap_or_else(|| Implementation::new("unnamed", "0"));
        let facts = ServerFacts::new(info, agreed.capabilities.clone())
            .instructions(agreed.instructions.clone())
            // What there is, the server knows.
            .undeclared(true)
            .host_ping(true)
            .host_listens(true);
        let modern = agreed.revision.era() == Era::Modern;
        let headers = (for_http || modern).then(RwLock::default);
        let relay = Arc::new(Self { facts: Arc::new(facts), sessions, headers });
        if relay.headers.is_some() && agreed.capabilities.tools.is_some() {
            relay.look_through(&first).await;
        }
        if !modern {
            // It was opened in nobody's name, and clients bring their own.
            first.close().await;
        }
        Ok(relay)
    }

    /// Waits until a connection to the server ends by itself; why.
    pub(crate) async fn server_died(&self) -> Error {
        self.sessions.died().await
    }

    /// Ends all connections to the server.
    pub(crate) async fn close(&self) {
        self.sessions.close().await;
    }

    /// Learns the headers of all tools, as far as the server lists them unasked.
    async fn look_through(&self, upstream: &Upstream) {
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let params = cursor.take().map(|cursor| serde_json::json!({ "cursor": cursor }).into());
            let Ok(page) = upstream.ask(methods::TOOLS_LIST, params).await else { return };
            cursor = self.learn(&page);
            if cursor.is_none() {
                return;
            }
        }
    }

    /// Learns a page of tools where headers are read; where the next one begins.
    fn learn(&self, page: &RawJson) -> Option<String> {
        let headers = self.headers.as_ref()?;
        let page: ListToolsResult = page.decode().ok()?;
        let mut known = headers.write().unwrap_or_else(PoisonError::into_inner);
        for tool in page.tools {
            match ParamHeaders::from_schema(&tool.input_schema) {
                Ok(headers) if !headers.is_empty() => drop(known.insert(tool.name, Arc::new(headers))),
                _ => drop(known.remove(&tool.name)),
            }
        }
        page.next_cursor
    }

    async fn answer(&self, call: &Arc<Call>) -> Answer {
        let answered = if call.method() == methods::INITIALIZE {
            self.introduce(call).await
        } else {
            self.relay(call).await
        };
        answered.unwrap_or_else(|error| refusal(call, error))
    }

    /// A client says hello: the server hears it, and what that answers the client does.
    async fn introduce(&self, call: &Call) -> Result<Answer, Error> {
        let wrong = || Error::invalid_params("initialize needs protocolVersion, capabilities and clientInfo");
        let hello: InitializeParams = call.params().ok_or_else(wrong)?.decode().map_err(|_| wrong())?;
        let agreed = self.sessions.open_for(call, hello).await?;
        if agreed.revision == call.revision() {
            return Ok(Answer::result(agreed.raw.clone()));
        }
        let mut result = told(&agreed);
        result.set("serverInfo", RawJson::encode(self.server_info(&agreed))?);
        Ok(Answer::result(result.to_raw()))
    }

    fn server_info<'a>(&'a self, agreed: &'a Agreed) -> &'a Implementation {
        agreed.server_info.as_ref().unwrap_or_else(|| self.facts.info())
    }

    async fn way(&self, call: &Call) -> Result<Way, Error> {
        if call.revision().era() == Era::Modern {
            let (upstream, used) = self.sessions.shared(call).await?;
            let agreed = upstream.agreed()?;
            return Ok(Way { upstream, session: None, agreed, _used: Some(used) });
        }
        let session = self.sessions.of(&*call.link()).await?;
        let upstream = Arc::clone(&session.upstream);
        let agreed = upstream.agreed()?;
        Ok(Way { upstream, session: Some(session), agreed, _used: None })
    }

    async fn relay(&self, call: &Arc<Call>) -> Result<Answer, Error> {
        let nothing = || Ok(Answer::result(RawJson::empty_object()));
        let way = match self.way(call).await {
            // Anybody may ask for a sign of life, also before saying hello.
            Err(_) if call.method() == methods::PING => return nothing(),
            way => way?,
        };
        let (here, there) = (call.revision().era(), way.agreed.revision.era());
        match (call.method(), here, there) {
            (methods::SUBSCRIPTIONS_LISTEN, Era::Modern, Era::Modern) => {
                listening::pass_on(&way.upstream, call).await
            }
            (methods::SUBSCRIPTIONS_LISTEN, Era::Modern, Era::Legacy) => {
                listening::stand_in(&way.upstream, call).await
            }
            // The session adds the revisions.
            (methods::SERVER_DISCOVER, Era::Modern, Era::Legacy) => {
                Ok(Answer::result(told(&way.agreed).to_raw()))
            }
            // The modern era has neither; its session keeps the level for each request.
            (methods::PING | methods::LOGGING_SET_LEVEL, Era::Legacy, Era::Modern) => nothing(),
            (methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE, Era::Legacy, Era::Modern) => {
                subscribe(call, &way).await
            }
            _ => self.pass_on(call, &way).await,
        }
    }

    async fn pass_on(&self, call: &Arc<Call>, way: &Way) -> Result<Answer, Error> {
        let same = call.revision() == way.agreed.revision;
        let sets_level = way.session.is_none()
            && way.agreed.revision.era() == Era::Legacy
            && way.agreed.capabilities.logging.is_some();
        if let Some(level) = call.meta().log_level.filter(|_| sets_level) {
            way.upstream.log_from(level).await;
        }
        let options = RequestOptions {
            as_it_is: same,
            log_level: call.meta().log_level,
            headers: self.headers_of(call, way.agreed.revision),
            ..RequestOptions::default()
        };
        let answered = way.upstream.forward(call, params(call, same), options, None).await?;
        if let (methods::TOOLS_LIST, Answered::Complete(page)) = (call.method(), &answered) {
            self.learn(page);
        }
        Ok(match answered {
            Answered::Complete(result) if same => Answer::Shaped(result),
            Answered::Complete(result) => Answer::result(result),
            Answered::InputRequired { requests, state } => Answer::InputRequired { requests, state },
            Answered::Extension { .. } => {
                return Err(Error::protocol("the server answered with what the client cannot have declared"));
            }
        })
    }

    /// The headers that repeat arguments of a call, for a server that wants them.
    fn headers_of(&self, call: &Call, there: Revision) -> Vec<(String, String)> {
        if call.method() != methods::TOOLS_CALL || there.era() != Era::Modern {
            return Vec::new();
        }
        let name = call.param("name").and_then(RawJson::as_string);
        let headers = name.and_then(|name| self.param_headers(&name));
        headers.map(|headers| headers.values(call.param("arguments"))).unwrap_or_default()
    }
}

/// The params that the server is sent. What the client was asked on the way goes along where it is
/// we who asked.
fn params(call: &Call, same: bool) -> Option<RawJson> {
    let (answers, state) = (call.input_responses(), call.request_state());
    if same || (answers.is_empty() && state.is_none()) {
        return call.params().cloned();
    }
    let answers: Vec<_> = answers.iter().map(|(key, answer)| (key.to_owned(), answer.clone())).collect();
    Some(wire::encode_retry(call.params(), &answers, state))
}

/// What the server told of itself in words that all revisions have.
fn told(agreed: &Agreed) -> RawObject {
    let members = RawObject::parse(&agreed.raw).unwrap_or_default();
    let names = ["capabilities", "instructions"];
    names.into_iter().filter_map(|name| Some((name.to_owned(), members.get(name)?.clone()))).collect()
}

/// A subscription at a server that tells those who listen.
async fn subscribe(call: &Call, way: &Way) -> Result<Answer, Error> {
    let Some(session) = &way.session else { return Err(Error::method_not_found(call.method())) };
    let uri = call.param("uri").and_then(RawJson::as_string).unwrap_or_default();
    if call.method() == methods::RESOURCES_SUBSCRIBE {
        session.standing.add(&way.upstream, uri).await?;
    } else {
        session.standing.remove(&way.upstream, &uri).await?;
    }
    Ok(Answer::result(RawJson::empty_object()))
}

/// The server's error as it came, or why it could not be asked.
fn refusal(call: &Call, mut error: Error) -> Answer {
    if error.kind == ErrorKind::Usage {
        // The revision that the server speaks has no such request.
        error = Error::method_not_found(call.method());
    }
    let gate = error.kind == ErrorKind::MethodNotFound;
    if error.kind == ErrorKind::Internal {
        // The words are the server's, who has masked what is to be masked.
        error.kind = ErrorKind::Peer;
    }
    Answer::Error { error, gate }
}

impl Handler for Relay {
    fn facts(&self) -> Arc<ServerFacts> {
        Arc::clone(&self.facts)
    }

    fn call(&self, call: &Arc<Call>) -> Reply {
        let Some(relay) = call.handler_as::<Self>() else {
            return Reply::Done(Answer::error(Error::internal("not a relay's call")));
        };
        let call = Arc::clone(call);
        Reply::Later(Box::pin(async move { relay.answer(&call).await }))
    }

    fn notified(&self, link: &Arc<dyn Link>, _: &Scope, notification: &InboundNotification) {
        let session = self.sessions.of(&**link);
        let (method, params) = (notification.method.clone(), notification.params.clone());
        self.sessions.runtime.spawn(async move {
            let Ok(session) = session.await else { return };
            let upstream = &session.upstream;
            let modern = upstream.agreed().is_ok_and(|agreed| agreed.revision.era() == Era::Modern);
            if method == methods::INITIALIZED {
                upstream.greeted.send_replace(true);
                if modern && let Err(error) = session.standing.begin(upstream).await {
                    (upstream.tell)(&format!("changes are not heard of: {}", error.message));
                }
            } else if let Ok(connection) = upstream.connection() {
                // What the server's revision does not have it need not be told.
                let _ = connection.notify(&method, params.as_ref());
            }
        });
    }

    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        self.headers.as_ref()?.read().unwrap_or_else(PoisonError::into_inner).get(tool).cloned()
    }

    fn disconnected(&self, info: &ConnectionInfo) {
        if let Some(session) = self.sessions.left(info.id.0) {
            self.sessions.close_beside(Arc::clone(&session.upstream));
        }
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}
