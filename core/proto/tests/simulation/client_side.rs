//! The client session, and what its program does and was told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::client::{ClientOutput, ClientSession, ClientSettings, RequestOptions};
use mcpbolt_proto::session::negotiate::ProtocolPolicy;
use mcpbolt_proto::session::{ExchangeId, OutgoingId};

use crate::world::Checked;

struct Request {
    listen: bool,
    answered: bool,
}

pub(crate) struct ClientSide {
    pub(crate) session: ClientSession,
    requests: BTreeMap<OutgoingId, Request>,
    asked: Vec<ExchangeId>,
    closed: bool,
    outputs: Vec<ClientOutput>,
}

impl ClientSide {
    pub(crate) fn new(revision: Revision) -> Self {
        let capabilities = RawJson::parse(r#"{"roots":{},"sampling":{}}"#).expect("JSON");
        let mut settings =
            ClientSettings::new(Implementation::new("c", "1"), capabilities.decode().expect("capabilities"));
        settings.policy = ProtocolPolicy::Pinned(revision);
        Self {
            session: ClientSession::new(Arc::new(settings)),
            requests: BTreeMap::new(),
            asked: Vec::new(),
            closed: false,
            outputs: Vec::new(),
        }
    }

    fn send(&mut self, now: Duration, method: &str, params: &str, options: RequestOptions) {
        let params = RawJson::parse(params.to_owned()).expect("JSON");
        if let Ok(request) = self.session.request(now, method, Some(params), options) {
            let listen = method == "subscriptions/listen";
            self.requests.insert(request, Request { listen, answered: false });
        }
    }

    pub(crate) fn request(&mut self, now: Duration, progress: bool, timeout_ms: u64) {
        let timeout = Some(Duration::from_millis(timeout_ms));
        let options = RequestOptions { timeout, progress, ..RequestOptions::default() };
        self.send(now, "tools/call", r#"{"name":"x"}"#, options);
    }

    pub(crate) fn listen(&mut self, now: Duration) {
        let params = r#"{"notifications":{"toolsListChanged":true}}"#;
        self.send(now, "subscriptions/listen", params, RequestOptions::default());
    }

    pub(crate) fn cancel(&mut self, pick: u8) {
        let open: Vec<OutgoingId> = self.requests.keys().copied().collect();
        if let Some(request) = open.get(usize::from(pick) % open.len().max(1)) {
            self.session.cancel(*request, Some("enough"));
        }
    }

    pub(crate) fn answer(&mut self, pick: u8) {
        if self.asked.is_empty() {
            return;
        }
        let exchange = self.asked.remove(usize::from(pick) % self.asked.len());
        let roots = RawJson::parse(r#"{"roots":[]}"#).expect("JSON");
        self.session.answer(exchange, Ok(roots));
    }

    pub(crate) fn close(&mut self) {
        self.session.close(&Error::closed());
    }

    pub(crate) fn drain(&mut self, sent: &mut Vec<String>, trace: &mut Vec<String>) -> Checked {
        self.session.take_outputs(&mut self.outputs);
        for output in std::mem::take(&mut self.outputs) {
            if self.closed {
                return Err(format!("the client goes on after its end: {output:?}"));
            }
            match output {
                ClientOutput::Send(frame) => {
                    trace.push(format!("client sends {}", frame.text));
                    sent.push(frame.text.to_string());
                }
                ClientOutput::Abandon { notice, .. } => {
                    sent.extend(notice.map(|frame| frame.text.to_string()));
                }
                ClientOutput::Answered { request, outcome } => {
                    let state = self.requests.get_mut(&request).ok_or("an answer to nothing")?;
                    if std::mem::replace(&mut state.answered, true) {
                        return Err(format!("{request:?} was answered twice"));
                    }
                    let outcome = outcome.map_or_else(|e| format!("{:?}", e.kind), |_| "ok".to_owned());
                    trace.push(format!("client answered {} {outcome}", request.0));
                }
                ClientOutput::Progress { request, .. } => {
                    if self.requests.get(&request).is_none_or(|state| state.answered) {
                        return Err(format!("progress after the end of {request:?}"));
                    }
                    trace.push(format!("client progress {}", request.0));
                }
                ClientOutput::Request(request) => self.asked.push(request.exchange),
                ClientOutput::CancelRequest { exchange, .. } => self.asked.retain(|e| *e != exchange),
                ClientOutput::Closed(_) => self.closed = true,
                // A revision that is pinned never wants another process.
                ClientOutput::Restart => return Err("a restart".to_owned()),
                ClientOutput::Lost(_) => return Err("nobody pings".to_owned()),
                ClientOutput::Refused(_) => return Err("nothing was probed".to_owned()),
                ClientOutput::Ready(_) | ClientOutput::Notification { .. } | ClientOutput::Problem(_) => {
                    trace.push(format!("client {output:?}"));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn all_but_listens_ended(&self) -> Checked {
        match self.requests.iter().find(|(_, state)| !state.listen && !state.answered) {
            Some((request, _)) => Err(format!("{request:?} neither ended nor timed out")),
            None => Ok(()),
        }
    }

    pub(crate) fn ended(&self) -> Checked {
        if let Some((request, _)) = self.requests.iter().find(|(_, state)| !state.answered) {
            return Err(format!("{request:?} was never answered"));
        }
        let left = (self.session.in_flight(), self.session.asked(), self.asked.len());
        if left != (0, 0, 0) || self.session.next_deadline().is_some() {
            return Err(format!("the client keeps {left:?} after its end"));
        }
        Ok(())
    }
}
