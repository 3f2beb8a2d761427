//! The load on HTTP: so many keep-alive connections, one request at a time on each,
//! every reply checked.
//!
//! Owns: the sockets, and as much of HTTP/1.1 as replies need. Runs on one thread, so
//! that the load takes no more than one processor.

use std::time::{Duration, Instant};

use mcpbolt_bench::ask::{self, Ask};
use mcpbolt_bench::long::LongCalls;
use mcpbolt_bench::payload::{self, Era};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::sample::Latencies;

/// One keep-alive connection.
pub struct Connection {
    stream: TcpStream,
    port: u16,
    era: Era,
    session: Option<String>,
    /// The access token of each request.
    pub token: Option<String>,
    /// What was read and not yet used.
    held: Vec<u8>,
    /// The message of the last reply.
    message: Vec<u8>,
}

/// How the body of a reply ends.
enum Ending {
    Length(usize),
    Chunked,
}

struct Head {
    status: u16,
    ending: Ending,
    events: bool,
    session: Option<String>,
    size: usize,
}

impl Connection {
    /// Connects once.
    pub async fn connect(port: u16, era: Era) -> std::io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, port, era, session: None, token: None, held: Vec::new(), message: Vec::new() })
    }

    /// Opens with this access token.
    pub async fn start(&mut self, token: &Option<String>, keep: bool) -> Result<(), String> {
        self.token.clone_from(token);
        self.open(keep).await
    }

    /// Sends the opening and checks its answer; with `keep`, goes on in the session.
    pub async fn open(&mut self, keep: bool) -> Result<(), String> {
        self.session = None;
        let body = payload::opening(self.era);
        let method = if self.era == Era::Modern { "server/discover" } else { "initialize" };
        let (status, session) = self.post(method, None, body.as_bytes()).await?;
        if status != 200 {
            return Err(format!("the opening was answered {status}"));
        }
        payload::check_opening(&self.message)?;
        if keep {
            self.session = Some(session.ok_or("no session id")?);
        }
        if self.era == Era::Legacy {
            let (status, _) =
                self.post("notifications/initialized", None, payload::INITIALIZED.as_bytes()).await?;
            if status != 202 {
                return Err(format!("initialized was answered {status}"));
            }
        }
        Ok(())
    }

    /// Sends a message and reads the reply to its end; its message is in `self.message`.
    async fn post(
        &mut self,
        method: &str,
        name: Option<&str>,
        body: &[u8],
    ) -> Result<(u16, Option<String>), String> {
        let request = self.request(method, name, body);
        let head = self.exchange(&request).await.map_err(|error| format!("{method}: {error}"))?;
        Ok((head.status, head.session))
    }

    fn request(&self, method: &str, name: Option<&str>, body: &[u8]) -> Vec<u8> {
        use std::io::Write as _;
        let mut request = Vec::with_capacity(512 + body.len());
        let _ = write!(
            request,
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: {}\r\n",
            self.port,
            self.era.version()
        );
        if self.era == Era::Modern {
            let _ = write!(request, "Mcp-Method: {method}\r\n");
            if let Some(name) = name {
                let _ = write!(request, "Mcp-Name: {name}\r\n");
            }
        }
        if let Some(session) = &self.session {
            let _ = write!(request, "Mcp-Session-Id: {session}\r\n");
        }
        if let Some(token) = &self.token {
            let _ = write!(request, "Authorization: Bearer {token}\r\n");
        }
        let _ = write!(request, "Content-Length: {}\r\n\r\n", body.len());
        request.extend_from_slice(body);
        request
    }

    /// Sends a request and reads the head of its response.
    async fn head(&mut self, request: &[u8]) -> Result<Head, String> {
        self.stream.write_all(request).await.map_err(|error| error.to_string())?;
        let head = loop {
            if let Some(head) = parse_head(&self.held)? {
                break head;
            }
            self.more().await?;
        };
        self.held.drain(..head.size);
        Ok(head)
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Head, String> {
        let head = self.head(request).await?;
        self.message.clear();
        match head.ending {
            Ending::Length(length) => {
                while self.held.len() < length {
                    self.more().await?;
                }
                self.message.extend_from_slice(&self.held[..length]);
                self.held.drain(..length);
            }
            Ending::Chunked => self.chunks().await?,
        }
        if head.events {
            self.message = last_event(&self.message).ok_or("an event stream without a message")?;
        }
        Ok(head)
    }

    async fn more(&mut self) -> Result<(), String> {
        match self.stream.read_buf(&mut self.held).await {
            Ok(0) => Err("the connection was closed".to_owned()),
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn chunks(&mut self) -> Result<(), String> {
        let mut at = 0;
        loop {
            let size = match httparse::parse_chunk_size(&self.held[at..]) {
                Ok(httparse::Status::Complete((used, size))) => {
                    at += used;
                    usize::try_from(size).map_err(|_| "a chunk without end")?
                }
                Ok(httparse::Status::Partial) => {
                    self.more().await?;
                    continue;
                }
                Err(_) => return Err("a broken chunk".to_owned()),
            };
            while self.held.len() < at + size + 2 {
                self.more().await?;
            }
            self.message.extend_from_slice(&self.held[at..at + size]);
            at += size + 2;
            if size == 0 {
                self.held.drain(..at);
                return Ok(());
            }
        }
    }

    /// Calls a tool; the message that it is answered with.
    pub async fn turn(&mut self, tool: &str, body: &[u8]) -> Result<&[u8], String> {
        let (status, _) = self.post("tools/call", Some(tool), body).await?;
        if status == 200 { Ok(&self.message) } else { Err(format!("a call was answered {status}")) }
    }

    /// Opens a listen stream, which takes this connection for good, and checks how it begins.
    pub async fn listen(&mut self, id: u64) -> Result<(), String> {
        let request = self.request("subscriptions/listen", None, payload::listen(id).as_bytes());
        let head = self.head(&request).await?;
        if head.status != 200 || !head.events {
            return Err(format!("a listen was answered {} without a stream", head.status));
        }
        loop {
            let lines = memchr::memrchr(b'\n', &self.held).map_or(0, |end| end + 1);
            if let Some(message) = last_event(&self.held[..lines]) {
                return payload::check_listening(&message);
            }
            self.more().await?;
        }
    }

    /// Whether the server has kept this connection; what it sent meanwhile is skipped.
    pub fn is_kept(&mut self) -> bool {
        self.held.clear();
        match self.stream.try_read_buf(&mut self.held) {
            Ok(read) => read > 0,
            Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }

    /// Opens so many tasks.
    pub async fn tasks(&mut self, count: u64) -> Result<Ask, String> {
        let mut ids = Vec::new();
        for id in 0..count {
            self.post("tools/call", Some(ask::WAIT), &ask::task_call(id)).await?;
            ids.push(ask::task_id(&self.message)?);
        }
        Ok(Ask::Task(ids.into()))
    }

    /// Asks, one at a time, until `end`. Ids are `first`, `first + step`, …
    async fn calls(
        &mut self,
        ask: &Ask,
        first: u64,
        step: u64,
        end: Instant,
        most: u64,
    ) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let (mut id, mut body) = (first, Vec::new());
        for _ in 0..most {
            body.clear();
            ask.push(&mut body, self.era, id);
            let sent = Instant::now();
            if sent >= end {
                break;
            }
            let (status, _) = self.post(ask.method(), Some(ask.name(id)), &body).await?;
            latencies.push(sent.elapsed());
            if status != 200 {
                return Err(format!("a call was answered {status}"));
            }
            ask.check(&self.message, |found| found == id)?;
            id += step;
        }
        Ok(latencies)
    }

    /// `tools/list` again and again.
    pub async fn lists(&mut self, tools: usize, time: Duration) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let end = Instant::now() + time;
        let mut id = 1;
        while Instant::now() < end {
            let body = payload::list(self.era, id);
            let sent = Instant::now();
            self.post("tools/list", None, body.as_bytes()).await?;
            latencies.push(sent.elapsed());
            payload::check_list(&self.message, id, tools)?;
            id += 1;
        }
        latencies.stop();
        Ok(latencies)
    }

    /// One call with a long text after the other. Checking is not counted.
    pub async fn longs(&mut self, calls: &LongCalls, time: Duration) -> Result<Latencies, String> {
        let mut latencies = Latencies::start();
        let end = Instant::now() + time;
        let mut id = 1;
        while Instant::now() < end {
            let body = calls.call(self.era, id);
            let sent = Instant::now();
            self.post("tools/call", Some(calls.tool()), &body).await?;
            latencies.push(sent.elapsed());
            calls.check(&self.message, id)?;
            id += 1;
        }
        latencies.stop();
        Ok(latencies)
    }
}

/// Asks on all connections at once, for so long or so often on all together, once on each at least.
pub async fn calls(
    connections: &mut Vec<Connection>,
    ask: &Ask,
    time: Duration,
    most: u64,
) -> Result<Latencies, String> {
    let mut all = Latencies::start();
    let (end, step) = (Instant::now() + time, connections.len() as u64);
    let most = (most / step).max(1);
    let mut tasks = Vec::new();
    for (first, mut connection) in connections.drain(..).enumerate() {
        let ask = ask.clone();
        tasks.push(tokio::task::spawn_local(async move {
            let latencies = connection.calls(&ask, first as u64, step, end, most).await?;
            Ok::<_, String>((connection, latencies))
        }));
    }
    for task in tasks {
        let (connection, latencies) = task.await.map_err(|error| error.to_string())??;
        connections.push(connection);
        all.merge(latencies);
    }
    all.stop();
    Ok(all)
}

fn parse_head(held: &[u8]) -> Result<Option<Head>, String> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let size = match response.parse(held) {
        Ok(httparse::Status::Complete(size)) => size,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let value = |name: &str| {
        let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(header.value).ok()
    };
    let status = response.code.unwrap_or_default();
    let ending = if value("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        Ending::Chunked
    } else {
        Ending::Length(value("content-length").and_then(|length| length.parse().ok()).unwrap_or(0))
    };
    let events = value("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    Ok(Some(Head { status, ending, events, session: value("mcp-session-id").map(str::to_owned), size }))
}

/// The data of the last event that has some; priming events have none.
fn last_event(stream: &[u8]) -> Option<Vec<u8>> {
    let lines = stream.split(|&byte| byte == b'\n');
    let mut data = lines.filter_map(|line| line.strip_prefix(b"data:")).map(<[u8]>::trim_ascii);
    data.rfind(|data| !data.is_empty()).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_event_stream_is_its_last_data() {
        let stream = b"id: 0\ndata: \nretry: 3000\n\nid: 1\ndata: {\"id\":1}\n\n";
        assert_eq!(last_event(stream).as_deref(), Some(&b"{\"id\":1}"[..]));
        assert_eq!(last_event(b"id: 0\ndata:\n\n"), None);
    }

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nMcp-Session-Id: a\r\n\r\nhello";
        assert!(parse_head(&head[..20]).unwrap().is_none());
        let parsed = parse_head(head).unwrap().unwrap();
        assert!(matches!(parsed.ending, Ending::Length(5)));
        assert_eq!((parsed.status, parsed.session.as_deref(), parsed.size), (200, Some("a"), head.len() - 5));
    }
}
