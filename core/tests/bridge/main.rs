//! The boundary as a binding sees it.

mod acceptance;
mod auth;
mod boundary;
mod calls;
mod carried;
mod carrier;
mod client;
mod client_child;
mod driver;
mod early_words;
mod engine;
mod extensions;
mod fed;
#[path = "../gateway/mod.rs"]
mod gateway;
mod greeting;
mod http;
#[path = "../http_client_support/mod.rs"]
mod http_client_support;
mod inbox;
mod kept_subscriptions;
mod leaving;
mod listeners;
mod listening;
mod lists;
mod pauses;
mod peer;
mod repeatable_tools;
mod request_headers;
mod resource_server;
mod sent_ids;
mod services;
mod slow;
mod stdio_end;
mod streams;
mod tasks;
mod token_scopes;
mod uploads;
mod workers;
