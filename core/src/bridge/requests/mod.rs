//! Calls, requests and messages: what is open between the host and its peers, and the verbs
//! on them.
//!
//! Owns: calls that a server's clients make, requests that a client's servers make, requests
//! of the host, and all verbs that take such a number. Must not know: how a connection is
//! made or carried, HTTP, what a server's registry holds. Connections are seen as
//! [`Link`](crate::handler::Link) (a server's) or [`client_link::ClientLink`] (a client's).

pub(crate) mod addressee;
pub(crate) mod answer_slot;
pub(crate) mod ask_waiter;
pub(crate) mod blocking;
pub(crate) mod calls;
pub(crate) mod client_link;
pub(crate) mod clients;
pub(crate) mod completion;
pub(crate) mod connection_table;
pub(crate) mod describe;
pub(crate) mod endings;
pub(crate) mod host_requests;
pub(crate) mod inspection;
pub(crate) mod messages;
pub(crate) mod request_verbs;
pub(crate) mod server_connections;
pub(crate) mod server_requests;
pub(crate) mod stats;
pub(crate) mod turn;
