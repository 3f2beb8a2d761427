"""The pages of the references of Rust, Kotlin and Swift.

Owns: which place of the sources is on which page: a module of Rust, a folder or file of a facade.
The names that a page has for a place come first; all others that are public there follow.
"""

from __future__ import annotations

from references import Page

RUST = (
    Page(
        "servers.md",
        "Rust: servers",
        "What can a server in Rust do, and what does each option mean?",
        {
            "mcpbolt::server": ("Server", "ServerBuilder", "Context", "IntoTool", "IntoResource", "IntoPrompt", "Json"),
            "mcpbolt::transport::streamable_http::server": ("HttpOptions", "HttpServer", "bind", "serve"),
            "mcpbolt::policy::access": (),
            "mcpbolt::policy::bounds": (),
            "mcpbolt::policy::rate": (),
            "mcpbolt::policy::places": (),
            "mcpbolt::protocol::extensions": (),
        },
    ),
    Page(
        "clients.md",
        "Rust: clients",
        "What can a client in Rust do, and what does each option mean?",
        {
            "mcpbolt::client": ("Client", "ClientBuilder", "ClientSession", "CallOptions", "Target", "Command", "Host"),
            "mcpbolt::transport::streamable_http::client": ("HttpClientOptions",),
            "mcpbolt::policy::apps": (),
            "mcpbolt::policy::skills": (),
        },
    ),
    Page(
        "auth.md",
        "Rust: authorization",
        "What signs clients in, and what checks tokens?",
        {"mcpbolt::auth": ("OAuth", "ResourceServer", "ResourceServerBuilder")},
    ),
    Page(
        "transports.md",
        "Rust: transports",
        "How do bytes travel, and how does a program bring a transport of its own?",
        {"mcpbolt::transport": ()},
    ),
    Page(
        "types.md",
        "Rust: types",
        "What are requests, results and contents made of?",
        {
            "mcpbolt": ("Error", "ErrorKind", "Revision", "Era"),
            "mcpbolt::types": (),
            "mcpbolt::capabilities": (),
            "mcpbolt::meta": (),
        },
    ),
    Page(
        "engine.md",
        "Rust: engine",
        "What do servers and clients stand on: handlers, stores, schemas, what operators see?",
        {
            "mcpbolt::handler": ("Handler", "Call", "Engine", "EngineOptions"),
            "mcpbolt::store": (),
            "mcpbolt::seal": (),
            "mcpbolt::schema": (),
            "mcpbolt::observe": (),
        },
    ),
)

KOTLIN = (
    Page(
        "servers.md",
        "Kotlin: servers",
        "What can a server in Kotlin do, and what does each option mean?",
        {
            "server/Server.kt": (),
            "server/ServerOptions.kt": (),
            "server/ClientConnection.kt": (),
            "server": (),
            "engine/McpTelemetry.kt": (),
            "engine/Telemetry.kt": (),
        },
    ),
    Page(
        "clients.md",
        "Kotlin: clients",
        "What can a client in Kotlin do, and what does each option mean?",
        {
            "client/Client.kt": ("Client",),
            "client/ClientOptions.kt": (),
            "client/ClientVerbs.kt": (),
            "client/ClientSession.kt": (),
            "engine/RequestOptions.kt": (),
            "engine/RequestHandlerExtra.kt": (),
            "client/Host.kt": ("Host",),
            "client": (),
        },
    ),
    Page(
        "auth.md",
        "Kotlin: authorization",
        "What signs clients in, and what checks tokens?",
        {
            "client/OAuth.kt": (),
            "client/OAuthRedirects.kt": (),
            "client/OAuthStores.kt": (),
            "client/OAuthGrants.kt": (),
            "server/ResourceServer.kt": (),
        },
    ),
    Page(
        "transports.md",
        "Kotlin: transports",
        "How do bytes travel, and how does a program bring a transport of its own?",
        {
            "engine/TransportOptions.kt": ("StdioOptions", "HttpOptions"),
            "engine/KotlinxIo.kt": (),
            "engine/Transport.kt": ("Transport", "AbstractTransport"),
            "engine/HttpCarrier.kt": ("HttpCarrier",),
            "InMemoryTransport.kt": (),
        },
    ),
    Page(
        "types.md",
        "Kotlin: types",
        "What are requests, results and contents made of, and which exceptions are there?",
        {"protocol/McpException.kt": (), "protocol": (), "engine/Notifications.kt": (), "generated/Types.kt": ()},
    ),
    Page(
        "messages.md",
        "Kotlin: messages",
        "Which requests and notifications are there?",
        {"generated/Methods.kt": (), "generated/Messages.kt": ()},
    ),
    Page(
        "builders.md",
        "Kotlin: builders",
        "How is a request put together member by member?",
        {"generated/Builders.kt": (), "protocol/RequestBuilders.kt": ()},
    ),
    Page(
        "ktor.md",
        "Kotlin: Ktor",
        "How is a server part of a Ktor application, and how does Ktor's HTTP client carry a client's requests?",
        {"ktor/server/KtorServer.kt": (), "ktor/server": (), "ktor/client": ()},
    ),
)

SWIFT = (
    Page(
        "servers.md",
        "Swift: servers",
        "What can a server in Swift do, and what does each option mean?",
        {"server/Server.swift": (), "server/HandlerContext.swift": (), "server": (), "engine/Telemetry.swift": ()},
    ),
    Page(
        "clients.md",
        "Swift: clients",
        "What can a client in Swift do, and what does each option mean?",
        {
            "client/Client.swift": (),
            "client/ClientSession.swift": (),
            "client/RequestContext.swift": (),
            "engine/RequestOptions.swift": (),
            "client/Host.swift": ("Host",),
            "client": (),
        },
    ),
    Page(
        "auth.md",
        "Swift: authorization",
        "What signs clients in, and what checks tokens?",
        {
            "client/OAuthAuthorizer.swift": (),
            "client/OAuthConfiguration.swift": (),
            "client/OAuthOfficial.swift": (),
            "client/OAuthBrowser.swift": (),
            "client/OAuthCredentialStore.swift": (),
            "client/OAuthClient.swift": (),
            "client/OAuthTokens.swift": (),
            "client/OAuthAssertion.swift": (),
            "server/ResourceServer.swift": (),
        },
    ),
    Page(
        "transports.md",
        "Swift: transports",
        "How do bytes travel, and how does a program bring a transport of its own?",
        {
            "engine/Transport.swift": ("Transport",),
            "engine/StdioTransport.swift": (),
            "engine/HTTPTransport.swift": (),
            "engine/TransportOptions.swift": (),
        },
    ),
    Page(
        "types.md",
        "Swift: types",
        "What are requests, results and contents made of, and which errors are there?",
        {"protocol/MCPError.swift": (), "protocol": (), "engine/Notifications.swift": (), "generated/Types.swift": ()},
    ),
    Page(
        "messages.md",
        "Swift: messages",
        "Which requests and notifications are there?",
        {"generated/Methods.swift": ()},
    ),
)

PAGES = {"rust": RUST, "kotlin": KOTLIN, "swift": SWIFT}

# What hosts in other languages and transports stand on; rustdoc has it.
LEFT_OUT = {
    "rust": (
        "mcpbolt::jsonrpc",
        "mcpbolt::methods",
        "mcpbolt::policy",
        "mcpbolt::protocol",
        "mcpbolt::session",
    ),
    "kotlin": (),
    "swift": (),
}
