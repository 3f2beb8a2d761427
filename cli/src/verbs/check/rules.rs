//! What `check` knows to look for.
//!
//! Owns: the stable name of each rule, how much it matters, what it says and what to do. Must
//! not know: how a fault is found.

use crate::args::Level;

/// One thing to look for.
#[derive(Debug)]
pub(super) struct Rule {
    /// Stable: `--allow` and programs name it.
    pub(super) name: &'static str,
    pub(super) level: Level,
    /// What is wrong where it is found.
    pub(super) what: &'static str,
    pub(super) remedy: &'static str,
}

const fn error(name: &'static str, what: &'static str, remedy: &'static str) -> Rule {
    Rule { name, level: Level::Error, what, remedy }
}

const fn warning(name: &'static str, what: &'static str, remedy: &'static str) -> Rule {
    Rule { name, level: Level::Warning, what, remedy }
}

const fn note(name: &'static str, what: &'static str, remedy: &'static str) -> Rule {
    Rule { name, level: Level::Note, what, remedy }
}

// The protocol.
pub(super) const STRAY: Rule = error(
    "stray-message",
    "something came that is no message, or an answer to nothing that was asked",
    "on stdio write nothing but messages to standard output, and logs to standard error; answer each request once",
);
pub(super) const SERVER_NAME: Rule =
    error("server-without-name", "serverInfo has no name or no version", "give the server both");
pub(super) const OLD_REVISION: Rule = note(
    "old-revision",
    "the newest revision that the server speaks has successors",
    "update the library that the server is written with",
);
pub(super) const LIST_FAILS: Rule = error(
    "declared-list-fails",
    "a list fails although its capability is declared",
    "answer the list, with an empty one if there is nothing, or do not declare the capability",
);
pub(super) const LIST_UNDECLARED: Rule = warning(
    "list-undeclared",
    "a list has entries although its capability is not declared, so that clients will not ask for it",
    "declare the capability",
);
pub(super) const PAGING: Rule = error(
    "paging-stuck",
    "the list never ends: a cursor comes again, or there are too many pages",
    "leave nextCursor out on the last page, and give each page a cursor of its own",
);
pub(super) const MALFORMED: Rule = error(
    "entry-malformed",
    "an entry of a list is not of the shape that the specification gives it",
    "send the members that are required, each of its type",
);
pub(super) const REPEATED: Rule =
    error("name-repeated", "two entries have the same name or URI", "give each one of its own");
pub(super) const TOOL_NAME: Rule = warning(
    "tool-name-characters",
    "the name is not 1 to 128 letters, digits, _, - and ., which is what clients and models can be relied on to take",
    "rename the tool; spaces and the like belong into title",
);
pub(super) const RESOURCE_URI: Rule = error(
    "resource-uri",
    "the URI of a resource cannot be read",
    "use an absolute URI, such as file:///notes.txt",
);
pub(super) const UNKNOWN_METHOD: Rule = error(
    "unknown-method-not-refused",
    "a method that does not exist is not answered with -32601",
    "answer requests with unknown methods with the error -32601",
);
pub(super) const UNKNOWN_TOOL: Rule = warning(
    "unknown-tool-not-refused",
    "a call of a tool that does not exist is answered with a result, not with an error of the protocol",
    "answer it with the error -32602",
);
pub(super) const UNKNOWN_RESOURCE: Rule = error(
    "unknown-resource-not-refused",
    "a resource that does not exist is read without an error",
    "answer with the error -32002, on 2026-07-28 with -32602",
);

// Descriptions.
pub(super) const NO_INSTRUCTIONS: Rule = note(
    "server-without-instructions",
    "the server does not say how its parts are used together",
    "say it in instructions, which hosts may hand to the model",
);
pub(super) const TOOL_DESCRIPTION: Rule = warning(
    "tool-without-description",
    "the model learns nothing of what the tool does",
    "describe what it does, when to use it, and what it gives back",
);
pub(super) const ARGUMENT_DESCRIPTION: Rule = note(
    "argument-without-description",
    "the model has to guess what an argument means",
    "give the property a description: meaning, unit, an example",
);
pub(super) const PROMPT_DESCRIPTION: Rule = warning(
    "prompt-without-description",
    "people who choose the prompt from a list see a bare name",
    "describe what it is for",
);
pub(super) const RESOURCE_TYPE: Rule = note(
    "resource-without-mime-type",
    "clients cannot know whether they can show the resource",
    "give it its mimeType",
);
pub(super) const LONG: Rule = warning(
    "description-too-long",
    "the description has more than 4,000 characters, which every conversation pays for",
    "keep what the model needs to choose and call the tool; the rest belongs into a resource",
);

// Schemas.
pub(super) const SCHEMA_INVALID: Rule = error(
    "schema-invalid",
    "the schema cannot be used",
    "make it valid JSON Schema (2020-12, unless $schema says otherwise) without references to other documents",
);
pub(super) const SCHEMA_OBJECT: Rule = error(
    "schema-not-object",
    "inputSchema has not the type object",
    "arguments are an object: say \"type\": \"object\"",
);
pub(super) const REQUIRED_UNKNOWN: Rule = error(
    "required-unknown",
    "required names an argument that properties does not have",
    "add it to properties, or take it out of required",
);
pub(super) const UNTYPED: Rule = warning(
    "argument-without-type",
    "anything fits the argument, and models send anything",
    "give the property a type, an enum or a $ref",
);
pub(super) const DEFAULT: Rule = warning(
    "default-does-not-fit",
    "the default of an argument does not fit its own schema",
    "change one of the two",
);

// Security.
pub(super) const HIDDEN: Rule = error(
    "hidden-text",
    "the text has characters that people do not see and models read",
    "remove control characters, zero-width and tag characters, and marks that change the direction",
);
pub(super) const ORDERS: Rule = warning(
    "orders-to-the-model",
    "the text tells the model to disobey, to hide something, or to use a tool first",
    "describe the tool; what hosts and people should decide is not the server's to say",
);
pub(super) const SECRET: Rule =
    error("secret-in-text", "the text has what looks like a key or token", "revoke it, and take it out");
pub(super) const SECRET_ARGUMENT: Rule = warning(
    "secret-as-argument",
    "an argument asks for a password, key or token, which the model and the host's logs will see",
    "take it from the environment or from authorization, or ask the person by URL elicitation",
);
pub(super) const POWERFUL: Rule = warning(
    "runs-what-it-is-given",
    "an argument is a command, code or a query, and the tool is not marked as destructive",
    "set destructiveHint, so that hosts ask first; better, offer tools for what is really wanted",
);
pub(super) const NO_HINTS: Rule = note(
    "tool-without-annotations",
    "hosts have to treat the tool as one that destroys and reaches the world",
    "set readOnlyHint, and for others destructiveHint and openWorldHint",
);
pub(super) const HINTS_CONTRADICT: Rule = warning(
    "annotations-contradict",
    "the tool says that it is read-only and that it is destructive",
    "destructiveHint has a meaning only where readOnlyHint is false",
);
pub(super) const PLAIN_HTTP: Rule = error(
    "plain-http",
    "everybody between client and server can read and change what is said",
    "serve it over https",
);
pub(super) const URL_SECRET: Rule = warning(
    "secret-in-url",
    "the URL has what looks like a credential; URLs end up in logs",
    "send it in a header",
);
pub(super) const NO_AUTHORIZATION: Rule = note(
    "no-authorization",
    "the server is not on this machine and answers without credentials",
    "fine for what is public; otherwise verify tokens",
);
pub(super) const ORIGIN: Rule = error(
    "origin-not-checked",
    "a request with a foreign Origin is served, so that any web page that a user opens can use the server",
    "answer 403 where Origin is there and not one of your own",
);

/// All rules, in the order of the documentation.
pub(super) const ALL: &[&Rule] = &[
    &STRAY,
    &SERVER_NAME,
    &OLD_REVISION,
    &LIST_FAILS,
    &LIST_UNDECLARED,
    &PAGING,
    &MALFORMED,
    &REPEATED,
    &TOOL_NAME,
    &RESOURCE_URI,
    &UNKNOWN_METHOD,
    &UNKNOWN_TOOL,
    &UNKNOWN_RESOURCE,
    &NO_INSTRUCTIONS,
    &TOOL_DESCRIPTION,
    &ARGUMENT_DESCRIPTION,
    &PROMPT_DESCRIPTION,
    &RESOURCE_TYPE,
    &LONG,
    &SCHEMA_INVALID,
    &SCHEMA_OBJECT,
    &REQUIRED_UNKNOWN,
    &UNTYPED,
    &DEFAULT,
    &HIDDEN,
    &ORDERS,
    &SECRET,
    &SECRET_ARGUMENT,
    &POWERFUL,
    &NO_HINTS,
    &HINTS_CONTRADICT,
    &PLAIN_HTTP,
    &URL_SECRET,
    &NO_AUTHORIZATION,
    &ORIGIN,
];
