//! The pages for whoever watches a server: health, readiness, metrics.
//!
//! Owns: what they say and when, and that no two paths of a server are the same. Must not know:
//! what is counted, how a store is reached.

use std::sync::atomic::Ordering;

use mcpbolt_proto::protocol::Error;

use super::endpoint::Endpoint;
use super::options::HttpOptions;
use super::reply::{self, Reply};

/// A page that anyone may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// Whether the process does its work.
    Health,
    /// Whether new clients should be sent here.
    Readiness,
}

impl HttpOptions {
    /// Which page is at a path.
    pub(super) fn probe_at(&self, path: &str) -> Option<Probe> {
        let is = |page: &Option<String>| page.as_deref() == Some(path);
        match () {
            () if is(&self.health) => Some(Probe::Health),
            () if is(&self.ready) => Some(Probe::Readiness),
            () => None,
        }
    }

    /// Checks the paths of `health`, `ready` and `metrics`. Listeners do so themselves; for
    /// those who mount an [`HttpService`](super::HttpService).
    ///
    /// # Errors
    /// `Usage`, naming the option: its path does not begin with a slash, has a query or a
    /// fragment, or is that of another page or of the endpoint.
    ///
    /// ```
    /// use mcpbolt::transport::streamable_http::server::HttpOptions;
    ///
    /// let mut options = HttpOptions { ready: Some("/mcp".to_owned()), ..HttpOptions::default() };
    /// assert!(options.check_paths().unwrap_err().message.contains("ready"));
    /// options.ready = Some("/readyz".to_owned());
    /// options.check_paths()?;
    /// # Ok::<(), mcpbolt::Error>(())
    /// ```
    pub fn check_paths(&self) -> Result<(), Error> {
        let mut taken = vec![("path", self.path.as_str())];
        if let Some(older) = &self.legacy_sse {
            taken.extend([("legacy_sse.sse", older.sse.as_str()), ("legacy_sse.messages", &older.messages)]);
        }
        let metrics = self.metrics.as_ref().map(|(path, _)| path);
        for (page, path) in
            [("health", self.health.as_ref()), ("ready", self.ready.as_ref()), ("metrics", metrics)]
        {
            let Some(path) = path.map(String::as_str) else { continue };
            if !path.starts_with('/') || path.contains(['?', '#']) {
                let remedy = "write a path that begins with a slash and has no query, such as";
                return Err(Error::usage(format!("{page}: {path:?} is no path; {remedy} \"/{page}\"")));
            }
            if let Some((other, _)) = taken.iter().find(|(_, other)| *other == path) {
                let said = format!("{page}: {path:?} is the path of `{other}` too; choose another one");
                return Err(Error::usage(said));
            }
            taken.push((page, path));
        }
        Ok(())
    }
}

impl Endpoint {
    /// Whether a shutdown has begun, even if calls are still taken.
    fn is_leaving(&self) -> bool {
        self.is_draining() || self.leaving.load(Ordering::Acquire)
    }

    /// A healthy node whose store is away is not taken out: all nodes share the store, calls
    /// that need no session are served, and the others are told when to come back. Whether it
    /// should get new clients meanwhile is what readiness is asked for.
    pub(super) async fn probe(&self, which: Probe) -> Reply {
        if self.is_leaving() {
            return reply::text(503, "draining\n");
        }
        let is_away = match &self.nodes {
            Some(nodes) => !nodes.is_reachable().await,
            None => false,
        };
        match (which, is_away) {
            (Probe::Health, true) => reply::text(200, "ok, but the store of sessions cannot be reached\n"),
            (Probe::Health, false) => reply::text(200, "ok\n"),
            (Probe::Readiness, true) => reply::text(503, "the store of sessions cannot be reached\n"),
            (Probe::Readiness, false) => reply::text(200, "ready\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transport::streamable_http::server::LegacyPaths;

    #[test]
    fn paths_that_cannot_be_told_apart_are_refused_with_their_names() {
        let refused = |options: HttpOptions| options.check_paths().unwrap_err().to_string();
        let path = |text: &str| Some(text.to_owned());
        let said = refused(HttpOptions { health: path("healthz"), ..HttpOptions::default() });
        assert!(said.contains("health: \"healthz\"") && said.contains("\"/health\""), "{said}");
        let said = refused(HttpOptions { ready: path("/ready?now"), ..HttpOptions::default() });
        assert!(said.contains("ready"), "{said}");
        let said = refused(HttpOptions { ready: path("/z"), health: path("/z"), ..HttpOptions::default() });
        assert!(said.contains("ready: \"/z\"") && said.contains("`health`"), "{said}");
        let metrics = Some(("/sse".to_owned(), Arc::new(String::new) as _));
        let legacy_sse = Some(LegacyPaths::default());
        let options = HttpOptions { legacy_sse, metrics, ..HttpOptions::default() };
        let said = refused(options.clone());
        assert!(said.contains("metrics: \"/sse\"") && said.contains("legacy_sse.sse"), "{said}");
        assert!(HttpOptions { legacy_sse: None, ..options }.check_paths().is_ok());
    }
}
