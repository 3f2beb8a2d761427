//! Lists of which each client sees its own part: made for one client, and never cached for others.
//!
//! Owns: pages of what may be seen, and that no cache keeps them for others. Must not know: who
//! may see what.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::access::{self, ResourceKind, Verdict};
use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
use mcpbolt_proto::protocol::{Era, Error};
use mcpbolt_proto::session::Answer;

use crate::handler::list_cursors as cursor;
use crate::handler::{Call, Reply};

use super::admit::proceed;
use super::listing::Listing;
use super::state::GuardRails;

impl GuardRails {
    pub(super) fn list(&self, call: &Arc<Call>, thing: ResourceKind) -> Reply {
        let Some((_, member, key)) = ResourceKind::listed_by(call.method()) else { return proceed(call) };
        let Some(mut listing) = call.handler.listing(call) else {
            // The handler pages its list; the entries are looked through on the way out.
            call.guard(|guarded| guarded.filter = Some(thing));
            return proceed(call);
        };
        let actions = access::listing(thing, key, &listing.entries);
        self.ask(call, actions, move |call, verdicts| {
            let shown =
                verdicts.map(|verdicts| access::visible(std::mem::take(&mut listing.entries), &verdicts));
            Reply::Done(match shown.and_then(|shown| page(call, member, &listing, &shown)) {
                Ok(value) => private(&value, listing.ttl_ms),
                Err(error) => Answer::error(error),
            })
        })
    }
}

/// The page that the call asks for.
fn page(call: &Call, member: &str, listing: &Listing, shown: &[RawJson]) -> Result<RawObject, Error> {
    // What was hidden since the last page moves the end.
    let start = cursor::start(call)?.min(shown.len());
    let end = listing.page_size.map_or(shown.len(), |size| shown.len().min(start + size));
    let mut result = RawObject::new();
    result.put(member, &shown[start..end])?;
    if end < shown.len() {
        result.put("nextCursor", &cursor::at(call.method(), end))?;
    }
    Ok(result)
}

/// A list for one client, whatever was said of all.
fn private(result: &RawObject, ttl_ms: u64) -> Answer {
    let cache = Some(CacheHint { ttl_ms, scope: CacheScope::Private });
    Answer::Result { value: result.to_raw(), cache }
}

impl Call {
    /// The answer, unless its entries have to be looked through first: then the call is
    /// finished when they are.
    pub(in crate::handler) fn filtered(self: &Arc<Self>, answer: Answer) -> Option<Answer> {
        if !self.engine.rails.is_on() {
            return Some(answer);
        }
        let thing = self.guarded.lock().as_mut().and_then(|guarded| guarded.filter.take());
        let Some(thing) = thing else { return Some(answer) };
        let (value, ttl_ms, shaped) = match &answer {
            Answer::Result { value, cache } => (value, cache.map_or(0, |cache| cache.ttl_ms), false),
            Answer::Shaped(value) => (value, 0, true),
            Answer::Error { .. } | Answer::InputRequired { .. } => return Some(answer),
        };
        let Some((_, member, key)) = ResourceKind::listed_by(self.method()) else { return Some(answer) };
        let Some(result) = RawObject::parse(value) else { return Some(answer) };
        let Some(entries) = access::entries(&result, member) else { return Some(answer) };
        let actions = access::listing(thing, key, &entries);
        let modern = self.revision().era() == Era::Modern;
        let reply = self.engine.rails.ask(self, actions, move |_, verdicts| {
            Reply::Done(
                match verdicts.and_then(|verdicts| without_hidden(result, member, entries, &verdicts)) {
                    Ok(mut result) if modern && (shaped || result.contains("cacheScope")) => {
                        match result.put("cacheScope", "private") {
                            Ok(()) if shaped => Answer::Shaped(result.to_raw()),
                            Ok(()) => private(&result, ttl_ms),
                            Err(error) => Answer::error(Error::from(error)),
                        }
                    }
                    Ok(result) if shaped => Answer::Shaped(result.to_raw()),
                    Ok(result) => private(&result, ttl_ms),
                    Err(error) => Answer::error(error),
                },
            )
        });
        match reply {
            Reply::Done(answer) => Some(answer),
            Reply::Later(_) | Reply::Detached => None,
        }
    }
}

fn without_hidden(
    mut result: RawObject,
    member: &str,
    entries: Vec<RawJson>,
    verdicts: &[Verdict],
) -> Result<RawObject, Error> {
    result.put(member, &access::visible(entries, verdicts))?;
    Ok(result)
}
