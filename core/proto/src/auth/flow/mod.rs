//! The machine that leads from a refused request to a token.
//!
//! Owns: the order of things, and the state that survives while the user is away. Must not
//! know: HTTP, browsers, stores, clocks; it says what to do next, and its caller does it.
//! Of many requests that wait for one token the caller lets one begin, under a lock; the
//! others use what it brought ([`crate::auth::token::changed_meanwhile`]).
//!
//! ```
//! use std::time::Duration;
//! use mcpbolt_proto::auth::fetch::Answer;
//! use mcpbolt_proto::auth::flow::{Cause, Event, Flow, Options, Random, Step, Stored};
//!
//! let mut flow = Flow::new(Options::new("https://mcp.example.com/mcp"), Stored::default())?;
//! let now = Duration::from_secs(1_700_000_000);
//! let refused = Cause::Refused {
//!     status: 401,
//!     challenges: vec!["Bearer".into()],
//!     sent: None,
//!     operation: "initialize".into(),
//! };
//! let mut step = flow.start(refused, now, &Random::new([7; 64]));
//! while let Step::Fetch(fetch) = step {
//!     assert!(fetch.url.starts_with("https://mcp.example.com/.well-known/"));
//!     step = flow.take(Event::Answered(Answer::new(404, "")), now); // the caller's HTTP
//! }
//! assert!(matches!(step, Step::Fail(_)));
//! # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
//! ```

mod find;
mod known;
mod machine;
mod obtain;
mod options;
mod step;

use std::time::Duration;

pub use options::{
    Audience, Compatibility, DefaultEndpoints, FailureEnds, GrantFlow, IdentityProvider, NamedResource,
    Options, ResourceParameter,
};
pub use step::{Cause, Change, Event, KnownServer, Loaded, Need, Step, Stored};

use self::machine::{Fresh, Machine, Next, Phase, Purpose, State};
use super::challenge::{Challenge, Demand};
use super::error::{AuthError, Document};
use super::pkce::Verifier;
use super::registration::ClientInformation;
use super::scope::Scopes;
use super::secret::Secret;
use super::token::{Tokens, changed_meanwhile, needs_refresh};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Most tokens in a row that a server may refuse.
const MAX_REFUSED: u8 = 3;

/// 64 bytes of the system's random generator, for one flow and never again.
///
/// ```
/// use mcpbolt_proto::auth::flow::Random;
///
/// assert_eq!(format!("{:?}", Random::new([7; 64])), "Random(…)");
/// ```
#[derive(Clone)]
pub struct Random([u8; 64]);

impl Random {
    /// Takes the bytes.
    pub const fn new(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    fn fresh(&self) -> Fresh {
        let (mut verifier, mut state) = ([0; 32], [0; 32]);
        verifier.copy_from_slice(&self.0[..32]);
        state.copy_from_slice(&self.0[32..]);
        Fresh { verifier: Verifier::new(&verifier), state: Secret::new(URL_SAFE_NO_PAD.encode(state)) }
    }
}

impl std::fmt::Debug for Random {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Random(…)")
    }
}

/// The authorization of one client at one server. Its state can be saved at any step and
/// resumed in another process.
///
/// ```
/// use mcpbolt_proto::auth::flow::{Flow, Options, Stored};
///
/// let flow = Flow::new(Options::new("https://mcp.example.com"), Stored::default())?;
/// let saved = flow.save();
/// let again = Flow::resume(Options::new("https://mcp.example.com"), Stored::default(), &saved)?;
/// assert!(again.tokens().is_none());
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Flow {
    machine: Machine,
}

impl Flow {
    /// A flow with what earlier ones left behind. An error names an option that is wrong.
    pub fn new(options: Options, stored: Stored) -> Result<Self, AuthError> {
        Ok(Self { machine: Machine::new(options, stored, State::default())? })
    }

    /// The flow that [`Flow::save`] described, with the same options.
    pub fn resume(options: Options, stored: Stored, saved: &Secret) -> Result<Self, AuthError> {
        let state = serde_json::from_str(saved.expose()).map_err(|_| AuthError::SavedFlow)?;
        Ok(Self { machine: Machine::new(options, stored, state)? })
    }

    /// The state as text. It holds secrets: a refused token, verifier and state of the browser's way.
    pub fn save(&self) -> Secret {
        Secret::new(serde_json::to_string(&self.machine.state).unwrap_or_default())
    }

    /// The tokens for the server, if there are any.
    pub fn tokens(&self) -> Option<&Tokens> {
        self.machine.tokens()
    }

    /// The authorization server that was found, to be stored.
    pub fn server(&self) -> Option<&KnownServer> {
        self.machine.stored.server.as_ref()
    }

    /// The client as the authorization server knows it, once that is clear.
    pub fn client(&self) -> Option<&ClientInformation> {
        self.machine.state.client.as_ref()
    }

    /// Whose metadata are looked for, while they are.
    pub fn searched_issuer(&self) -> Option<&str> {
        match &self.machine.state.phase {
            Phase::FindServer(search) => Some(&search.issuer),
            _ => None,
        }
    }

    /// What the request that was handed out last asks for.
    pub fn asked(&self) -> Option<Document> {
        match self.machine.state.phase {
            Phase::FindResource(_) => Some(Document::ProtectedResource),
            Phase::FindServer(_) => Some(Document::AuthorizationServer),
            Phase::Registering => Some(Document::Registration),
            Phase::Requesting { .. } => Some(Document::Token),
            _ => None,
        }
    }

    /// Whether the request that was handed out last goes with a proof of possession (RFC 9449).
    /// The caller makes one for each attempt; where [`wants_nonce`](crate::auth::dpop::wants_nonce)
    /// says so, it sends the request once more.
    pub fn wants_proof(&self) -> bool {
        let Phase::Requesting { ask, .. } = &self.machine.state.phase else { return false };
        self.machine.options.proofs && ask.purpose != Purpose::IdJag
    }

    /// Takes over tokens that another process stored.
    pub fn set_tokens(&mut self, tokens: Option<Tokens>) {
        self.machine.stored.tokens = tokens;
    }

    /// Notes that the server accepted the token for an operation.
    pub fn accepted(&mut self, operation: &str) {
        (self.machine.state.refused, self.machine.state.counted) = (0, None);
        let resource = self.machine.resource.clone();
        self.machine.state.step_ups.accepted(&resource, operation);
    }

    /// Begins. A flow that was under way is dropped. `now` is the time since 1970.
    pub fn start(&mut self, cause: Cause, now: Duration, random: &Random) -> Step {
        let state = &mut self.machine.state;
        *state = State {
            fresh: Some(random.fresh()),
            quiet: cause == Cause::Request,
            server: self.machine.stored.server.clone(),
            step_ups: std::mem::take(&mut state.step_ups),
            refused: state.refused,
            counted: state.counted.take(),
            ..State::default()
        };
        self.machine.now = now;
        let next = match cause {
            Cause::Request => self.before_request(),
            Cause::Authorize { refresh, scopes, place } => {
                self.machine.state.challenge = scopes;
                self.authorize_anew(refresh, place.as_deref())
            }
            Cause::Refused { status, challenges, sent, operation } => {
                self.after_refusal(status, &challenges, sent.as_ref(), &operation)
            }
        };
        next.unwrap_or_else(Step::Fail)
    }

    /// Goes on with the answer to the last step. `now` is the time since 1970.
    pub fn take(&mut self, event: Event, now: Duration) -> Step {
        self.machine.now = now;
        let phase = std::mem::take(&mut self.machine.state.phase);
        let before = phase.clone();
        let next = self.went_on(phase, event);
        if matches!(next, Err(AuthError::Unexpected { .. })) {
            // A stray event must not lose the flow.
            self.machine.state.phase = before;
        }
        next.unwrap_or_else(Step::Fail)
    }

    fn went_on(&mut self, phase: Phase, event: Event) -> Next {
        let machine = &mut self.machine;
        match phase {
            Phase::Idle => Err(AuthError::Unexpected { expected: "a start" }),
            Phase::FindResource(search) => machine.resource_came(event, search),
            Phase::FindServer(search) => machine.server_came(event, *search),
            Phase::Loading => machine.loaded(event),
            Phase::Registering => machine.registration_came(event),
            Phase::AskingUser => machine.client_given(event),
            Phase::Browsing { pending } => machine.browser_came_back(event, *pending),
            Phase::Supplying { need, ask } => machine.supplied(event, &need, ask.map(|ask| *ask)),
            Phase::Requesting { ask, sent } => machine.tokens_came(event, &ask, sent),
            _ if event != Event::Done => Err(AuthError::Unexpected { expected: "that it is done" }),
            Phase::StoringClient => machine.obtain(),
            Phase::Remembering { url, pending } => Ok(machine.open_browser(url, pending)),
            Phase::StoringTokens => Ok(machine.send()),
            Phase::Forgetting { then } => machine.forgotten(then),
        }
    }

    fn before_request(&mut self) -> Next {
        let machine = &mut self.machine;
        match machine.tokens() {
            Some(tokens) if needs_refresh(tokens, machine.now) => {
                if machine.state.server.is_some() {
                    machine.become_known()
                } else {
                    machine.find_resource(None)
                }
            }
            // Without a token the server says what it wants.
            _ => Ok(machine.send_unexpired()),
        }
    }

    fn authorize_anew(&mut self, refresh: bool, place: Option<&str>) -> Next {
        let machine = &mut self.machine;
        machine.state.refreshed = !refresh;
        if machine.state.server.is_some() { machine.become_known() } else { machine.find_resource(place) }
    }

    fn after_refusal(
        &mut self,
        status: u16,
        challenges: &[String],
        sent: Option<&Secret>,
        operation: &str,
    ) -> Next {
        let demand = Demand::of(&Challenge::parse(challenges.iter().map(String::as_str)));
        let scope = demand.as_ref().and_then(|demand| demand.scope.as_deref());
        let wanted = scope.map(|text| Scopes::parse("scope", text)).transpose()?;
        let place = demand.as_ref().and_then(|demand| demand.resource_metadata.as_deref());
        let more = demand.as_ref().is_some_and(Demand::wants_more_scope);
        match status {
            401 => self.unauthorized(place, wanted, sent),
            403 if more => self.step_up(place, &wanted.unwrap_or_default(), sent, operation),
            _ => Err(AuthError::NotAboutAuthorization { status }),
        }
    }

    fn unauthorized(&mut self, place: Option<&str>, wanted: Option<Scopes>, sent: Option<&Secret>) -> Next {
        let machine = &mut self.machine;
        if changed_meanwhile(sent, machine.tokens(), machine.now).is_some() {
            return Ok(machine.send());
        }
        // The same token once more, because no other could be had: that says nothing new.
        if sent.is_some() && sent != machine.state.counted.as_ref() {
            machine.state.refused = machine.state.refused.saturating_add(1);
            machine.state.counted = sent.cloned();
        }
        if sent.is_some() && machine.state.refused > MAX_REFUSED {
            return Err(AuthError::StillUnauthorized);
        }
        // A second token that is refused says that refreshing does not help.
        machine.state.refreshed =
            machine.options.compatibility.ask_user_when_refused || machine.state.refused > 1;
        machine.state.challenge = wanted;
        machine.find_resource(place)
    }

    fn step_up(
        &mut self,
        place: Option<&str>,
        wanted: &Scopes,
        sent: Option<&Secret>,
        operation: &str,
    ) -> Next {
        let machine = &mut self.machine;
        let current = changed_meanwhile(sent, machine.tokens(), machine.now);
        if current.is_some_and(|tokens| !wanted.is_empty() && tokens.scopes.contains_all(wanted)) {
            return Ok(machine.send());
        }
        let granted = machine.tokens().filter(|_| !machine.options.compatibility.narrow_step_up);
        let before = granted.map(|tokens| tokens.scopes.clone()).unwrap_or_default();
        let (resource, most) = (machine.resource.clone(), machine.options.max_step_ups);
        let all = machine.state.step_ups.next(&resource, operation, &before, wanted, most)?;
        machine.state.step_up = Some(all);
        // A refreshed token has the scopes of the one before.
        machine.state.refreshed = true;
        if machine.state.server.is_some() { machine.become_known() } else { machine.find_resource(place) }
    }
}
