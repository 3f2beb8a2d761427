//! [`Log`] on the server's streams.
//!
//! Owns: the fields of an entry, and ids that mean one entry of one log. Must not know: what is
//! logged.
//!
//! The server numbers entries by its clock, so two logs may have the same number, and so may a log
//! and the one of that name before it. An id of ours has a random part besides, which the entry has
//! too.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt_proto::protocol::Error;
use redis::{Script, ScriptInvocation, cmd};

use super::super::future::BoxFuture;
use super::super::log::{After, Entry, Keep, Log};
use super::life::millis;
use super::link::Link;
use super::script::{APPEND, LAST, TRIM, script};

/// Bytes of the random part of an id.
const RANDOM: usize = 9;
static APPENDS: LazyLock<Script> = LazyLock::new(|| script(&[APPEND, TRIM]));
static TRIMS: LazyLock<Script> = LazyLock::new(|| script(&[LAST, TRIM]));

pub(super) struct RedisLog(pub(super) Arc<Link>);

/// An entry as the server has it: its number; random part, sum of bytes so far and value, each
/// behind its name.
type Stored = (String, Vec<Bytes>);

impl Log for RedisLog {
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>> {
        Box::pin(async move {
            let random = crate::seal::random_token(RANDOM);
            let (key, sent) = (self.0.key(name), random.clone());
            let work = move |mut connection| async move {
                let mut call = APPENDS.key(key);
                bounds(&mut call, keep);
                call.arg(sent).arg(&value[..]);
                call.invoke_async(&mut connection).await
            };
            let number: String = self.0.run(work).await?;
            Ok(format!("{number}.{random}"))
        })
    }

    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>> {
        Box::pin(async move {
            let place = id.map(parse);
            let (from, random) = match place {
                None => ("-", None),
                Some(Some((number, random))) => (number, Some(random)),
                Some(None) => return Ok(After::Unknown),
            };
            // The entry itself says whether the log still has it.
            let count = max.saturating_add(usize::from(random.is_some()));
            let read = cmd("XRANGE").arg(self.0.key(name)).arg(from).arg("+").arg("COUNT").arg(count).take();
            let stored: Vec<Stored> = self
                .0
                .run(move |mut connection| async move { read.query_async(&mut connection).await })
                .await?;
            let mut entries = stored.into_iter().filter_map(entry);
            if let Some(id) = id
                && entries.next().is_none_or(|first| first.id != id)
            {
                return Ok(After::Unknown);
            }
            Ok(After::Entries(entries.collect()))
        })
    }

    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>> {
        let key = self.0.key(name);
        self.0.run(move |mut connection| async move {
            let mut call = TRIMS.key(key);
            bounds(&mut call, keep);
            call.invoke_async(&mut connection).await
        })
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        let delete = cmd("DEL").arg(self.0.key(name)).take();
        self.0.run(move |mut connection| async move { delete.exec_async(&mut connection).await })
    }
}

/// The first four arguments of both scripts; -1 bounds nothing.
fn bounds(call: &mut ScriptInvocation<'_>, keep: Keep) {
    let count = |most: Option<usize>| most.and_then(|most| i64::try_from(most).ok()).unwrap_or(-1);
    let age = keep.age.map(|age: Duration| i64::try_from(age.as_millis()).unwrap_or(-1));
    call.arg(count(keep.entries)).arg(count(keep.bytes)).arg(age.unwrap_or(-1)).arg(millis(keep.age));
}

fn entry((number, fields): Stored) -> Option<Entry> {
    let mut values = fields.into_iter().skip(1).step_by(2);
    let random = values.next()?;
    let value = values.nth(1)?;
    Some(Entry { id: format!("{number}.{}", std::str::from_utf8(&random).ok()?), value })
}

/// The server's number and the random part of an id of ours.
fn parse(id: &str) -> Option<(&str, &str)> {
    let (number, random) = id.split_once('.')?;
    let (millis, count) = number.split_once('-')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(millis) && digits(count) && number.len() <= 40).then_some((number, random))
}
