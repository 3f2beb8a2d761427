//! The boundary as a binding sees it.

mod acceptance;
mod auth;
mod boundary;
mod calls;
mod client;
mod client_child;
mod driver;
mod engine;
mod extensions;
mod greeting;
mod http;
mod inbox;
mod leaving;
mod listeners;
mod lists;
mod pauses;
mod peer;
mod request_headers;
mod services;
mod slow;
mod stdio_end;
mod streams;
mod tasks;
mod token_scopes;
mod uploads;
mod workers;
