//! A host loop: takes items when it is woken, and waits for those a test asks for.

use std::collections::VecDeque;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use mcpbolt::bridge::{
    ClientOptions, Failure, HostClient, HostServer, Inbox, InboxLimits, Item, Options, Outcome, Request,
};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use crate::peer::{WAIT, raw};

pub(crate) struct Driver {
    pub(crate) inbox: Arc<Inbox>,
    woken: mpsc::Receiver<()>,
    items: VecDeque<Item>,
}

impl Driver {
    pub(crate) fn new() -> Self {
        Self::with(InboxLimits::default())
    }

    pub(crate) fn with(limits: InboxLimits) -> Self {
        let inbox = Inbox::new(limits);
        let (wake, woken) = mpsc::channel();
        inbox.on_ready(Some(Arc::new(move || {
            let _ = wake.send(());
        })));
        Self { inbox, woken, items: VecDeque::new() }
    }

    /// The first item that `pick` takes; what is before it waits for others.
    pub(crate) fn next<T>(&mut self, what: &str, mut pick: impl FnMut(&Item) -> Option<T>) -> T {
        let end = Instant::now() + WAIT;
        loop {
            self.items.extend(self.inbox.take(64, 1 << 20));
            if let Some((at, found)) =
                self.items.iter().enumerate().find_map(|(at, item)| Some((at, pick(item)?)))
            {
                self.items.remove(at);
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            let woken = self.woken.recv_timeout(left);
            let waiting = self.items.iter().take(8).collect::<Vec<_>>();
            assert!(woken.is_ok(), "no {what} within {WAIT:?}: {waiting:?}");
        }
    }

    /// Items that a verb returned at once.
    pub(crate) fn give(&mut self, items: Vec<Item>) {
        self.items.extend(items);
    }

    pub(crate) fn response(&mut self, id: u64) -> Result<Value, Failure> {
        self.next("response", |item| match item {
            Item::Response { id: of, outcome, .. } if *of == id => Some(outcome.clone()),
            _ => None,
        })
        .map(|value| value.decode().unwrap())
    }

    pub(crate) fn request(&mut self, method: &str) -> Request {
        self.next(method, |item| match item {
            Item::Request(request) if request.method == method => Some(request.clone()),
            _ => None,
        })
    }

    pub(crate) fn closed(&mut self, connection: u64) -> Option<Failure> {
        self.next("closed", |item| match item {
            Item::Closed { connection: of, failure } if *of == connection => Some(failure.clone()),
            _ => None,
        })
    }

    pub(crate) fn notification(&mut self, method: &str) -> (u64, Value) {
        self.next(method, |item| match item {
            Item::Notification { cause, method: of, params, .. } if of == method => {
                Some((*cause, params.as_ref().map_or(Value::Null, |p| p.decode().unwrap())))
            }
            _ => None,
        })
    }

    /// How many notifications of this method came that nobody took.
    pub(crate) fn waiting(&self, method: &str) -> usize {
        let of = |item: &&Item| matches!(item, Item::Notification { method: of, .. } if of == method);
        self.items.iter().filter(of).count()
    }

    pub(crate) fn ok(&self, call: u64, result: Value) -> bool {
        self.inbox.complete(call, Outcome::Result(raw(result)))
    }

    /// A request and its answer.
    pub(crate) fn call(&mut self, connection: u64, method: &str, params: Value) -> Result<Value, Failure> {
        let id = self.inbox.request(connection, method, Some(raw(params)), None);
        self.response(id)
    }
}

/// Options of a client that answers what it can be asked.
pub(crate) fn options(mut more: Value) -> ClientOptions {
    let base = json!({"client_info": {"name": "c", "version": "1"},
        "capabilities": {"elicitation": {"form": {}}, "sampling": {}, "roots": {"listChanged": true}}});
    for (name, value) in base.as_object().unwrap() {
        more.as_object_mut().unwrap().entry(name).or_insert(value.clone());
    }
    ClientOptions::parse(&more.into()).unwrap()
}

pub(crate) fn client(driver: &Driver, more: Value) -> Arc<HostClient> {
    HostClient::new(options(more), Arc::clone(&driver.inbox))
}

/// A server on the same inbox, with the tool `echo`.
pub(crate) fn server(driver: &Driver, options: &Value) -> Arc<HostServer> {
    let options = Options::parse(&options.into()).unwrap();
    let server = HostServer::new(options, vec![Arc::clone(&driver.inbox)]).unwrap();
    let about = json!({"serverInfo": {"name": "bridge", "version": "1"}, "instructions": "be kind",
        "capabilities": {"tools": {"listChanged": true}, "logging": {}}});
    server.set_snapshot("server", 0, &about.into()).unwrap();
    let tool = json!([{"tool": {"name": "echo", "inputSchema": {"type": "object"}}}]);
    server.set_snapshot("tools", 0, &tool.into()).unwrap();
    server
}

pub(crate) fn text(raw: &RawJson) -> Value {
    raw.decode().unwrap()
}
