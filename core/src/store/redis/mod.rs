//! The three primitives in Redis or Valkey, which any number of nodes share.
//!
//! Owns: where the server is, the one connection to it, how each primitive is laid out there. Must
//! not know: what the bytes mean.

mod bus;
mod connection;
mod failure;
mod life;
mod link;
mod log;
mod place;
mod script;
mod table;
mod topics;

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use super::bus::Bus;
use super::log::Log;
use super::table::Table;
use bus::RedisBus;
use link::Link;
use log::RedisLog;
use place::Place;
use table::RedisTable;

/// A store on a Redis server of 6.2 or later, or on Valkey: one server, one behind Sentinels, or a
/// cluster. One connection carries everything, and commands of all callers share its round trips.
///
/// The URL is `redis://[user[:password]@]host[:port][/number]`, or `rediss://` for TLS; `valkey://`
/// and `valkeys://` are the same. After a `?`:
///
/// | option | meaning | default |
/// |---|---|---|
/// | `prefix` | what all keys and channels begin with | `mcpbolt` |
/// | `timeout` | seconds that a command, or the way to the server, may take | 2 |
/// | `sentinel` | the hosts are Sentinels, and this is the name of the server they watch | |
/// | `sentinel_user`, `sentinel_password` | what Sentinels ask for | |
/// | `cluster` | the hosts are nodes of a cluster | |
/// | `node` | another host and port, as often as there are more | |
/// | `ca` | a file of certificates, PEM, that are trusted instead of the system's | |
///
/// A connection that is lost is opened again, after a tenth of a second at first and five seconds at
/// most, half of which is by chance. Meanwhile commands fail with `ErrorKind::Store`, once the
/// server has been away for `timeout`. A command that was on its way when a connection was lost
/// fails too: nobody knows whether it was done.
///
/// What has no end of life of its own is kept for 30 days after it was last written or read on.
///
/// ```no_run
/// use mcpbolt::store::{Condition, RedisStore};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcpbolt::Error> {
/// let store = RedisStore::open("rediss://reports:secret@redis.internal/0?prefix=reports")?;
/// let table = store.table();
/// table.put("k", "v".into(), Condition::Absent, Some(Duration::from_secs(60))).await?;
/// assert_eq!(table.take("k").await?.unwrap(), "v");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RedisStore {
    link: Arc<Link>,
}

impl RedisStore {
    /// A store at a URL. The connection is made on a thread of its own, and this does not wait
    /// for it: a server that is away is one that may come back.
    ///
    /// # Errors
    /// `Usage`, naming the part of the URL that is wrong; `Store` if no thread can be started.
    pub fn open(url: &str) -> Result<Self, Error> {
        Ok(Self { link: Arc::new(Link::start(Place::parse(url)?)?) })
    }

    /// Its keys and values.
    pub fn table(&self) -> Arc<dyn Table> {
        Arc::new(RedisTable(Arc::clone(&self.link)))
    }

    /// Its logs: each is a stream of the server's.
    pub fn log(&self) -> Arc<dyn Log> {
        Arc::new(RedisLog(Arc::clone(&self.link)))
    }

    /// Its messages. A subscriber that an outage may have cost some hears of it as
    /// [`BusEvent::Missed`](super::BusEvent::Missed), with a number that is a guess.
    pub fn bus(&self) -> Arc<dyn Bus> {
        Arc::new(RedisBus(Arc::clone(&self.link)))
    }
}

/// Shows where it is, without the password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RedisStore({})", self.link.name())
    }
}
