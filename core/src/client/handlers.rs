//! Answers what the server asks: the same handlers for requests of the legacy era and
//! for questions inside `input_required`.
//!
//! Owns: which handler answers which question, and the capabilities that follow. Must not know:
//! whether a question came as a request or inside a result.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::trust::ResultCaps;
use mcpbolt_proto::protocol::capabilities::{
    ClientCapabilities, ElicitationCapability, RootsCapability, SamplingCapability,
};
use mcpbolt_proto::protocol::types::{
    CreateMessageParams, ElicitFormParams, ElicitParams, ElicitResult, ListRootsResult, Root,
};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::Time;

use crate::handler::BoxFuture;
use crate::observe::events;

use super::form_elicitation;
use super::page_request::PageRequest;
use super::sampling::{Asking, Sampler, SamplingBudget, sample};

pub(super) type Answering<P, R> = Arc<dyn Fn(P) -> BoxFuture<'static, Result<R, Error>> + Send + Sync>;

/// What the program offers its servers.
#[derive(Clone, Default)]
pub(super) struct Handlers {
    pub(super) sampler: Option<Arc<dyn Sampler>>,
    pub(super) sampling: SamplingCapability,
    pub(super) budget: SamplingBudget,
    pub(super) form: Option<Answering<ElicitFormParams, ElicitResult>>,
    pub(super) url: Option<Answering<PageRequest, ElicitResult>>,
    pub(super) roots: Option<Answering<(), Vec<Root>>>,
    pub(super) raw: HashMap<String, Answering<Option<RawJson>, RawJson>>,
    pub(super) other: ClientCapabilities,
}

impl Handlers {
    /// What the handlers amount to.
    pub(super) fn capabilities(&self) -> ClientCapabilities {
        let mode = |on: bool| on.then(Default::default);
        ClientCapabilities {
            roots: self.roots.as_ref().map(|_| RootsCapability { list_changed: Some(true) }),
            sampling: self.sampler.as_ref().map(|_| self.sampling.clone()),
            elicitation: (self.form.is_some() || self.url.is_some()).then(|| ElicitationCapability {
                form: mode(self.form.is_some()),
                url: mode(self.url.is_some()),
            }),
            ..self.other.clone()
        }
    }

    /// Answers one question. Fails as the server is told in the legacy era.
    pub(super) async fn answer(
        &self,
        asking: &Asking,
        caps: &ResultCaps,
        now: Time,
        method: &str,
        params: Option<RawJson>,
    ) -> Result<RawJson, Error> {
        if let Some(handler) = self.raw.get(method) {
            return handler(params).await;
        }
        match (method, &self.sampler, &self.roots) {
            (methods::SAMPLING_CREATE_MESSAGE, Some(sampler), _) => {
                let mut params: CreateMessageParams = decode(params)?;
                // Context is for clients that declared it.
                params.include_context.take_if(|_| self.sampling.context.is_none());
                let answer = sample(&**sampler, &self.budget, asking, now, params);
                encode(&asking.nesting.sample(caps, answer).await?)
            }
            (methods::ROOTS_LIST, _, Some(roots)) => {
                let roots = roots(()).await?;
                if roots.iter().any(|root| !events::is_file(&root.uri)) {
                    events::odd_root();
                }
                encode(&ListRootsResult::new(roots))
            }
            (methods::ELICITATION_CREATE, ..) => encode(&self.elicit(asking, decode(params)?).await?),
            _ => Err(Error::method_not_found(method)),
        }
    }

    async fn elicit(&self, asking: &Asking, params: ElicitParams) -> Result<ElicitResult, Error> {
        match (params, &self.form, &self.url) {
            (ElicitParams::Form(form), Some(handler), _) => {
                let schema = form.requested_schema.clone();
                form_elicitation::complete(&schema, handler(form).await?)
            }
            (ElicitParams::Url(url), _, Some(handler)) => {
                if let Some(id) = &url.elicitation_id {
                    asking.pages.open(id);
                }
                let mut result = handler(PageRequest::read(url)?).await?;
                result.content = None;
                Ok(result)
            }
            _ => Err(Error::invalid_params("this mode was not declared by the client")),
        }
    }
}

fn decode<T: DeserializeOwned>(params: Option<RawJson>) -> Result<T, Error> {
    let params = params.unwrap_or_else(RawJson::empty_object);
    params.decode().map_err(|_| Error::invalid_params("the params do not fit the method"))
}

fn encode<T: serde::Serialize>(value: &T) -> Result<RawJson, Error> {
    RawJson::encode(value).map_err(|error| Error::internal(error.to_string()))
}
