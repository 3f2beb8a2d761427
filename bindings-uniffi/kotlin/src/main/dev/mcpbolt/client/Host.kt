package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.supervisorScope
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap

// Clients of several servers in one program. Must not know: how a server is reached.

/** A tool of one of a host's servers, with the name it has in the host. */
public class HostTool(public val server: String, public val name: String, public val tool: Tool)

/**
 * Connects to several servers and offers their tools in one list. A server that fails never delays the others.
 *
 * @param auth signs in at the servers of a configuration whose row says `"auth": "oauth"`; one that
 * opens the system's browser by default.
 */
public class Host(
    private val clientInfo: Implementation,
    private val options: ClientOptions = ClientOptions(),
    auth: OAuth? = null,
) {
    private val own = lazy { OAuth(clientInfo.title ?: clientInfo.name) }
    private val signIn by lazy { auth ?: own.value }
    private val clients = ConcurrentHashMap<String, Client>()
    private val listed = ConcurrentHashMap<String, List<Tool>>()
    private val failed = ConcurrentHashMap<String, Throwable>()

    @Volatile private var changed: (server: String) -> Unit = {}

    /** The live connections by server name. */
    public val sessions: Map<String, ClientSession> get() = clients.mapValues { it.value.session }

    /** The errors of the servers that could not be reached, by server name. */
    public val failures: Map<String, Throwable> get() = failed.toMap()

    /** Calls [block] when the tools of a server change. */
    public fun onToolsChanged(block: (server: String) -> Unit) {
        changed = block
    }

    /** Connects to a server. [prepare] sets the handlers of its client. */
    public suspend fun add(name: String, transport: Transport, prepare: (Client) -> Unit = {}) {
        val client = Client(clientInfo, options)
        prepare(client)
        client.setNotificationHandler<Notification>(Method.Defined.NotificationsToolsListChanged) {
            // Not here: the list is asked for on the connection that tells of the change.
            client.session.background { refresh(name, client) }
            CompletableDeferred(Unit)
        }
        client.connect(transport)
        val tools = runCatching { toolsOf(client) }.onFailure { client.close() }.getOrThrow()
        clients.put(name, client)?.close()
        failed.remove(name)
        listed[name] = tools
        changed(name)
        client.onClose { if (clients.remove(name, client)) listed.remove(name) }
    }

    /**
     * Connects to all servers of an object such as `{"mcpServers": {"files": {"command": …}, "web": {"url": …}}}`.
     * `auth` of a URL is `"oauth"`, or a token.
     */
    public suspend fun connect(config: JsonObject, prepare: (Client) -> Unit = {}): Unit = supervisorScope {
        for ((name, row) in config.need("mcpServers").obj()) {
            launch {
                runCatching { add(name, transportOf(row.obj()), prepare) }.onFailure { failed[name] = it }
            }
        }
    }

    private fun transportOf(row: JsonObject): Transport {
        val texts = { member: String -> row.find(member)?.table { it.text() }.orEmpty() }
        val credentials = row.find("auth")?.text()?.let { if (it == "oauth") signIn else BearerToken(it) }
        row.find("url")?.let { return StreamableHttpClientTransport(it.text(), texts("headers"), auth = credentials) }
        val arguments = row.find("args")?.list { it.text() }.orEmpty()
        return StdioClientTransport(row.need("command").text(), arguments, texts("env"), row.find("cwd")?.text())
    }

    private suspend fun refresh(name: String, client: Client) {
        listed[name] = toolsOf(client)
        changed(name)
    }

    private suspend fun toolsOf(client: Client): List<Tool> =
        if (client.serverCapabilities?.tools == null) emptyList() else client.allTools()

    /** The tools of all servers. A name that several servers use gets the server's name as a prefix. */
    public fun tools(): List<HostTool> {
        val all = listed.toSortedMap().flatMap { (server, tools) -> tools.map { server to it } }
        val count = all.groupingBy { it.second.name }.eachCount()
        return all.map { (server, tool) -> HostTool(server, if (count[tool.name] == 1) tool.name else "$server.${tool.name}", tool) }
    }

    /** The tool with this name among [tools]. */
    public fun find(name: String): HostTool? = tools().firstOrNull { it.name == name }

    /** Calls a tool by its name among [tools]. */
    public suspend fun callTool(name: String, arguments: Map<String, Any?>, options: RequestOptions? = null): CallToolResult {
        val found = find(name) ?: throw McpException(INVALID_PARAMS, "Unknown tool: $name")
        val client = clients[found.server] ?: throw failure("closed", "the server ${found.server} is gone")
        return client.callTool(found.tool.name, arguments, options = options)
    }

    /** Closes all connections. */
    public suspend fun close(): Unit = coroutineScope {
        clients.values.toList().map { async { it.close() } }.awaitAll()
        clients.clear()
        listed.clear()
        if (own.isInitialized()) own.value.close()
    }
}
