//! Who answers: the object-safe [`Handler`] and the [`Call`] it is given.
//!
//! Owns: one activation of a handler from start to answer, questions to the client,
//! parking, cancellation. Must not know: sockets, HTTP, registries.
//!
//! Most programs use [`server`](crate::server) instead. A handler of one's own:
//!
//! ```
//! use mcpbolt::handler::*;
//! use mcpbolt::jsonrpc::RawJson;
//! use mcpbolt::protocol::Error;
//! use mcpbolt::session::Answer;
//! use mcpbolt::types::Implementation;
//! use std::any::Any;
//! use std::sync::Arc;
//!
//! /// Answers one method of its own.
//! struct Doubler(Arc<ServerFacts>);
//!
//! impl Handler for Doubler {
//!     fn facts(&self) -> Arc<ServerFacts> {
//!         Arc::clone(&self.0)
//!     }
//!     fn call(&self, call: &Arc<Call>) -> Reply {
//!         let Scope { principal, head, .. } = call.scope();
//!         println!("{:?} calls {}, over HTTP: {}", principal, call.method(), head.is_some());
//!         match call.param("n").map(RawJson::decode::<i64>) {
//!             Some(Ok(n)) => {
//!                 let doubled = serde_json::json!({ "n": n * 2 }).into();
//!                 Reply::Done(Answer::result(doubled))
//!             }
//!             _ => {
//!                 let cancelled: Cancelled = call.cancelled();
//!                 Reply::Later(Box::pin(async move {
//!                     cancelled.await; // pending until nobody wants the answer
//!                     Answer::error(Error::invalid_params("n must be a whole number"))
//!                 }))
//!             }
//!         }
//!     }
//!     fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
//!         self
//!     }
//! }
//!
//! let facts = ServerFacts::new(Implementation::new("doubler", "1.0"), Default::default())
//!     .methods(["example/double".to_owned()]);
//! let handler: Arc<dyn Handler> = Arc::new(Doubler(Arc::new(facts)));
//! let options = EngineOptions { input: InputMode::Replay, ..EngineOptions::default() };
//! let engine: Arc<Engine> = Engine::new(options);
//! # let _ = (engine, handler);
//! ```
//!
//! What a call can do while it runs, and the parts that transports use:
//!
//! ```
//! use mcpbolt::handler::*;
//! use mcpbolt::session::Change;
//! use std::sync::{Arc, Mutex};
//!
//! async fn ask_for_roots(call: &Arc<Call>) -> Result<(), mcpbolt::Error> {
//!     let (id, link): (CallId, Arc<dyn Link>) = (call.id(), call.link());
//!     let ConnectionInfo { id: connection, transport, peer, .. } = link.info().clone();
//!     println!("call {} on {connection:?} ({transport:?}, {peer:?})", id.0);
//!     if let Ok(Sent::Full) = call.progress(0.5, Some(1.0), None) {
//!         let wake: Wake = Box::new(|| println!("go on"));
//!         call.on_writable(wake);
//!     }
//!     let answer: AskFuture = call.ask("roots/list", None, None);
//!     answer.await.map(drop)
//! }
//!
//! /// Remembers what changed.
//! #[derive(Default)]
//! struct Notes(Mutex<Vec<Change>>);
//!
//! impl Subscriber for Notes {
//!     fn publish(&self, change: &Change) {
//!         self.0.lock().unwrap().push(change.clone());
//!     }
//! }
//!
//! /// Stands still.
//! struct Frozen;
//!
//! impl Clock for Frozen {
//!     fn now(&self) -> std::time::Duration {
//!         std::time::Duration::ZERO
//!     }
//! }
//!
//! let engine = Engine::with_clock(EngineOptions::default(), Arc::new(Frozen));
//! let notes = Arc::new(Notes::default());
//! let bus: &Bus = engine.bus();
//! let weak: std::sync::Weak<Notes> = Arc::downgrade(&notes);
//! bus.join(ConnectionId(1), weak);
//! bus.publish(&Change::Tools);
//! assert_eq!(*notes.0.lock().unwrap(), [Change::Tools]);
//!
//! let parking: &Parking = engine.parking();
//! assert!(parking.is_empty() && SystemClock::default().now() >= engine.now());
//! Spawner::current().spawn(async { println!("in the background") });
//! ```
//!
//! Who asks decides what counts against whose quota:
//!
//! ```
//! use mcpbolt::handler::*;
//! use std::sync::Arc;
//!
//! let info = ConnectionInfo::lasting(ConnectionId(7), TransportKind::Http);
//! let head = RequestHead {
//!     method: http::Method::POST,
//!     uri: http::Uri::from_static("/mcp"),
//!     headers: http::HeaderMap::new(),
//!     peer: None,
//! };
//! let mut ann = Scope::default();
//! ann.principal = Principal::named("ann");
//! ann.head = Some(Arc::new(head));
//! ann.cause = Cause(3); // the host's number for what caused it
//! assert_eq!(ann.quota_key(&info), "p:ann");
//! assert_eq!(Scope::default().quota_key(&info), "c:7");
//! ```

mod ask;
mod ask_plan;
mod audit;
mod bus;
mod call;
mod cancel;
mod charge;
mod clock;
mod contract;
mod engine;
mod facts;
mod finish;
mod guard_rails;
#[cfg_attr(not(feature = "http-server"), allow(dead_code, reason = "only listeners stop serving"))]
pub(crate) mod lasting;
pub(crate) mod lease;
pub(crate) mod list_cursors;
mod parking;
mod principal;
mod questions;
mod result_limits;
mod retry;
mod scope;
mod sealed_state;
mod spawn;
mod task;
pub mod timer;
pub(crate) mod used_states;

pub use ask::AskFuture;
pub use ask_plan::{AskPlan, ProgressFn, ReplyFn};
pub use bus::{Bus, Subscriber};
#[cfg(feature = "http-server")]
pub(crate) use charge::{Account, Charge, Ledger};
pub(crate) use clock::ahead;
#[cfg(feature = "bridge")]
pub(crate) use clock::move_ahead;
pub use clock::{Alarm, Clock, ManualClock, SystemClock};
pub use contract::{
    Call, Engine, Handler, InternalError, InternalErrorFn, Link, NotSentError, Outlet, Parking, Reply,
    Sanitizer, Sent, Wake,
};
pub use engine::EngineOptions;
pub use facts::ServerFacts;
pub use finish::Cancelled;
pub use guard_rails::{Asker, Authorize, GuardRailOptions, Listing, Verdicts};
pub use principal::Principal;
#[cfg(feature = "http-server")]
pub(crate) use principal::Sender;
#[cfg(feature = "http-server")]
pub(crate) use principal::TokenTerms;
pub use questions::InputMode;
pub(crate) use questions::is_answer;
#[cfg(feature = "bridge")]
pub(crate) use result_limits::tool_failure;
pub use retry::Entry;
pub(crate) use scope::next_connection;
pub use scope::{CallId, Cause, ConnectionId, ConnectionInfo, RequestHead, Scope, TransportKind};
pub use spawn::Spawner;
#[cfg(feature = "bridge")]
pub(crate) use task::go_on;
pub use task::{run_inline, start};

pub use crate::store::BoxFuture;
