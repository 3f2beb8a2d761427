//! HTTP servers: listeners, and endpoints in a web server of the program's. Owns: what
//! they are in a library that has no HTTP server in it. Must not know: sockets.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::bridge::{self, HostServer, encode_batch};
use mcpbolt_proto::jsonrpc::RawJson;

use crate::error::{Result, raw};

#[cfg(feature = "http-server")]
use with as engine;
#[cfg(not(feature = "http-server"))]
use without as engine;

/// A listener and where it is reached.
#[derive(uniffi::Record)]
pub struct EngineListening {
    /// Its number: for `stop_http`, and as the connection of its items.
    pub listener: u64,
    /// The address it is bound to.
    pub host: String,
    /// The port.
    pub port: u16,
}

pub(crate) fn listen(server: &HostServer, options: &RawJson) -> Result<EngineListening> {
    let (listener, address) = engine::listen(server, options)?;
    Ok(EngineListening { listener, host: address.ip().to_string(), port: address.port() })
}

pub(crate) fn stop(server: &HostServer, listener: u64) -> bool {
    engine::stop(server, listener)
}

pub(crate) fn mount(
    server: &HostServer,
    options: &RawJson,
    inbox: &Arc<bridge::Inbox>,
) -> Result<EngineMount> {
    Ok(EngineMount(engine::mount(server, options, inbox)?))
}

/// An endpoint in a web server of the program's.
#[derive(uniffi::Object)]
pub struct EngineMount(engine::Mount);

#[uniffi::export]
impl EngineMount {
    /// Begins an exchange: `[number, items]` as JSON text, the items being what can be
    /// said at once. `head` is `{method, target, headers, peer, principal}`; without a
    /// body it follows with the inbox's `http_body`.
    pub fn request(&self, head: String, body: Option<Vec<u8>>, origin: u64) -> Result<String> {
        let (request, items) = self.0.request(&raw(head)?, body.map(Bytes::from), origin)?;
        Ok(format!("[{request},{}]", encode_batch(&items)))
    }

    /// Serves nothing new.
    pub fn drain(&self) {
        self.0.drain();
    }

    /// Ends all sessions.
    pub fn close(&self) {
        self.0.close();
    }

    /// Legacy sessions that are open.
    pub fn sessions(&self) -> u32 {
        u32::try_from(self.0.sessions()).unwrap_or(u32::MAX)
    }
}

#[cfg(feature = "http-server")]
mod with {
    use std::net::SocketAddr;
    use std::sync::Arc;

    use bytes::Bytes;
    use mcpbolt::bridge::{HostServer, HttpMount, Inbox, IncomingHead, Item};
    use mcpbolt_proto::jsonrpc::RawJson;
    use mcpbolt_proto::protocol::Error;

    type Result<T> = std::result::Result<T, Error>;

    pub(super) struct Mount(HttpMount);

    pub(super) fn listen(server: &HostServer, options: &RawJson) -> Result<(u64, SocketAddr)> {
        server.listen_http(options)
    }

    pub(super) fn stop(server: &HostServer, listener: u64) -> bool {
        server.stop_http(listener)
    }

    pub(super) fn mount(server: &HostServer, options: &RawJson, inbox: &Arc<Inbox>) -> Result<Mount> {
        server.mount(options, inbox).map(Mount)
    }

    impl Mount {
        pub(super) fn request(
            &self,
            head: &RawJson,
            body: Option<Bytes>,
            origin: u64,
        ) -> Result<(u64, Vec<Item>)> {
            self.0.request(IncomingHead::parse(head)?, body, origin)
        }

        pub(super) fn drain(&self) {
            self.0.drain();
        }

        pub(super) fn close(&self) {
            self.0.close();
        }

        pub(super) fn sessions(&self) -> usize {
            self.0.sessions()
        }
    }
}

/// What names nothing of the HTTP server, so that the linker leaves it out.
#[cfg(not(feature = "http-server"))]
mod without {
    use std::net::SocketAddr;
    use std::sync::Arc;

    use bytes::Bytes;
    use mcpbolt::bridge::{HostServer, Inbox, Item};
    use mcpbolt_proto::jsonrpc::RawJson;
    use mcpbolt_proto::protocol::Error;

    type Result<T> = std::result::Result<T, Error>;

    /// There is none.
    pub(super) enum Mount {}

    fn refused() -> Error {
        Error::usage("this library has no HTTP server; use one that is built with the feature http-server")
    }

    pub(super) fn listen(_: &HostServer, _: &RawJson) -> Result<(u64, SocketAddr)> {
        Err(refused())
    }

    pub(super) const fn stop(_: &HostServer, _: u64) -> bool {
        false
    }

    pub(super) fn mount(_: &HostServer, _: &RawJson, _: &Arc<Inbox>) -> Result<Mount> {
        Err(refused())
    }

    impl Mount {
        pub(super) fn request(&self, _: &RawJson, _: Option<Bytes>, _: u64) -> Result<(u64, Vec<Item>)> {
            match *self {}
        }

        pub(super) fn drain(&self) {
            match *self {}
        }

        pub(super) fn close(&self) {
            match *self {}
        }

        pub(super) fn sessions(&self) -> usize {
            match *self {}
        }
    }
}
