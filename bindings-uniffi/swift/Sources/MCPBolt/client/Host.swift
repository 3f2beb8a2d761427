// Clients of several servers, with their tools merged into one list. Owns: which servers there are,
// the merged list, keeping it fresh. Must not know: how a server is reached, or by which rule tools
// are told apart, which the engine knows.
import Foundation
import MCPBoltEngine

/// A tool of one of a host's servers.
public struct HostTool: Hashable, Sendable {
    /// The tool's name in the host: its own, or `server_name` if several servers have a tool of
    /// that name, or another tool is called so for that reason.
    public let name: String
    /// The name of its server in the host.
    public let server: String
    /// The tool, as its server lists it.
    public let tool: Tool
}

/// Connects to several servers and offers their tools in one list. A server that fails never blocks
/// the others.
public actor Host {
    private let info: Implementation
    private let configuration: Client.Configuration
    private let authorizer: OAuthAuthorizer
    private let prepare: @Sendable (Client, String) async -> Void
    private var order: [String] = []
    private var servers: [String: (client: Client, tools: [Tool])] = [:]
    /// Clients that are being added, and whether their lists have changed meanwhile.
    private var joining: [ObjectIdentifier: (client: Client, isStale: Bool)] = [:]
    /// Called when the merged list of tools changes: a server changed its own, came or went away.
    public var onToolsChanged: (@Sendable ([HostTool]) -> Void)?

    /// Creates a host without servers. `prepare` is called with each client before it connects,
    /// e.g. to set handlers. `authorizer` signs in at servers of a configuration that say `"auth":
    /// "oauth"`; if nil, one with the host's name does.
    public init(
        name: String, version: String, configuration: Client.Configuration = .default, authorizer: OAuthAuthorizer? = nil,
        prepare: @escaping @Sendable (Client, String) async -> Void = { _, _ in }
    ) {
        info = Implementation(name: name, version: version)
        (self.configuration, self.authorizer, self.prepare) = (configuration, authorizer ?? OAuthAuthorizer(clientName: name), prepare)
    }

    /// Sets the function that is called when the merged list of tools changes.
    public func onToolsChanged(_ hook: @escaping @Sendable ([HostTool]) -> Void) { onToolsChanged = hook }

    /// Connects to a server under a name and lists its tools, which are listed again when they change.
    /// A server of the same name is replaced. One whose connection ends leaves the host with its tools;
    /// add it again to come back to it. Throws `connectionClosed` if the host is closed meanwhile.
    @discardableResult
    public func add(_ name: String, _ transport: any Transport) async throws -> ClientSession? {
        let client = Client(name: info.name, version: info.version, configuration: configuration)
        let joins = ObjectIdentifier(client)
        joining[joins] = (client, false)
        defer { joining[joins] = nil }
        await prepare(client, name)
        await client.onNotification(ToolListChangedNotification.self) { [weak self, weak client] _ in
            if let client { try await self?.refresh(name, client) }
        }
        let tools: [Tool]
        let closed = MCPError.connectionClosed("the host was closed while it connected to \(name)")
        do {
            let server = try await client.connect(transport: transport)
            // Before they are listed, so that no change is missed.
            if server.capabilities.tools?.listChanged == true { await client.session?.hearOfTools() }
            tools = server.capabilities.tools == nil ? [] : try await client.allTools()
            if joining[joins] == nil { throw closed }
        } catch {
            await client.disconnect()
            if joining[joins] == nil { throw closed }
            throw error
        }
        let old = servers.updateValue((client, tools), forKey: name)
        if old == nil { order.append(name) }
        let isStale = joining.removeValue(forKey: joins)?.isStale == true
        await old?.client.disconnect()
        changed()
        if isStale { try? await refresh(name, client) }
        let session = await client.session
        if let session { follow(session.states, name, client) }
        return session
    }

    /// Forgets a server once its connection is over. Waiting for that keeps neither host nor client.
    private func follow(_ states: AsyncThrowingStream<ClientSession.State, any Error>, _ name: String, _ client: Client) {
        Task { [weak self, weak client] in
            do { for try await _ in states {} } catch {}
            if let client { await self?.gone(name, client) }
        }
    }

    private func gone(_ name: String, _ client: Client) async {
        if servers[name]?.client === client { await remove(name) }
    }

    /// Connects to all servers of an `mcpServers` object at the same time; returns the errors of
    /// those that failed, by name. A server with a URL may say `"auth": "oauth"`: the host signs in
    /// if the server wants a token.
    public func add(config: Value) async throws -> [String: any Error] {
        guard let all = config["mcpServers"]?.objectValue else { throw MCPError.usage("there is no mcpServers object") }
        return await withTaskGroup(of: (String, (any Error)?).self) { group in
            for (name, server) in all where server["disabled"]?.boolValue != true {
                group.addTask {
                    do {
                        try await self.add(name, try self.transport(server))
                        return (name, nil)
                    } catch { return (name, error) }
                }
            }
            var failed: [String: any Error] = [:]
            for await (name, error) in group { failed[name] = error }
            return failed
        }
    }

    /// Connects to all servers in a configuration file of the kind that desktop hosts use; returns
    /// the errors of those that failed, by name.
    public func add(configFile: URL) async throws -> [String: any Error] {
        try await add(config: JSONDecoder().decode(Value.self, from: Data(contentsOf: configFile)))
    }

    private nonisolated func transport(_ server: Value) throws -> any Transport {
        let texts = { (name: String) in server[name]?.objectValue?.compactMapValues(\.stringValue) ?? [:] }
        if let command = server["command"]?.stringValue {
            #if os(iOS)
                throw MCPError.usage("the server \(command) is a program, and an app on iOS starts none: leave it out")
            #else
                let args = (server["args"]?.arrayValue ?? []).compactMap(\.stringValue)
                return StdioClientTransport(
                    command: command, args: args, env: texts("env"), options: .init(cwd: server["cwd"]?.stringValue))
            #endif
        }
        guard let text = server["url"]?.stringValue, let url = URL(string: text) else {
            throw MCPError.usage("a server has either command or url")
        }
        if let auth = server["auth"], auth != "oauth" {
            throw MCPError.usage("auth of a server is oauth, if anything; other credentials are its headers")
        }
        let signsIn = server["auth"] == nil ? nil : authorizer
        if server["type"] == "sse" { return SSEClientTransport(endpoint: url, headers: texts("headers"), authorizer: signsIn) }
        return HTTPClientTransport(endpoint: url, headers: texts("headers"), authorizer: signsIn)
    }

    private func refresh(_ name: String, _ client: Client) async throws {
        guard servers[name]?.client === client else {
            // The list that it was asked for first may be older than this.
            joining[ObjectIdentifier(client)]?.isStale = true
            return
        }
        let tools = try await client.allTools()
        guard servers[name]?.client === client else { return }
        servers[name]?.tools = tools
        changed()
    }

    private func changed() { onToolsChanged?(tools()) }

    /// The names of the connected servers, in the order they were added.
    public var names: [String] { order }
    /// The connection to a server; nil if there is no server of that name.
    public func session(_ server: String) async -> ClientSession? { await servers[server]?.client.session }

    /// All tools of the connected servers, each under a name that no other has. A name that several
    /// servers use gets the server's name as a prefix, and so does one that another tool gets in this
    /// way. Tools whose names are the same even then are left out, and `callTool` says so.
    public func tools() -> [HostTool] { merged().tools }

    /// All tools, and the names that stand for none although servers have such tools, with why.
    private func merged() -> (tools: [HostTool], refusals: [String: Value]) {
        let all = order.map { (server: $0, tools: servers[$0]?.tools ?? []) }
        let given = all.map { each in
            Value.object(["name": .string(each.server), "tools": .array(each.tools.map { .string($0.name) })])
        }
        let found = (try? decided { try hostNames(servers: Value.array(given).text) }) ?? [:]
        let names = found["names"]?.arrayValue ?? []
        let tools = zip(all, names).flatMap { each, names in
            zip(each.tools, names.arrayValue ?? []).compactMap { tool, name in
                name.stringValue.map { HostTool(name: $0, server: each.server, tool: tool) }
            }
        }
        return (tools, found["refusals"]?.objectValue ?? [:])
    }

    /// The tool that has this name in the host; nil if there is none.
    public func find(_ name: String) -> HostTool? { tools().first { $0.name == name } }

    /// Calls a tool by its name in the host. Throws if no server has a tool of that name, or several
    /// would have it.
    public func callTool(
        _ name: String, _ arguments: [String: Value]? = nil, options: RequestOptions = .init()
    ) async throws -> CallTool.Result {
        let (tools, refusals) = merged()
        guard let found = tools.first(where: { $0.name == name }), let client = servers[found.server]?.client else {
            throw MCPError.usage(refusals[name]?.stringValue ?? "no server has a tool \(name)")
        }
        return try await client.send(CallTool.request(.init(name: found.tool.name, arguments: arguments)), options: options)
    }

    /// Disconnects from a server and forgets its tools; a name that is not there is left alone.
    public func remove(_ server: String) async {
        guard let old = servers.removeValue(forKey: server) else { return }
        order.removeAll { $0 == server }
        await old.client.disconnect()
        changed()
    }

    /// Closes all connections, even those that are being opened.
    public func close() async {
        let (all, late) = (servers.values.map(\.client), joining.values.map(\.client))
        (servers, order, joining) = ([:], [], [:])
        // At the same time: one that is slow to end holds up no other.
        await withTaskGroup(of: Void.self) { group in
            for client in late { group.addTask { await client.retire() } }
            for client in all { group.addTask { await client.disconnect() } }
        }
    }
}

extension ClientSession {
    /// Has a server of the modern era tell of changed tools for as long as the session is open; those of
    /// the other era tell everybody. From one that refuses, or does not answer soon, nothing is heard. Who is
    /// cancelled does not wait for the answer.
    fileprivate func hearOfTools() async {
        guard link.isModern, let wanted = try? JSON(encoding: ListenParams(notifications: .init(toolsListChanged: true))) else { return }
        let asking = Task { [link] in _ = try? await link.subscribe(wanted, kept: true) }
        await withTaskCancellationHandler { await within(5) { await asking.value } } onCancel: { asking.cancel() }
        asking.cancel()
    }
}
