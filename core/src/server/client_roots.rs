//! The roots of a client, asked for as seldom as it allows.
//!
//! Owns: when the roots that are known may be given again. Must not know: how roots are
//! compared (`roots` does).

use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use super::core::Core;
use super::{Context, Roots};

impl Context {
    /// The client's roots, to compare with. A client that announces changes of its roots
    /// (legacy era) is asked once and again after each change; others each time.
    /// Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
    pub async fn roots(&self) -> Result<Arc<Roots>, Error> {
        let link = self.call().link();
        let announced = self.client_capabilities().roots.is_some_and(|r| r.list_changed == Some(true))
            && link.revision().is_some_and(|revision| revision.features().roots_list_changed);
        let core = self.call().handler_as::<Core>().filter(|_| announced);
        let Some(core) = core else { return Ok(Arc::new(Roots::new(self.list_roots().await?))) };
        let changes = match core.roots.get(link.info().id) {
            Ok(known) => return Ok(known),
            Err(changes) => changes,
        };
        // A connection that ended meanwhile must not stay known.
        let roots = self.list_roots().await.inspect_err(|_| core.roots.forget(link.info().id))?;
        let roots = Arc::new(Roots::new(roots));
        core.roots.keep(link.info().id, changes, &roots);
        Ok(roots)
    }
}
