//! Resources and resource templates.
//!
//! Owns: which URIs and templates may be registered, and which of them a URI means.
//! Must not know: how a resource is read.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::places::is_uri;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{ReadResourceResult, Resource, ResourceTemplate};
use mcpbolt_proto::session::Change;
use mcpbolt_proto::uri_template::UriTemplate;

use crate::handler::{BoxFuture, Call, Reply};

use super::core::Core;
use super::entries::{ResourceEntry, ResourceFn, TemplateEntry, TemplateFn};
use super::outcome::{Failure, Outcome};
use super::{Context, answers};

impl Core {
    pub(super) fn add_resource(&self, resource: Resource, read: ResourceFn) -> Result<(), Error> {
        if !is_uri(&resource.uri) {
            let remedy = "needs an absolute URI, with what RFC 3986 does not allow percent-encoded";
            return Err(Error::usage(format!("resource {:?} {remedy}", resource.name)));
        }
        self.resources.put(resource.uri.clone(), ResourceEntry { resource, read });
        self.changed(Change::Resources);
        Ok(())
    }

    pub(super) fn add_template(&self, template: ResourceTemplate, read: TemplateFn) -> Result<(), Error> {
        let pattern = UriTemplate::parse(&template.uri_template).map_err(|e| {
            Error::new(
                mcpbolt_proto::protocol::ErrorKind::Usage,
                format!("resource template {}: {e}", template.uri_template),
            )
        })?;
        self.templates.put(template.uri_template.clone(), TemplateEntry { template, pattern, read });
        self.changed(Change::Resources);
        Ok(())
    }

    /// Exact URIs first, then templates in the order of registration.
    pub(super) fn read_resource(self: &Arc<Self>, call: &Arc<Call>) -> Reply {
        let Some(uri) = call.param("uri").and_then(RawJson::as_string) else {
            return answers::refuse(Error::invalid_params("params.uri must be a string"));
        };
        let context = Context::new(call);
        if let Some(entry) = self.resources.get(&uri) {
            return reading((entry.read)(uri, context));
        }
        let matched =
            self.templates.find_map(|entry| Some((Arc::clone(entry), entry.pattern.match_uri(&uri)?)));
        match matched {
            Some((entry, variables)) => reading((entry.read)(uri, variables.into_iter().collect(), context)),
            None => answers::refuse(Error::resource_not_found(&uri)),
        }
    }
}

fn reading(answer: BoxFuture<'static, Result<Outcome<ReadResourceResult>, Failure>>) -> Reply {
    Reply::Later(Box::pin(async move { answers::answer(answer.await) }))
}
