//! [`Table`] on the server's strings.
//!
//! Owns: the layout of a value: eight bytes of version, then the bytes. Must not know: what is
//! kept.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use redis::{Cmd, FromRedisValue, Script, cmd};

use super::super::future::BoxFuture;
use super::super::table::{Condition, Table, Versioned};
use super::life::millis;
use super::link::Link;
use super::script::{REPLACE, script};

const VERSION: usize = size_of::<u64>();
static REPLACES: LazyLock<Script> = LazyLock::new(|| script(&[REPLACE]));

pub(super) struct RedisTable(pub(super) Arc<Link>);

impl RedisTable {
    fn ask<T: FromRedisValue + Send + 'static>(&self, command: Cmd) -> BoxFuture<'_, Result<T, Error>> {
        self.0.run(move |mut connection| async move { command.query_async(&mut connection).await })
    }
}

impl Table for RedisTable {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        Box::pin(async move {
            let found: Option<Bytes> = self.ask(cmd("GET").arg(self.0.key(key)).take()).await?;
            found.map(split).transpose()
        })
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        Box::pin(async move {
            // Random, so that no counter has to be asked: none repeats in the life of a key.
            let version = u64::from_be_bytes(crate::seal::random_bytes());
            let stored = [&version.to_be_bytes()[..], &value].concat();
            let (key, ttl) = (self.0.key(key), millis(ttl));
            let mut set = cmd("SET").arg(&key).arg(&stored).arg("PX").arg(ttl).take();
            let written: bool = match condition {
                Condition::Any => self.ask(set).await?,
                Condition::Absent => self.ask(set.arg("NX").take()).await?,
                Condition::Version(old) => {
                    let old = old.to_be_bytes();
                    let work = move |mut connection| async move {
                        let mut call = REPLACES.key(key);
                        call.arg(&old[..]).arg(&stored).arg(ttl);
                        call.invoke_async(&mut connection).await
                    };
                    self.0.run(work).await?
                }
            };
            Ok(written.then_some(version))
        })
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        Box::pin(async move {
            let found: Option<Bytes> = self.ask(cmd("GETDEL").arg(self.0.key(key)).take()).await?;
            Ok(found.map(split).transpose()?.map(|found| found.value))
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.ask(cmd("DEL").arg(self.0.key(key)).take())
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        self.ask(cmd("PEXPIRE").arg(self.0.key(key)).arg(millis(Some(ttl))).take())
    }
}

fn split(mut stored: Bytes) -> Result<Versioned, Error> {
    if stored.len() < VERSION {
        return Err(Error::new(
            ErrorKind::Store,
            "a value is not one of ours; is the prefix used by others?",
        ));
    }
    let version = stored.get_u64();
    Ok(Versioned { value: stored, version })
}
