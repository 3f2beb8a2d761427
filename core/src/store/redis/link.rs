//! The one connection of a store, kept up on a thread of its own.
//!
//! Owns: the thread, when a connection is given up and another made, how long a command waits for
//! one. Must not know: which commands there are.
//!
//! The thread is the store's because nobody else's lasts as long: a listener's ends with it, and a
//! server on stdio has no runtime at all.

use std::sync::Arc;
use std::time::Duration;

use redis::{FromRedisValue, PushInfo, PushKind, RedisResult};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::observe::events;

use super::super::future::BoxFuture;
use super::connection::Connection;
use super::failure::{away, closed, failed, is_final};
use super::place::Place;
use super::topics::{Request, Topics};

/// Pauses between attempts to connect: the first, and the longest. Half of each is by chance.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// The connection as callers see it.
#[derive(Clone)]
enum State {
    Up(u64, Connection),
    Away { since: Instant, why: Option<Error> },
}

/// A store's way to its server.
pub(super) struct Link {
    place: Arc<Place>,
    thread: Handle,
    state: watch::Receiver<State>,
    /// Numbers of connections that turned out to be of no use.
    useless: UnboundedSender<u64>,
    topics: UnboundedSender<Request>,
    /// The thread ends when this is dropped.
    _alive: oneshot::Sender<()>,
}

impl Link {
    /// # Errors
    /// `Store` if no thread can be started.
    pub(super) fn start(place: Place) -> Result<Self, Error> {
        let place = Arc::new(place);
        let no_thread = |why| Error::new(ErrorKind::Store, format!("store {}: {why}", place.name));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(no_thread)?;
        let thread = runtime.handle().clone();
        let (told, state) = watch::channel(State::Away { since: Instant::now(), why: None });
        let (useless, discarded) = unbounded_channel();
        let (topics, requests) = unbounded_channel();
        let (alive, ended) = oneshot::channel::<()>();
        let keeper = Keeper {
            place: Arc::clone(&place),
            told,
            discarded,
            requests,
            topics: Topics::new(&place.prefix, topics.clone()),
            number: 0,
            refused: false,
        };
        let run = move || {
            runtime.block_on(async move {
                tokio::select! {
                    () = keeper.run() => {}
                    _ = ended => {}
                }
            });
        };
        std::thread::Builder::new().name("mcpbolt-redis".into()).spawn(run).map_err(no_thread)?;
        Ok(Self { place, thread, state, useless, topics, _alive: alive })
    }

    /// Where the server is, for people.
    pub(super) fn name(&self) -> &str {
        &self.place.name
    }

    pub(super) fn key(&self, key: &str) -> String {
        format!("{}{key}", self.place.prefix)
    }

    /// Has a request of a subscriber's done.
    pub(super) fn request(&self, request: Request) -> bool {
        self.topics.send(request).is_ok()
    }

    /// What the thread answers, unless it takes longer than a command may.
    pub(super) async fn answer<T: Send + 'static>(&self, told: oneshot::Receiver<T>) -> Result<T, Error> {
        let limit = self.place.timeout;
        let waited = self.thread.spawn(async move { tokio::time::timeout(limit, told).await });
        match waited.await {
            Ok(Ok(Ok(answer))) => Ok(answer),
            Ok(Err(_)) => Err(away(&self.place.name)),
            Ok(Ok(Err(_))) | Err(_) => Err(closed()),
        }
    }

    /// Gives `work` a connection, on the store's thread. It goes on when its caller leaves.
    pub(super) fn run<T, W, A>(&self, work: W) -> BoxFuture<'_, Result<T, Error>>
    where
        T: FromRedisValue + Send + 'static,
        W: FnOnce(Connection) -> A + Send + 'static,
        A: Future<Output = RedisResult<T>> + Send + 'static,
    {
        Box::pin(async move {
            let (mut state, useless) = (self.state.clone(), self.useless.clone());
            let place = Arc::clone(&self.place);
            let done = self.thread.spawn(async move {
                let (number, connection) = up(&mut state, &place).await?;
                work(connection).await.map_err(|error| {
                    if is_final(&error) {
                        let _ = useless.send(number);
                    }
                    failed(&place.name, &error)
                })
            });
            done.await.map_err(|_| closed())?
        })
    }
}

/// A connection, once there is one. Nobody waits when it has been away for as long as a command
/// may take.
async fn up(state: &mut watch::Receiver<State>, place: &Place) -> Result<(u64, Connection), Error> {
    let until = match &*state.borrow() {
        State::Up(number, connection) => return Ok((*number, connection.clone())),
        State::Away { since, .. } => *since + place.timeout,
    };
    let why = |state: &State| match state {
        State::Away { why: Some(why), .. } => why.clone(),
        _ => away(&place.name),
    };
    let came = tokio::time::timeout_at(until, state.wait_for(|state| matches!(state, State::Up(..))));
    match came.await.map(|came| came.map(|state| state.clone())) {
        Ok(Ok(State::Up(number, connection))) => Ok((number, connection)),
        Ok(Err(_)) => Err(closed()),
        Ok(Ok(State::Away { .. })) | Err(_) => Err(why(&state.borrow())),
    }
}

/// What the thread does.
struct Keeper {
    place: Arc<Place>,
    told: watch::Sender<State>,
    discarded: UnboundedReceiver<u64>,
    requests: UnboundedReceiver<Request>,
    topics: Topics,
    /// Of the connection.
    number: u64,
    /// The server was away, and that was told.
    refused: bool,
}

impl Keeper {
    async fn run(mut self) {
        let mut pause = PAUSES.0;
        loop {
            let (push, pushed) = unbounded_channel();
            match self.connect(push).await {
                Ok(connection) => {
                    pause = PAUSES.0;
                    self.serve(connection, pushed).await;
                    self.told.send_replace(State::Away { since: Instant::now(), why: None });
                }
                Err(error) => self.refused(&failed(&self.place.name, &error)),
            }
            // Spread, so that nodes that lost a server together do not come back together.
            let [random] = crate::seal::random_bytes();
            tokio::time::sleep(pause / 2 + pause / 2 * u32::from(random) / u32::from(u8::MAX)).await;
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Those who wait learn why, and the log does once.
    fn refused(&mut self, error: &Error) {
        self.told.send_modify(|state| {
            if let State::Away { why, .. } = state {
                *why = Some(error.clone());
            }
        });
        if !std::mem::replace(&mut self.refused, true) {
            events::store_away(error);
        }
    }

    /// A connection that has all subscriptions.
    async fn connect(&mut self, push: UnboundedSender<PushInfo>) -> RedisResult<Connection> {
        let mut connection = self.place.connect(push).await?;
        self.topics.renew(&mut connection).await?;
        self.number += 1;
        if std::mem::take(&mut self.refused) {
            events::store_back(&self.place.name);
        }
        self.told.send_replace(State::Up(self.number, connection.clone()));
        Ok(connection)
    }

    /// Until the connection is lost.
    async fn serve(&mut self, mut connection: Connection, mut pushed: UnboundedReceiver<PushInfo>) {
        loop {
            tokio::select! {
                // What was published before a request was made belongs to those who were there.
                biased;
                push = pushed.recv() => match push {
                    Some(push) if push.kind == PushKind::Disconnection => {
                        if connection.ends_when_lost() {
                            return;
                        }
                        self.topics.missed();
                    }
                    Some(push) => self.topics.hear(push),
                    None => return,
                },
                Some(number) = self.discarded.recv() => {
                    if number == self.number && connection.ends_when_lost() {
                        return;
                    }
                }
                Some(request) = self.requests.recv() => {
                    if self.topics.take(request, &mut connection).await.is_err() && connection.ends_when_lost() {
                        return;
                    }
                }
            }
        }
    }
}
