//! Example servers over HTTP, on ports that are free.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use crate::program::BOUND;

/// A server's process, and where it is.
pub(crate) struct Listening {
    child: Child,
    pub(crate) url: String,
}

impl Listening {
    /// Starts what these words run, and waits until it says where it is.
    pub(crate) fn start(words: &[String]) -> Self {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(["--http", "127.0.0.1:0"]);
        // Its log says where it is, unless that is changed.
        command.env_remove("RUST_LOG").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let (tell, told) = mpsc::channel();
        let err = BufReader::new(child.stderr.take().expect("piped"));
        // To the end, so that the server can go on writing.
        std::thread::spawn(move || {
            for line in err.lines().map_while(Result::ok) {
                match port(&line) {
                    Some(port) => drop(tell.send(format!("http://127.0.0.1:{port}/mcp"))),
                    None => eprintln!("{line}"),
                }
            }
        });
        let url = told.recv_timeout(BOUND);
        Self { child, url: url.expect("the server says where it is") }
    }
}

/// The port that a line says, in the words of any language.
fn port(line: &str) -> Option<u16> {
    let (_, after) = line.split_once("127.0.0.1:")?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
