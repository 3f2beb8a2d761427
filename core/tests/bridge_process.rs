//! What concerns the whole process: memory, and its copy after a fork. A binary of its
//! own; its tests wait for each other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::bridge::{
    ClientOptions, Framing, HostClient, HostServer, HostTransport, Inbox, InboxLimits, Item, Options,
    Outcome, RequestPlan,
};
use mcpbolt_proto::jsonrpc::RawJson;
use parking_lot::Mutex;
use serde_json::{Value, json};

const WAIT: Duration = Duration::from_secs(5);

static ALONE: Mutex<()> = Mutex::new(());

fn raw(value: Value) -> RawJson {
    value.into()
}

/// A server with the tool `echo` and a client on one inbox.
struct Pair {
    inbox: Arc<Inbox>,
    server: Arc<HostServer>,
    client: Arc<HostClient>,
    connection: u64,
}

impl Pair {
    fn meet() -> Self {
        let inbox = Inbox::new(InboxLimits::default());
        let server = HostServer::new(Options::default(), vec![Arc::clone(&inbox)]).unwrap();
        let about = json!({"serverInfo": {"name": "s", "version": "1"}, "capabilities": {"tools": {}}});
        server.set_snapshot("server", 0, &raw(about)).unwrap();
        let tools = json!([{"tool": {"name": "echo", "inputSchema": {"type": "object"}}}]);
        server.set_snapshot("tools", 0, &raw(tools)).unwrap();
        let options = ClientOptions::parse(&raw(json!({"client_info": {"name": "c", "version": "1"}})));
        let client = HostClient::new(options.unwrap(), Arc::clone(&inbox));
        let connection = client.open_memory(&server).unwrap();
        let id = client.initialize(connection, Some("modern")).unwrap();
        let this = Self { inbox, server, client, connection };
        this.answer(id);
        this
    }

    /// Serves until a request of ours is answered.
    fn answer(&self, id: u64) -> RawJson {
        let end = Instant::now() + WAIT;
        loop {
            for item in self.inbox.take(64, 1 << 20) {
                match item {
                    Item::Request(request) => {
                        let text = "x".repeat(100);
                        let result = json!({"content": [{"type": "text", "text": text}]});
                        self.inbox.complete(request.call, Outcome::Result(raw(result)));
                    }
                    Item::Response { id: of, outcome, .. } if of == id => return outcome.unwrap(),
                    _ => {}
                }
            }
            assert!(Instant::now() < end, "no answer within {WAIT:?}");
            std::thread::yield_now();
        }
    }

    fn call(&self) {
        let params = Some(raw(json!({"name": "echo", "arguments": {}})));
        self.answer(self.inbox.request(self.connection, "tools/call", params, None));
    }
}

#[test]
fn nothing_is_left_behind() {
    let _alone = ALONE.lock();
    // The long form runs with the full suite.
    let calls = if std::env::var_os("MCPBOLT_TEST_FULL").is_some() { 100_000 } else { 5_000 };
    let pair = Pair::meet();
    (0..calls / 10).for_each(|_| pair.call());
    let before = usage();
    (0..calls).for_each(|_| pair.call());
    let after = usage();
    assert!(pair.inbox.settle(WAIT));
    assert_eq!((pair.inbox.open_calls(), pair.inbox.len()), (0, 0));
    if let (Some(before), Some(after)) = (before, after) {
        assert!(
            after.bytes < before.bytes + (8 << 20),
            "memory grew from {} to {}",
            before.bytes,
            after.bytes
        );
        assert_eq!((after.descriptors, after.threads), (before.descriptors, before.threads));
    }
}

struct Usage {
    bytes: usize,
    descriptors: usize,
    threads: usize,
}

/// What this process holds, where the system says it.
fn usage() -> Option<Usage> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let bytes = pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4096;
    let count = |folder: &str| Some(std::fs::read_dir(folder).ok()?.count());
    Some(Usage { bytes, descriptors: count("/proc/self/fd")?, threads: count("/proc/self/task")? })
}

/// What a forked child is told by each entry; empty if all refuse.
#[cfg(unix)]
fn faults_of_a_child(pair: &Pair) -> Vec<&'static str> {
    let mut faults = Vec::new();
    let mut refused = |what: &'static str, outcome: Result<(), String>| {
        if !outcome.is_err_and(|why| why.contains("made before a fork")) {
            faults.push(what);
        }
    };
    let message = |e: mcpbolt_proto::protocol::Error| e.message;
    refused("connect", pair.server.connect(Framing::Message).map(drop).map_err(message));
    refused("listen_stdio", pair.server.listen_stdio().map(drop).map_err(message));
    refused("listen_http", pair.server.listen_http(&raw(json!({}))).map(drop).map_err(message));
    refused("mount", pair.server.mount(&raw(json!({})), &pair.inbox).map(drop).map_err(message));
    refused("open", pair.client.open(&raw(json!({"command": "true"}))).map(drop).map_err(message));
    refused("open_fed", pair.client.open_fed(Framing::Message).map(drop).map_err(message));
    refused("open_memory", pair.client.open_memory(&pair.server).map(drop).map_err(message));
    let target = raw(json!({"command": "true"}));
    refused("transport", HostTransport::open(&target, &pair.inbox).map(drop).map_err(message));
    let sync = pair.inbox.request_sync(pair.connection, "tools/list", None, RequestPlan::default());
    refused("request_sync", sync.map(drop).map_err(|failure| failure.message));
    let id = pair.inbox.request(pair.connection, "tools/list", None, None);
    let answer = pair.inbox.take(64, 1 << 20).into_iter().find_map(|item| match item {
        Item::Response { id: of, outcome: Err(failure), .. } if of == id => Some(failure.message),
        _ => None,
    });
    refused("request", answer.map_or(Ok(()), Err));
    if pair.inbox.take_sync(Duration::from_hours(1)).is_some() {
        faults.push("take_sync");
    }
    // What it inherited can be let go without a thread that would answer.
    pair.inbox.close();
    faults
}

#[cfg(unix)]
#[test]
fn a_forked_child_is_refused() {
    let _alone = ALONE.lock();
    let pair = Pair::meet();
    pair.call();
    let (read, mut write) = std::io::pipe().unwrap();
    match fork::fork().expect("a fork") {
        fork::Fork::Child => {
            drop(read);
            let faults = faults_of_a_child(&pair).join(", ");
            let _ = std::io::Write::write_all(&mut write, format!("[{faults}]").as_bytes());
            std::process::exit(0);
        }
        fork::Fork::Parent(_) => {
            drop(write);
            let said = within(WAIT * 2, read);
            assert_eq!(said.as_deref(), Some("[]"), "the child says what did not refuse");
            // The parent goes on.
            pair.call();
            assert!(pair.inbox.settle(WAIT));
        }
    }
}

/// All that is read before the other end closes, unless that takes too long.
#[cfg(unix)]
fn within(time: Duration, mut read: std::io::PipeReader) -> Option<String> {
    let (sender, said) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = std::io::Read::read_to_string(&mut read, &mut text);
        let _ = sender.send(text);
    });
    said.recv_timeout(time).ok()
}
