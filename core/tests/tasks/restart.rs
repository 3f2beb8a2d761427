//! Tasks outlast the process that ran them.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcpbolt::client::{self, Client, ClientSession, Started, Task, TaskStatus};
use mcpbolt::server::{Context, TaskSupport, Tasks};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use serde_json::json;
use tokio::sync::Notify;

use crate::world::{Nothing, builder, soon};

/// Where the server below keeps its tasks; set where this test binary runs as that server.
const FOLDER: &str = "MCPBOLT_TEST_TASKS_FOLDER";
/// The file in which it says where it listens.
const ADDRESS: &str = "address";

/// Characters of the result of `much`.
const MUCH: usize = 512 << 10;

/// The server, if this process is to be one.
#[tokio::test]
async fn program() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let stores = format!("file:{}", folder.join("tasks.redb").display());
    let go = Arc::new(Notify::new());
    let server = builder(&go, Tasks::new().tool("much", TaskSupport::Required))
        .tool("much", "Says much", |_: Nothing, _: Context| async { "x".repeat(MUCH) })
        .stores(stores)
        .build();
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("an address");
    let told = folder.join("address.new");
    std::fs::write(&told, http.local_addr().to_string()).expect("written");
    std::fs::rename(told, folder.join(ADDRESS)).expect("renamed");
    std::future::pending::<()>().await;
}

/// A server in a process of its own.
struct Process(Child);

impl Process {
    async fn start(folder: &Path) -> (Self, ClientSession) {
        Self::run(folder, Command::new(std::env::current_exe().expect("a name"))).await
    }

    /// As on a disk that is full when a file has this many blocks, of 512 bytes or of 1,024.
    #[cfg(unix)]
    async fn start_within(folder: &Path, blocks: u32) -> (Self, ClientSession) {
        let mut shell = Command::new("sh");
        // What a write beyond would kill the process with is to be an error of the write.
        shell.args(["-c", r#"trap "" XFSZ; ulimit -f "$0"; exec "$@""#, &blocks.to_string()]);
        shell.arg(std::env::current_exe().expect("a name"));
        Self::run(folder, shell).await
    }

    async fn run(folder: &Path, mut command: Command) -> (Self, ClientSession) {
        let _ = std::fs::remove_file(folder.join(ADDRESS));
        let child = command
            .args(["--exact", "restart::program", "--nocapture"])
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .spawn()
            .expect("starts");
        let process = Self(child);
        let end = Instant::now() + Duration::from_secs(20);
        let address = loop {
            match std::fs::read_to_string(folder.join(ADDRESS)) {
                Ok(address) => break address,
                Err(_) => assert!(Instant::now() < end, "the server said nothing"),
            }
            tokio::task::yield_now().await;
        };
        let client = Client::builder("c", "1").extension(client::Tasks::new()).build();
        let session = soon(client.connect(format!("http://{address}/mcp"))).await;
        (process, session.expect("connects"))
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("ended");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn start(session: &ClientSession, tool: &str) -> Task {
    match soon(session.start_tool(tool, json!({}))).await.expect("starts") {
        Started::Task(task) => task,
        Started::Done(result) => panic!("no task: {result:?}"),
    }
}

#[tokio::test]
async fn a_killed_process_leaves_its_tasks_and_their_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut process, session) = Process::start(folder.path()).await;
    let mut ids = Vec::new();
    for tool in ["fail", "gate"] {
        ids.push(start(&session, tool).await.id().to_owned());
    }
    let result = soon(session.task(&ids[0]).wait()).await.expect("a result");
    process.kill();

    let (mut process, session) = Process::start(folder.path()).await;
    let kept = soon(session.task(&ids[0]).wait()).await.expect("the result outlasts the process");
    assert_eq!(kept, result);
    // Its work is gone with the process, and it does not wait for ever.
    let lost = soon(session.task(&ids[1]).get()).await.expect("the task outlasts it too");
    assert_eq!(lost.status, TaskStatus::Failed);
    assert!(lost.error.as_ref().is_some_and(|error| error.message.contains("restarted")));
    // What it came to is stored: it changes no more.
    process.kill();
    let (_process, session) = Process::start(folder.path()).await;
    let again = soon(session.task(&ids[1]).get()).await.expect("the task is still there");
    assert_eq!(again, lost);
}

#[cfg(unix)]
#[tokio::test]
async fn a_full_disk_is_told_by_name_and_what_was_stored_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut process, session) = Process::start_within(folder.path(), 8 << 10).await;
    let mut stored = Vec::new();
    // The file may have 8 MiB at most.
    let lost = loop {
        assert!(stored.len() < 16, "there was room for all");
        let task = start(&session, "much").await;
        match soon(task.wait()).await {
            Ok(_) => stored.push(task.id().to_owned()),
            Err(error) => break error,
        }
    };
    assert_eq!(lost.message, "the task could not be stored: the disk is full");
    assert!(!stored.is_empty(), "there was room for none");
    process.kill();

    let (_process, session) = Process::start(folder.path()).await;
    for id in stored {
        let result = soon(session.task(id).wait()).await.expect("the result outlasts the full disk");
        assert_eq!(result.content[0].as_text().map(str::len), Some(MUCH));
    }
    soon(start(&session, "much").await.wait()).await.expect("there is room again");
}

#[tokio::test]
async fn two_servers_cannot_share_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let stores = format!("file:{}", folder.path().join("tasks.redb").display());
    let go = Arc::new(Notify::new());
    let _first = builder(&go, Tasks::new()).stores(&*stores).build();
    let refused = builder(&go, Tasks::new()).stores(&*stores).try_build().expect_err("in use");
    assert!(refused.message.contains("another process or server has it open"), "{}", refused.message);
    let unknown = builder(&go, Tasks::new()).stores("cupboard").try_build().expect_err("no such store");
    assert!(unknown.message.contains("cupboard"), "{}", unknown.message);
}
