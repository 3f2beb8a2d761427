//! The HTTP server through real sockets. Bytes where bytes matter; every wait is
//! bounded and for an event.

mod access;
mod disconnect;
mod legacy;
mod legacy_sse;
mod limits;
mod modern;
mod moments;
mod nodes;
mod norm;
mod outage;
mod quotas;
mod received;
mod resume;
mod shares;
mod shutdown;
mod slow_http2;
mod states;
mod states_of_nodes;
mod support;
mod task_results;
mod tls;
mod transport_rules;

#[path = "../watched_stores/mod.rs"]
mod watched_stores;
