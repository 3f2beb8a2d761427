//! What a server with skills answers.
//!
//! Owns: the methods, and the resources that stand for files. Must not know: where the files
//! lie, or when they are read again.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::skills::{DIRECTORY_READ, EXTENSION, METHODS, ServedFile, digest};
use mcpbolt_proto::protocol::types::{ReadResourceResult, ResourceContents, ResourceTemplate};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::handler::list_cursors;

use super::super::entries::ResourceFn;
use super::super::{Context, Extension, Outcome, ServerBuilder};
use super::{SkillFolder, folder};

/// Entries on one page.
const PAGE: usize = 100;

impl ServerBuilder {
    /// Publishes the skills of a folder (`io.modelcontextprotocol/skills`). Clients declare
    /// nothing to use them; to those that do not know the extension, files of skills are
    /// ordinary resources.
    pub fn skills(self, skills: &SkillFolder) -> Self {
        skills.offer(self.extension(skills.extension()))
    }
}

impl SkillFolder {
    /// The methods. Those of folders are only there if they are declared.
    fn extension(&self) -> Extension {
        let [list, get, read_directory] = &METHODS;
        let (lists, gets, reads) = (self.clone(), self.clone(), self.clone());
        let extension = Extension::new(EXTENSION)
            .method(list, move |_, context| std::future::ready(lists.list(&context)))
            .method(get, move |params, context| std::future::ready(gets.get(params.as_ref(), &context)));
        if !self.inner.reads_directories {
            return extension;
        }
        extension.settings(json!({ DIRECTORY_READ: true })).method(read_directory, move |params, context| {
            std::future::ready(reads.read_directory(params.as_ref(), &context))
        })
    }

    fn offer(&self, mut builder: ServerBuilder) -> ServerBuilder {
        for resource in self.inner.now.load().catalog.listed() {
            builder.resources.push((resource, self.reader()));
        }
        let skills = self.clone();
        builder.resource_template(self.template(), move |uri, _, _| {
            let contents = skills.contents(&uri);
            async move { contents }
        })
    }

    fn template(&self) -> ResourceTemplate {
        let mut uri = String::from("skill://");
        for name in &self.inner.options.prefix {
            uri.push_str(name);
            uri.push('/');
        }
        uri.push_str("{+path}");
        ResourceTemplate::new(uri, EXTENSION).description("Files of skills; skills/list names them")
    }

    /// What reads one `SKILL.md` that is listed as a resource.
    pub(super) fn reader(&self) -> ResourceFn {
        let skills = self.clone();
        Arc::new(move |uri, _| {
            let contents = skills.contents(&uri);
            Box::pin(async move { Ok(Outcome::Done(contents?)) })
        })
    }

    fn contents(&self, uri: &str) -> Result<ReadResourceResult, Error> {
        let now = self.inner.now.load();
        let file = now.catalog.file(uri).ok_or_else(|| Error::resource_not_found(uri))?;
        let bytes = self.unchanged(file)?;
        let contents = match String::from_utf8(bytes) {
            Ok(text) => ResourceContents::text(uri, file.mime_type, text),
            Err(error) => ResourceContents::bytes(uri, file.mime_type, error.into_bytes()),
        };
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// The bytes of a file, if they are those that its entry was made of.
    fn unchanged(&self, file: &ServedFile) -> Result<Vec<u8>, Error> {
        let bytes = folder::read(&self.inner.root, &file.path, file.size);
        let same = |bytes: &Vec<u8>| bytes.len() as u64 == file.size && digest(bytes) == file.digest;
        bytes.ok().filter(same).ok_or_else(|| {
            tracing::warn!(target: "mcpbolt::protocol", path = %file.path, "changed since it was published: reload the skills");
            Error::new(ErrorKind::Internal, "the file changed since its skill was published")
        })
    }

    fn list(&self, context: &Context) -> Result<RawJson, Error> {
        let now = self.inner.now.load();
        self.page("skills", now.catalog.skills(), context)
    }

    fn get(&self, params: Option<&RawJson>, context: &Context) -> Result<RawJson, Error> {
        let uri = uri_in(params)?;
        let now = self.inner.now.load();
        let unknown = || Error::invalid_params(format!("no skill is served at {uri}"));
        let skill = now.catalog.skill(&uri).ok_or_else(unknown)?;
        let mut result = RawObject::new();
        result.put("skill", skill).map_err(unsendable)?;
        self.cached(result, context)
    }

    fn read_directory(&self, params: Option<&RawJson>, context: &Context) -> Result<RawJson, Error> {
        let uri = uri_in(params)?;
        let now = self.inner.now.load();
        let unknown = || Error::invalid_params(format!("{uri} is not a directory resource"));
        self.page("resources", now.catalog.folder(&uri).ok_or_else(unknown)?, context)
    }

    fn page<T: Serialize>(&self, member: &str, all: &[T], context: &Context) -> Result<RawJson, Error> {
        let call = context.call();
        let start = list_cursors::start(call)?;
        let end = all.len().min(start.saturating_add(PAGE));
        let items = all.get(start..end).ok_or_else(list_cursors::unknown)?;
        let mut result = RawObject::new();
        result.put(member, items).map_err(unsendable)?;
        if end < all.len() {
            result.put("nextCursor", &list_cursors::at(call.method(), end)).map_err(unsendable)?;
        }
        self.cached(result, context)
    }

    fn cached(&self, mut result: RawObject, context: &Context) -> Result<RawJson, Error> {
        if context.revision().features().cache_hints {
            let hint = self.inner.cache;
            result.put("ttlMs", &hint.ttl_ms).map_err(unsendable)?;
            result.put("cacheScope", hint.scope.as_str()).map_err(unsendable)?;
        }
        Ok(result.to_raw())
    }
}

fn uri_in(params: Option<&RawJson>) -> Result<String, Error> {
    let params: Option<Value> = params.and_then(|params| params.decode().ok());
    let uri = params.as_ref().and_then(|params| params["uri"].as_str());
    uri.map(str::to_owned).ok_or_else(|| Error::invalid_params("params.uri must be a string"))
}

fn unsendable(_: mcpbolt_proto::jsonrpc::RawError) -> Error {
    Error::new(ErrorKind::Internal, "the result cannot be sent")
}
