//! A built server: what it offers now, and changes to that.
//!
//! Owns: the public face of the registries. Must not know: how a server is put together
//! (`builder` does), or on which transport it runs (`serve` does).

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{Prompt, Resource, ResourceTemplate, Tool};
use mcpbolt_proto::session::Change;

use crate::handler::{Engine, Handler};

use super::Context;
use super::core::Core;
use super::entries::{PromptFn, ResourceFn, TemplateFn, ToolFn};

/// A server. Cheap to clone; all clones are one server.
///
/// ```
/// use mcpbolt::server::Server;
/// use mcpbolt::types::Resource;
///
/// let server = Server::builder("notes", "1.0.0")
///     .resource(Resource::new("note:///a", "a"), |_| async { "milk".to_owned() })
///     .build();
/// server.enable_resource("note:///a", false); // clients are told
/// assert!(server.resources().is_empty());
/// server.resource_updated("note:///b"); // so are subscribers
/// ```
#[derive(Clone)]
pub struct Server {
    core: Arc<Core>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) engine: Arc<Engine>,
}

impl Server {
    pub(super) fn assemble(core: Arc<Core>, engine: Arc<Engine>) -> Self {
        Self { handler: core.clone(), core, engine }
    }

    /// What answers, for transports and bindings.
    pub fn handler(&self) -> &Arc<dyn Handler> {
        &self.handler
    }

    /// What all its connections share.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Counters of all its connections.
    pub fn stats(&self) -> crate::observe::Snapshot {
        self.engine.stats().snapshot()
    }

    /// The tools that clients see, in the order of registration.
    pub fn tools(&self) -> Vec<Tool> {
        self.core.tools.visible(|entry| entry.tool.clone())
    }

    /// The prompts that clients see.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.core.prompts.visible(|entry| entry.prompt.clone())
    }

    /// The resources that clients see.
    pub fn resources(&self) -> Vec<Resource> {
        self.core.resources.visible(|entry| entry.resource.clone())
    }

    /// The resource templates that clients see.
    pub fn resource_templates(&self) -> Vec<ResourceTemplate> {
        self.core.templates.visible(|entry| entry.template.clone())
    }

    /// Adds or replaces a tool. Clients are told.
    ///
    /// # Errors
    /// When its input schema is not one of an object.
    pub fn add_tool(&self, tool: Tool, run: ToolFn) -> Result<(), Error> {
        self.core.add_tool(tool, run)
    }

    /// Adds or replaces a prompt. Clients are told.
    pub fn add_prompt(&self, prompt: Prompt, get: PromptFn) {
        self.core.add_prompt(prompt, get);
    }

    /// Adds or replaces a resource. Clients are told.
    ///
    /// # Errors
    /// When its URI is not an absolute URI.
    pub fn add_resource(&self, resource: Resource, read: ResourceFn) -> Result<(), Error> {
        self.core.add_resource(resource, read)
    }

    /// Adds or replaces a template. Clients are told.
    ///
    /// # Errors
    /// When the URI template does not follow RFC 6570.
    pub fn add_resource_template(&self, template: ResourceTemplate, read: TemplateFn) -> Result<(), Error> {
        self.core.add_template(template, read)
    }

    /// Changes a tool's description in place; `false` if no tool has that name.
    ///
    /// # Errors
    /// When the input schema is no longer one of an object. The tool stays as it was.
    pub fn update_tool(&self, name: &str, change: impl FnOnce(&mut Tool)) -> Result<bool, Error> {
        self.core.update_tool(name, change)
    }

    /// Removes a tool; `false` if no tool has that name.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.core.changed_if(Change::Tools, self.core.tools.remove(name))
    }

    /// Hides a tool from lists and calls, or shows it again.
    pub fn enable_tool(&self, name: &str, on: bool) -> bool {
        self.core.changed_if(Change::Tools, self.core.tools.enable(name, on))
    }

    /// Removes a prompt.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.core.changed_if(Change::Prompts, self.core.prompts.remove(name))
    }

    /// Hides a prompt, or shows it again.
    pub fn enable_prompt(&self, name: &str, on: bool) -> bool {
        self.core.changed_if(Change::Prompts, self.core.prompts.enable(name, on))
    }

    /// Removes a resource.
    pub fn remove_resource(&self, uri: &str) -> bool {
        self.core.changed_if(Change::Resources, self.core.resources.remove(uri))
    }

    /// Hides a resource, or shows it again.
    pub fn enable_resource(&self, uri: &str, on: bool) -> bool {
        self.core.changed_if(Change::Resources, self.core.resources.enable(uri, on))
    }

    /// Removes a template, by its text.
    pub fn remove_resource_template(&self, template: &str) -> bool {
        self.core.changed_if(Change::Resources, self.core.templates.remove(template))
    }

    /// Tells subscribers that a resource changed.
    pub fn resource_updated(&self, uri: impl Into<String>) {
        self.core.announce(Change::Resource(uri.into()));
    }

    /// Tells clients that the tool list changed, for lists the program makes itself.
    pub fn tools_changed(&self) {
        self.core.announce(Change::Tools);
    }

    /// Tells clients that the prompt list changed.
    pub fn prompts_changed(&self) {
        self.core.announce(Change::Prompts);
    }

    /// Tells clients that the resource list changed.
    pub fn resources_changed(&self) {
        self.core.announce(Change::Resources);
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("tools", &self.core.tools.len()).finish_non_exhaustive()
    }
}

impl Context {
    /// The server this call runs on, for changes to what it offers.
    pub fn server(&self) -> Option<Server> {
        Some(Server::assemble(self.call().handler_as::<Core>()?, self.call().engine()))
    }
}
