//! Every command of examples/README.md works as it stands there, apart from the port,
//! which may be in use, and from cargo, which has built the programs already.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// Longest wait for a program to start or to end: a bound, not a pause.
const BOUND: Duration = Duration::from_secs(30);
/// The address the README uses.
const ADDRESS: &str = "127.0.0.1:3000";

const PROGRAMS: &[(&str, &str)] = &[
    ("colours", env!("CARGO_BIN_EXE_colours")),
    ("demo", env!("CARGO_BIN_EXE_demo")),
    ("everything-client", env!("CARGO_BIN_EXE_everything-client")),
    ("everything-server", env!("CARGO_BIN_EXE_everything-server")),
    ("host", env!("CARGO_BIN_EXE_host")),
    ("interop-client", env!("CARGO_BIN_EXE_interop-client")),
    ("notes-server", env!("CARGO_BIN_EXE_notes-server")),
    ("weather-server", env!("CARGO_BIN_EXE_weather-server")),
];

fn program(name: &str) -> &'static str {
    PROGRAMS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no program {name}")).1
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Kills what a failed test leaves behind.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `cargo run … --bin NAME -- ARGS`, as the program and its arguments.
fn split(command: &str) -> (&'static str, Vec<String>) {
    let (cargo, args) = command.split_once(" -- ").unwrap_or((command, ""));
    assert!(cargo.starts_with("cargo run ") && cargo.contains(" -p mcpbolt-examples "), "{command}");
    let name = cargo.rsplit_once(" --bin ").unwrap_or_else(|| panic!("{command}")).1;
    (program(name.trim()), args.split_whitespace().map(str::to_owned).collect())
}

/// The arguments with what differs here: a free port, the built programs, a folder.
fn adapted(args: Vec<String>, address: &str, folder: &Path) -> Vec<String> {
    let adapt = |arg: String| match arg.as_str() {
        "examples/rust/host.json" => host_file(folder).display().to_string(),
        "./notes" => folder.join("notes").display().to_string(),
        _ => match arg.strip_prefix("target/debug/") {
            Some(name) => program(name).to_owned(),
            None => arg.replace(ADDRESS, address),
        },
    };
    args.into_iter().map(adapt).collect()
}

/// host.json with the programs that its `cargo run` commands would start.
fn host_file(folder: &Path) -> PathBuf {
    let text = fs::read_to_string(root().join("examples/rust/host.json")).unwrap();
    let mut config: Value = serde_json::from_str(&text).unwrap();
    for server in config["mcpServers"].as_object_mut().unwrap().values_mut() {
        assert_eq!(server["command"], "cargo");
        let words: Vec<&str> = server["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let (exe, args) = split(&format!("cargo {}", words.join(" ")));
        let args: Vec<String> = args.iter().map(|arg| folder.join(arg).display().to_string()).collect();
        server["command"] = exe.into();
        server["args"] = args.into();
    }
    let file = folder.join("host.json");
    fs::write(&file, config.to_string()).unwrap();
    file
}

fn start(exe: &str, args: &[String], folder: &Path) -> Running {
    let mut command = Command::new(exe);
    command.args(args).current_dir(folder).env_remove("RUST_LOG");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    Running(child.unwrap_or_else(|error| panic!("{exe}: {error}")))
}

/// Lines of a stream, as they come.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}

/// Waits for the end of a program that ends by itself.
fn finish(mut running: Running, command: &str) -> (ExitStatus, Vec<String>) {
    let (out, err) = (lines(running.0.stdout.take().unwrap()), lines(running.0.stderr.take().unwrap()));
    let mut said = Vec::new();
    for stream in [out, err] {
        // The stream ends when the program does.
        loop {
            match stream.recv_timeout(BOUND) {
                Ok(line) => said.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("{command} hangs: {said:?}"),
            }
        }
    }
    (running.0.wait().unwrap(), said)
}

#[test]
fn every_command_of_the_readme_works() {
    let folder = std::env::temp_dir().join(format!("mcpbolt-readme-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(root().join("examples/README.md")).unwrap();
    let mut ran = 0;
    for block in text.split("```sh\n").skip(1) {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut servers = Vec::new();
        for command in block.split("```").next().unwrap().lines().filter(|line| line.starts_with("cargo run"))
        {
            let (exe, args) = split(command);
            let args = adapted(args, &address, &folder);
            let mut running = start(exe, &args, &folder);
            if args.iter().any(|arg| arg == "--http") {
                let log = lines(running.0.stderr.take().unwrap());
                let listening =
                    std::iter::from_fn(|| log.recv_timeout(BOUND).ok()).any(|l| l.contains("listening"));
                assert!(listening, "{command} does not listen");
                servers.push((running, log));
            } else {
                let (status, said) = finish(running, command);
                assert!(status.success(), "{command}: {status}\n{}", said.join("\n"));
                let left_out = said.iter().find(|line| line.contains("left out"));
                assert_eq!(left_out, None, "{command}");
            }
            ran += 1;
        }
    }
    assert!(ran >= 6, "only {ran} commands were found");
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn every_program_is_in_the_readme() {
    let text = fs::read_to_string(root().join("examples/README.md")).unwrap();
    for (name, _) in PROGRAMS {
        assert!(text.contains(&format!("[{name}](rust/src/bin/")), "{name}");
    }
    let folder = root().join("examples/rust/src/bin");
    assert_eq!(
        fs::read_dir(folder).unwrap().count(),
        PROGRAMS.len(),
        "a program is missing from the list here"
    );
}
