//! A program whose main function serves HTTP, ended by signals while a call runs.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use rustix::process::{Pid, Signal, kill_process};
use schemars::JsonSchema;
use serde::Deserialize;

/// More than anything here takes, and less than the time calls have to end.
const BOUND: Duration = Duration::from_secs(8);
const PORT: &str = "RUN_HTTP_PORT";
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// The program: says on stderr that the call runs.
fn serve(port: &str) -> ! {
    let server = Server::builder("slow", "1")
        .tool("hang", "Does not end", |_: Nothing, _: Context| async {
            eprintln!("runs");
            std::future::pending::<String>().await
        })
        .build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address = format!("127.0.0.1:{port}");
    let code = runtime.block_on(server.run_http(address, HttpOptions::default())).unwrap();
    std::process::exit(code)
}

fn connect(port: u16) -> TcpStream {
    let end = Instant::now() + BOUND;
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
        std::thread::yield_now();
    }
}

fn exit_code(child: &mut Child) -> Option<i32> {
    let end = Instant::now() + BOUND;
    while Instant::now() < end {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::yield_now();
    }
    child.kill().unwrap();
    None
}

#[test]
fn the_first_signal_says_what_it_waits_for_and_the_second_does_not_wait() {
    if let Ok(port) = std::env::var(PORT) {
        serve(&port);
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg("--nocapture")
        .env(PORT, port.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut stream = connect(port);
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\naccept: \
         application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: \
         tools/call\r\nmcp-name: hang\r\ncontent-length: {}\r\n\r\n{CALL}",
        CALL.len()
    )
    .unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "runs");
    let process = Pid::from_child(&child);
    kill_process(process, Signal::INT).unwrap();
    let said = lines.next().unwrap().unwrap();
    assert_eq!(said, "Stopping: up to 10s for 1 call to end. Ctrl-C again ends at once.");
    kill_process(process, Signal::INT).unwrap();
    assert_eq!(exit_code(&mut child), Some(130));
}
