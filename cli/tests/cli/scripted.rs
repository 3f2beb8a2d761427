//! A server of the legacy era over HTTP that says what a test wants, however wrong.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Answers each method with a fixed result; the heads of all requests are kept.
pub(crate) struct Scripted {
    pub(crate) url: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Results by method; `initialize` has one already.
    pub(crate) fn start(results: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&heads);
        let mut script: BTreeMap<String, Value> = serde_json::from_value(results).expect("an object");
        script.entry("initialize".to_owned()).or_insert_with(|| {
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "scripted", "version": "1"}})
        });
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (script, kept) = (script.clone(), Arc::clone(&kept));
                std::thread::spawn(move || serve(stream, &script, &kept));
            }
        });
        Self { url, heads }
    }

    /// The values of this header in each request.
    pub(crate) fn values(&self, name: &str) -> Vec<Vec<String>> {
        let of_line = |line: &str| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        let heads = self.heads.lock().unwrap();
        heads.iter().map(|head| head.lines().filter_map(of_line).collect()).collect()
    }

    /// Whether a request had this line in its head.
    pub(crate) fn heard(&self, line: &str) -> bool {
        let heads = self.heads.lock().unwrap();
        heads.iter().any(|head| head.lines().any(|found| found.eq_ignore_ascii_case(line)))
    }
}

fn serve(stream: TcpStream, script: &BTreeMap<String, Value>, kept: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
    let mut stream = stream;
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
            head.push_str(&line);
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let is_post = head.starts_with("POST");
        kept.lock().unwrap().push(head);
        let reply = if is_post { answer(&body, script) } else { (405, String::new()) };
        let (status, text) = reply;
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            text.len()
        );
        if stream.write_all(format!("{head}{text}").as_bytes()).is_err() {
            return;
        }
    }
}

/// Status and body. A result that is a number is a status; a member `error` makes an error.
fn answer(body: &[u8], script: &BTreeMap<String, Value>) -> (u64, String) {
    let message: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(id) = message.get("id") else { return (202, String::new()) };
    let method = message["method"].as_str().unwrap_or_default();
    let reply = match script.get(method).or_else(|| script.get("*")) {
        Some(Value::Number(status)) => return (status.as_u64().expect("a status"), String::new()),
        Some(Value::String(raw)) => return (200, raw.clone()),
        Some(result) => match result.get("error") {
            Some(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            None => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        },
        None => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}),
    };
    (200, reply.to_string())
}
