//! The four lists: paging, and bytes kept per generation, revision and page.
//!
//! Owns: which page is asked for, and when kept bytes may be given. Must not know: what is
//! listed, or who may see it.

use std::sync::Arc;

use serde::Serialize;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::wire::{self, ResultExtras};
use mcpbolt_proto::protocol::{Era, Error, Revision};
use mcpbolt_proto::session::{Answer, Facts as _};

use crate::handler::list_cursors as cursor;
use crate::handler::{Call, Reply};

use super::answers::refuse;
use super::core::Core;
use super::list_cache::Key;
use super::registry::Registry;

impl Core {
    /// Answers a list method from the registry it lists.
    pub(super) fn list<T, I: Serialize>(
        self: &Arc<Self>,
        call: &Arc<Call>,
        method: &'static str,
        member: &'static str,
        registry: &Registry<T>,
        item: impl Fn(&T) -> I,
    ) -> Reply {
        let start = match cursor::start(call) {
            Ok(start) => start,
            Err(error) => return refuse(error),
        };
        let generation = registry.generation();
        let key = Key { method, revision: call.revision(), start };
        if let Some((_, value)) =
            self.list_cache.0.lock().get(&key).filter(|(cached, _)| *cached == generation)
        {
            return Reply::Done(Answer::Shaped(value.clone()));
        }
        let items = registry.visible(item);
        if start > items.len() {
            return refuse(Error::invalid_params("cursor is past the end of the list"));
        }
        let end = self.page_size.map_or(items.len(), |size| items.len().min(start + size));
        match self.page(
            method,
            member,
            call.revision(),
            &items[start..end],
            (end < items.len()).then_some(end),
        ) {
            Ok(value) => {
                self.list_cache.0.lock().insert(key, (generation, value.clone()));
                Reply::Done(Answer::Shaped(value))
            }
            Err(error) => refuse(error),
        }
    }

    fn page<I: Serialize>(
        &self,
        method: &'static str,
        member: &'static str,
        revision: Revision,
        items: &[I],
        next: Option<usize>,
    ) -> Result<RawJson, Error> {
        let mut result = RawObject::new();
        let failed =
            |_| Error::new(mcpbolt_proto::protocol::ErrorKind::Internal, "a list could not be written");
        result.put(member, items).map_err(failed)?;
        if let Some(next) = next {
            result.put("nextCursor", &cursor::at(method, next)).map_err(failed)?;
        }
        let server_info = if revision.era() == Era::Modern { self.facts_now().server_info() } else { None };
        let extras = ResultExtras { server_info, cache: self.cache_hint(method) };
        Ok(wire::encode_result(revision, method, result.to_raw(), &extras))
    }
}
