//! The rules of MCP over HTTP, as pure functions and small state machines.
//!
//! Owns: header names and values, the ladder that tells the two eras apart, how the rules of a
//! norm are looked at, the Host and Origin guard, the life of one POST response, server-sent events.
//! Must not know: sockets, clocks, sessions, what a handler does.

pub mod allowed_texts;
pub mod classify;
pub mod cors;
pub mod exchange;
pub mod guard;
pub mod head_rules;
pub mod headers;
pub mod param_headers;
pub mod proxies;
pub mod sse;
pub mod sse_decode;
pub mod standard_headers;

pub use allowed_texts::AllowedTexts;
pub use classify::{
    HttpInput, Legacy, LegacyOperation, Modern, Rejection, Route, classify_frame, classify_http,
    classify_http_by,
};
pub use exchange::{
    Delivery, ErrorOrigin, ExchangeConfig, ExchangeOutput, Head, HttpExchange, Outgoing, Prime, ResponseMode,
};
pub use guard::{Guard, Refusal};
pub use head_rules::{HeadFields, HeadRules, OneSession};
pub use headers::{Accepts, HeaderLookup};
pub use param_headers::{InvalidAnnotation, ParamHeaders};
pub use proxies::TrustedProxies;
