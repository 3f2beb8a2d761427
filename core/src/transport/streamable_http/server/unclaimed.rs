//! The share of a request whose credentials are not known yet.
//!
//! Owns: finding the share, and counting bytes that wait to be read against it.
//! Must not know: where the bytes wait, what is done about a share that is used up.

use std::net::SocketAddr;
use std::sync::Arc;

use http::HeaderMap;

use crate::handler::{Principal, Sender};

use super::peer::Peer;
use super::quota::{Counted, OverQuota, Quotas, SMALL, Ticket};
use super::service::HttpService;

/// Bytes that wait to be read: counted for the sender, as far as it is known.
pub(crate) struct Unclaimed {
    quotas: Arc<Quotas>,
    who: Sender,
    counted: usize,
    ticket: Option<Ticket>,
}

impl Unclaimed {
    pub(crate) fn new(quotas: Arc<Quotas>, who: Sender) -> Self {
        Self { quotas, who, counted: 0, ticket: None }
    }

    /// So many wait now. After a failure none of them are counted.
    pub(crate) fn set(&mut self, bytes: usize) -> Result<(), OverQuota> {
        let bytes = if bytes > SMALL { bytes } else { 0 };
        let before = std::mem::replace(&mut self.counted, bytes);
        let counted = match &mut self.ticket {
            _ if bytes == before => Ok(()),
            Some(ticket) if bytes > before => ticket.grow(bytes - before),
            Some(ticket) if bytes > 0 => {
                ticket.shrink(before - bytes);
                Ok(())
            }
            ticket => {
                *ticket = None;
                let more = (bytes > 0)
                    .then(|| self.quotas.take(self.who.clone(), Counted::Bytes(bytes)).ok_or(OverQuota));
                more.transpose().map(|taken| *ticket = taken)
            }
        };
        if counted.is_err() {
            (self.counted, self.ticket) = (0, None);
        }
        counted
    }
}

impl HttpService {
    /// The share that bytes of a request count against before its sender's credentials
    /// are known: that of its address. None where nothing is known of the sender.
    pub(crate) fn unclaimed(
        &self,
        headers: &HeaderMap,
        address: Option<SocketAddr>,
        principal: Option<&Principal>,
    ) -> Option<Unclaimed> {
        let mut peer = Peer { address, watch: None };
        if !self.shared.options.trusted_proxies.is_empty() {
            self.shared.look_behind_proxies(headers, &mut peer);
        }
        let who = Sender::of(principal.unwrap_or(&Principal::ANONYMOUS), peer.address)?;
        Some(Unclaimed::new(Arc::clone(&self.shared.quotas), who))
    }
}
