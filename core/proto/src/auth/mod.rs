//! Authorization (OAuth 2.1 as the Model Context Protocol has it), of clients and servers.
//!
//! Owns: every decision between a refused request and a token: reading challenges, finding
//! metadata, registering, PKCE, scopes, the browser's way there and back, token requests
//! and their answers, and the machine that ties them; and what a server decides on a request
//! and its token. Must not know: HTTP, browsers, stores, clocks, entropy; text, time and random
//! bytes come in, the next step goes out.

pub mod authorization_request;
pub mod authorization_server;
pub mod challenge;
pub mod discovery;
pub mod dpop;
pub mod endpoint;
pub mod error;
pub mod fetch;
pub mod flow;
pub mod metadata;
pub mod pkce;
pub mod provider_presets;
pub mod redirect;
pub mod registration;
pub mod resource_server;
pub mod scope;
pub mod secret;
pub mod token;
pub mod words;
