//! Which features an inbox has.
//!
//! Owns: the list of their tables, in the order in which they are closed. Must not know:
//! what is in a table.

use std::sync::Arc;

use super::http::exchange::HostedExchanges;
use super::http::fetch::Fetches;
use super::http::routes::RouteAnswers;
use super::queue::causes::Causes;
use super::queue::inbox::Inbox;
use super::queue::limits::InboxLimits;
use super::queue::open::OpenTables;
use super::requests::calls::OpenCalls;
use super::requests::clients::Clients;
use super::requests::host_requests::HostRequests;
use super::requests::server_requests::ServerRequests;
use super::requests::turn::Turn;
use super::services::asks::Services;

impl Inbox {
    /// An inbox for one host loop.
    pub fn new(limits: InboxLimits) -> Arc<Self> {
        // Peers are answered first, while their connections are there. The connections of
        // clients come last: requests on them are withdrawn before they end.
        let tables = OpenTables::default()
            .and::<Causes>()
            .and::<OpenCalls>()
            .and::<Services>()
            .and::<Fetches>()
            .and::<HostedExchanges>()
            .and::<RouteAnswers>()
            .and::<HostRequests>()
            .and::<ServerRequests>()
            .and::<Turn>()
            .and::<Clients>();
        Self::with_tables(limits, tables)
    }
}
