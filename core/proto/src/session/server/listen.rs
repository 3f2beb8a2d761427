//! Modern subscriptions: one `subscriptions/listen` request, many notifications.
//!
//! Owns: what a listen request is promised, its acknowledgement and its end. Must not know: how
//! changes come about.

use std::collections::{BTreeMap, BTreeSet};

use crate::jsonrpc::{RawJson, RawObject, encode};
use crate::policy::places::is_uri;
use crate::protocol::types::SubscriptionFilter;
use crate::protocol::wire::{self, ResultExtras};
use crate::protocol::{Error, meta, methods};

use super::super::{Change, ExchangeId, Facts, OutboundKind, Output};
use super::admit::no_uri;
use super::changes::{Listen, change_message};
use super::state::ServerSession;

impl ServerSession {
    /// Opens a subscription, or answers why not; that is returned too.
    pub(super) fn listen(
        &mut self,
        exchange: ExchangeId,
        members: &RawObject,
        facts: &dyn Facts,
    ) -> Option<Error> {
        let error = self.begin_listen(exchange, members, facts).err()?;
        self.refuse(exchange, error.clone(), facts);
        Some(error)
    }

    /// The filter is registered before the acknowledgement is written, in one step, so that
    /// no change falls between the two.
    fn begin_listen(
        &mut self,
        exchange: ExchangeId,
        members: &RawObject,
        facts: &dyn Facts,
    ) -> Result<(), Error> {
        let filter = members.get("notifications").filter(|n| n.is_object());
        let kinds = filter.and_then(RawObject::parse).unwrap_or_default();
        let filter = filter.and_then(|n| n.decode::<SubscriptionFilter>().ok());
        let asked =
            filter.ok_or_else(|| Error::invalid_params("notifications must be an object of wanted kinds"))?;
        let topics = self.topics(exchange, &kinds, facts)?;
        let uris = asked.resource_subscriptions.iter().flatten();
        if !self.settings.norm.any_uri && !uris.clone().all(|uri| is_uri(uri)) {
            return Err(no_uri("each of resourceSubscriptions"));
        }
        let muted = members.get("muted").and_then(|muted| muted.decode::<BTreeSet<String>>().ok());
        let listen = Listen {
            tools: asked.tools_list_changed.unwrap_or(false) && facts.announces(&Change::Tools),
            prompts: asked.prompts_list_changed.unwrap_or(false) && facts.announces(&Change::Prompts),
            resources: asked.resources_list_changed.unwrap_or(false) && facts.announces(&Change::Resources),
            uris: asked
                .resource_subscriptions
                .unwrap_or_default()
                .into_iter()
                .filter(|uri| facts.announces(&Change::Resource(uri.clone())))
                .collect(),
            muted: muted.filter(|_| self.settings.ask_before_listen).unwrap_or_default(),
            topics,
        };
        if self.subscription_count() + listen.len() > self.settings.max_subscriptions {
            return Err(Error::invalid_params("too many subscriptions; end some listen requests first"));
        }
        let mut params = RawObject::new();
        params.set("notifications", listen.honoured());
        for uri in listen.uris.difference(&listen.muted) {
            self.out.push(Output::Subscription { uri: uri.clone(), active: true });
        }
        self.listens.insert(exchange, listen);
        self.send_tagged(exchange, methods::SUBSCRIPTIONS_ACKNOWLEDGED, params);
        Ok(())
    }

    /// What a filter names of extensions, each declared by the client.
    fn topics(
        &self,
        exchange: ExchangeId,
        kinds: &RawObject,
        facts: &dyn Facts,
    ) -> Result<BTreeMap<&'static str, BTreeSet<String>>, Error> {
        let mut topics = BTreeMap::new();
        for topic in facts.topics() {
            let Some(keys) = kinds.get(topic.member) else { continue };
            let client = self.exchanges.get(&exchange).and_then(|open| open.client_capabilities.clone());
            client.unwrap_or_default().require_extension(topic.extension)?;
            let wrong = |_| Error::invalid_params(format!("{} must be a list of texts", topic.member));
            topics.insert(topic.member, keys.decode().map_err(wrong)?);
        }
        Ok(topics)
    }

    pub(super) fn publish_to_listens(&mut self, change: &Change) {
        let wanted: Vec<ExchangeId> =
            self.listens.iter().filter(|(_, listen)| listen.wants(change)).map(|(id, _)| *id).collect();
        for exchange in wanted {
            let (method, params) = change_message(change);
            self.send_tagged(exchange, method, params.unwrap_or_default());
        }
    }

    /// Ends all listen requests with their final result.
    pub(super) fn end_listens(&mut self) {
        let open: Vec<ExchangeId> = self.listens.keys().copied().collect();
        for exchange in open {
            self.end_listen(exchange);
        }
    }

    fn end_listen(&mut self, exchange: ExchangeId) {
        self.drop_listen(exchange);
        let Some(entry) = self.exchanges.remove(&exchange) else { return };
        self.bytes_in_flight -= entry.size;
        self.by_id.remove(&entry.id);
        let mut value = RawObject::new();
        value.set("_meta", tag(&entry.id));
        let value =
            wire::encode_result(entry.revision, &entry.method, value.to_raw(), &ResultExtras::default());
        let kind = OutboundKind::Response { error: None, gate: false };
        self.send(entry.stream, kind, encode::result(&entry.id, &value));
    }

    /// Forgets a subscription without a word.
    pub(super) fn drop_listen(&mut self, exchange: ExchangeId) {
        let Some(listen) = self.listens.remove(&exchange) else { return };
        for uri in listen.uris.difference(&listen.muted).cloned() {
            self.out.push(Output::Subscription { uri, active: false });
        }
    }

    pub(super) fn subscription_count(&self) -> usize {
        self.subscriptions.len() + self.listens.values().map(Listen::len).sum::<usize>()
    }

    fn send_tagged(&mut self, exchange: ExchangeId, method: &str, mut params: RawObject) {
        let Some(entry) = self.exchanges.get(&exchange) else { return };
        params.set("_meta", tag(&entry.id));
        self.send_notification(entry.stream, method, Some(&params.to_raw()));
    }
}

/// `_meta` with the subscription's id, in the JSON type of the listen request's id.
fn tag(id: &crate::jsonrpc::Id) -> RawJson {
    std::iter::once((meta::SUBSCRIPTION_ID, id.to_raw())).collect::<RawObject>().to_raw()
}
