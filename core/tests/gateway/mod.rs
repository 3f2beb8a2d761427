//! A server behind a gateway that has no node for the first call of each tool.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

/// Its tools, with what the server says of calling them twice.
fn tools() -> Value {
    let tool = |name: &str, annotations: Value| {
        let schema = json!({"type": "object"});
        json!({"name": name, "inputSchema": schema, "annotations": annotations})
    };
    json!([
        tool("look", json!({"readOnlyHint": true})),
        tool("set", json!({"readOnlyHint": false, "idempotentHint": true})),
        tool("add", json!({"destructiveHint": false})),
    ])
}

/// Starts one; its URL. It answers until the test ends.
pub(crate) fn start() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut called = HashSet::new();
        for socket in listener.incoming() {
            let _ = serve(socket.unwrap(), &mut called);
        }
    });
    url
}

/// Answers one request, on a connection of its own.
fn serve(socket: TcpStream, called: &mut HashSet<String>) -> std::io::Result<()> {
    let mut reader = BufReader::new(socket);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line)? > 2 {
        let field = line.to_ascii_lowercase();
        if let Some(value) = field.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (status, body) = answer(&serde_json::from_slice(&body).unwrap_or_default(), called);
    let text = body.map(|body| body.to_string()).unwrap_or_default();
    let length = text.len();
    write!(
        reader.into_inner(),
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{text}"
    )
}

fn answer(asked: &Value, called: &mut HashSet<String>) -> (u16, Option<Value>) {
    let modern = asked["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string();
    let mut result = match asked["method"].as_str() {
        Some("initialize") => json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "s", "version": "1"}}),
        Some("server/discover") => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "s", "version": "1"}, "ttlMs": 0, "cacheScope": "private"}),
        Some("tools/list") if modern => json!({"tools": tools(), "ttlMs": 0, "cacheScope": "private"}),
        Some("tools/list") => json!({"tools": tools()}),
        Some("tools/call") if called.insert(asked["params"]["name"].to_string()) => return (502, None),
        Some("tools/call") => json!({"content": [{"type": "text", "text": "done"}]}),
        Some(_) => return (202, None),
        None => return (405, None),
    };
    if modern {
        result["resultType"] = json!("complete");
    }
    (200, Some(json!({"jsonrpc": "2.0", "id": asked["id"], "result": result})))
}
