//! Answers to the client's requests, and what a successful one changes.
//!
//! Owns: what leaves before an answer, and what a result changes in the session. Must not know:
//! who answered.

use bytestring::ByteString;

use crate::jsonrpc::{ErrorCode, RawJson, RawObject, encode};
use crate::protocol::wire::{self, ResultExtras, ShapedResult};
use crate::protocol::{Era, Error, ErrorKind};

use super::super::{Answer, ExchangeId, Facts, OutboundKind, Output};
use super::state::{Effect, Exchange, Phase, ServerSession};

impl ServerSession {
    /// Ends an exchange. `false` if it is unknown; the answer to a cancelled exchange
    /// is dropped.
    pub fn answer(&mut self, exchange: ExchangeId, answer: Answer, facts: &dyn Facts) -> bool {
        if let (Answer::Result { value, .. }, true) = (&answer, self.may_listen(exchange)) {
            let members = RawObject::parse(value).unwrap_or_default();
            self.listen(exchange, &members, facts);
            return true;
        }
        let Some(mut entry) = self.exchanges.remove(&exchange) else { return false };
        self.bytes_in_flight -= entry.size;
        if self.by_id.get(&entry.id) == Some(&exchange) {
            self.by_id.remove(&entry.id);
        }
        if entry.cancelled {
            return true;
        }
        self.cancel_children(exchange, "the request it served was answered");
        self.flush_logs(exchange);
        self.flush_progress(exchange, &mut entry);
        let (text, error, gate) = self.encode_answer(&entry, answer, facts);
        match entry.batch {
            Some(batch) => self.finish_batch(batch, Some(text)),
            None => self.send(entry.stream, OutboundKind::Response { error, gate }, text),
        }
        match (error, entry.effect) {
            (None, effect) => self.apply(effect),
            // What the handshake offered is void.
            (Some(_), Effect::Initialize(_)) => {
                if let Some(before) = self.handshake.take() {
                    self.agreed = before.agreed;
                    self.phase = before.phase;
                }
            }
            (Some(_), _) => {}
        }
        true
    }

    /// A listen request begins when it is answered with a result.
    pub(super) fn await_leave(&mut self, exchange: ExchangeId) {
        if let Some(open) = self.exchanges.get_mut(&exchange) {
            open.effect = Effect::Listen;
        }
    }

    /// Whether an exchange waits for leave to listen; from now on it does not.
    fn may_listen(&mut self, exchange: ExchangeId) -> bool {
        let open = self.exchanges.get_mut(&exchange).filter(|open| !open.cancelled);
        let waits = open.filter(|open| matches!(open.effect, Effect::Listen));
        waits.map(|open| open.effect = Effect::None).is_some()
    }

    /// What an exchange would change in the session does not happen, whatever its answer.
    pub fn disregard(&mut self, exchange: ExchangeId) {
        if let Some(open) = self.exchanges.get_mut(&exchange) {
            open.effect = Effect::None;
        }
    }

    fn encode_answer(
        &mut self,
        entry: &Exchange,
        answer: Answer,
        facts: &dyn Facts,
    ) -> (ByteString, Option<ErrorCode>, bool) {
        let modern = entry.revision.era() == Era::Modern;
        let server_info = || if modern { facts.server_info() } else { None };
        match answer {
            Answer::Result { value, cache } => {
                let value = self.complete_handshake(entry, value);
                let extras = ResultExtras { server_info: server_info(), cache };
                (encode_result(entry, value, &extras), None, false)
            }
            Answer::Shaped(value) => (encode::result(&entry.id, &value), None, false),
            Answer::InputRequired { requests, state } if modern => {
                let extras = ResultExtras { server_info: server_info(), cache: None };
                let value = wire::encode_input_required(&requests, state.as_deref(), &extras);
                (encode::result(&entry.id, &value), None, false)
            }
            Answer::InputRequired { .. } => {
                let error = Error::new(ErrorKind::Internal, "a legacy exchange cannot be parked");
                let error = error.to_wire(entry.revision);
                (encode::error(Some(&entry.id), &error), Some(error.code), false)
            }
            Answer::Error { error, gate } => {
                let any_code = self.settings.norm.any_code && !gate && !names_resource(&error);
                let error = if any_code { error.as_it_is() } else { error.to_wire(entry.revision) };
                (encode::error(Some(&entry.id), &error), Some(error.code), gate)
            }
        }
    }

    /// The members of `initialize` and `server/discover` that only the session knows.
    fn complete_handshake(&self, entry: &Exchange, value: RawJson) -> RawJson {
        let (name, text) = match &entry.effect {
            Effect::Initialize(agreed) => ("protocolVersion", RawJson::encode(agreed.revision.as_str())),
            _ if entry.method == crate::protocol::methods::SERVER_DISCOVER => {
                ("supportedVersions", RawJson::encode(&self.settings.offered(entry.revision.era())))
            }
            _ => return value,
        };
        let (Some(members), Ok(text)) = (RawObject::parse(&value), text) else { return value };
        if members.contains(name) {
            return value;
        }
        let first = std::iter::once((name.to_owned(), text));
        let hides = self.settings.hides_logging;
        let rest = members.iter().map(|(n, v)| {
            let shown = if hides && n == "capabilities" { without_logging(v) } else { v.clone() };
            (n.to_owned(), shown)
        });
        first.chain(rest).collect::<RawObject>().to_raw()
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::None | Effect::Listen => {}
            Effect::Initialize(agreed) => {
                self.agreed = Some(*agreed);
                self.phase = Phase::Initializing;
                self.log_level = None;
                for uri in std::mem::take(&mut self.subscriptions) {
                    self.out.push(Output::Subscription { uri, active: false });
                }
                if self.handshake.take().is_some_and(|handshake| handshake.initialized) {
                    self.ready();
                }
            }
            Effect::SetLevel(level) => self.log_level = Some(level),
            // Subscribing twice is one subscription.
            Effect::Subscribe(uri) => {
                if self.subscriptions.insert(uri.clone()) {
                    self.out.push(Output::Subscription { uri, active: true });
                }
            }
            Effect::Unsubscribe(uri) => {
                if self.subscriptions.remove(&uri) {
                    self.out.push(Output::Subscription { uri, active: false });
                }
            }
        }
    }
}

/// From how many bytes on a result becomes a message in the buffer that it was written to, if nobody
/// else has it: copies of large ones would be pages that the kernel hands out and takes back for each
/// message. Who keeps such a message keeps the buffer's room.
pub const IN_PLACE: usize = 64 << 10;

fn encode_result(entry: &Exchange, value: RawJson, extras: &ResultExtras) -> ByteString {
    let in_place = value.as_str().len() >= IN_PLACE && value.is_unshared();
    let shaped = ShapedResult::of(entry.revision, &entry.method, &value, extras);
    if let Some(around) = in_place.then(|| shaped.around()).flatten() {
        drop(shaped);
        return encode::result_around(&entry.id, value, &around);
    }
    let size = wire::result_size(entry.revision, &value, extras);
    encode::result_with(&entry.id, size, |out| shaped.write(out))
}

/// Whether an error says which resource there is not, whose code follows the revision.
fn names_resource(error: &Error) -> bool {
    let data = error.data.as_ref().and_then(RawObject::parse);
    error.kind == ErrorKind::ResourceNotFound && data.is_some_and(|data| data.contains("uri"))
}

/// Capabilities as they are told to a client that is not to know of log messages.
fn without_logging(capabilities: &RawJson) -> RawJson {
    let Some(mut members) = RawObject::parse(capabilities) else { return capabilities.clone() };
    members.remove("logging");
    members.to_raw()
}
