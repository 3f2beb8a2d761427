package dev.mcpbolt

import dev.mcpbolt.engine.hostNames
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.ConcurrentHashMap

// Clients of several servers in one program. Must not know: how a server is reached, or by which rule tools
// are told apart, which the engine knows.

/**
 * A tool of one of a host's servers.
 *
 * @property server the name of its server in the host.
 * @property name its name in the host: its own, or `server_name` if several servers have a tool of that name,
 * or another tool is called so for that reason.
 * @property tool the tool, as its server lists it.
 */
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

    /** Clients that are connecting. */
    private val joining = ConcurrentHashMap.newKeySet<Client>()

    @Volatile private var changed: (server: String) -> Unit = {}

    /** The live connections by server name. */
    public val sessions: Map<String, ClientSession> get() = clients.mapValues { it.value.session }

    /** The errors of the servers that could not be reached, by server name. */
    public val failures: Map<String, Throwable> get() = failed.toMap()

    /** Calls [block] with the name of a server when its tools change, also when it is added, and when it goes away with its tools. */
    public fun onToolsChanged(block: (server: String) -> Unit) {
        changed = block
    }

    /**
     * Connects to a server, which replaces one of the same name. [prepare] sets the handlers of its client.
     *
     * @throws McpClosedException if the host is closed meanwhile; the connection is closed, too.
     */
    public suspend fun add(name: String, transport: Transport, prepare: (Client) -> Unit = {}) {
        val client = Client(clientInfo, options)
        prepare(client)
        // However many changes wait, the list is asked for once. Not in the handler, which holds up all others.
        val news = Channel<Unit>(Channel.CONFLATED)
        client.setNotificationHandler<Notification>(Method.Defined.NotificationsToolsListChanged) {
            news.trySend(Unit)
            CompletableDeferred(Unit)
        }
        val tools = join(name, client, transport)
        val before = synchronized(listed) {
            joined(name, client)
            listed[name] = tools
            clients.put(name, client)
        }
        failed.remove(name)
        client.onClose { left(name, client) }
        follow(name, client, news)
        before?.close()
        changed(name)
        // It may have gone before anybody heard of that.
        if (!client.session.isOpen) left(name, client)
    }

    /** Connects a client and lists its tools. Until [joined] it is closed with the host. */
    @Suppress("TooGenericExceptionCaught")
    private suspend fun join(name: String, client: Client, transport: Transport): List<Tool> {
        joining += client
        try {
            // A host that is closed before there is anything to close is noticed here.
            client.connect(transport) { if (client !in joining) throw closedMeanwhile(name) }
            return toolsOf(client)
        } catch (thrown: Throwable) {
            client.close()
            joined(name, client)
            throw thrown
        }
    }

    /** The client is not connecting any more; throws if the host was closed meanwhile. */
    private fun joined(name: String, client: Client) {
        if (!joining.remove(client)) throw closedMeanwhile(name)
    }

    private fun closedMeanwhile(name: String) = failure("closed", "the host was closed while it connected to $name")

    /**
     * Connects to all servers of an object such as `{"mcpServers": {"files": {"command": …}, "web": {"url": …}}}`,
     * but for those with `"disabled": true`. `auth` of a URL is `"oauth"`, or a token; with `"type": "sse"`
     * the URL is one of HTTP+SSE. Servers that cannot be reached are in [failures].
     */
    public suspend fun connect(config: JsonObject, prepare: (Client) -> Unit = {}): Unit = supervisorScope {
        for ((name, row) in config.need("mcpServers").obj()) {
            if ((row as? JsonObject)?.get("disabled") == JsonPrimitive(true)) continue
            launch {
                runCatching { add(name, transportOf(row.obj()), prepare) }.onFailure {
                    if (isOver(it)) throw it
                    failed[name] = it
                }
            }
        }
    }

    private fun transportOf(row: JsonObject): Transport {
        val texts = { member: String -> row.find(member)?.table { it.text() }.orEmpty() }
        val credentials = row.find("auth")?.text()?.let { if (it == "oauth") signIn else BearerToken(it) }
        val url = row.find("url")?.text()
        if (url == null) {
            val arguments = row.find("args")?.list { it.text() }.orEmpty()
            return StdioClientTransport(row.need("command").text(), arguments, texts("env"), row.find("cwd")?.text())
        }
        val headers = texts("headers")
        return if (row.tag("type") == "sse") SseClientTransport(url, headers, auth = credentials) else StreamableHttpClientTransport(url, headers, auth = credentials)
    }

    /** Keeps the tools of a server up to date until its session ends. */
    private fun follow(name: String, client: Client, news: Channel<Unit>) {
        val session = client.session
        session.background { for (one in news) session.background { refresh(name, client) }.join() }
        if (session.about.era != Era.Modern || client.serverCapabilities?.tools?.listChanged != true) return
        // A modern server tells only those who listen. First it says that it does, again whenever the
        // subscription has ended: what changed before that, it has told nobody.
        session.background { session.keepListening(SubscriptionFilter(toolsListChanged = true)).collect { news.trySend(Unit) } }
    }

    private suspend fun refresh(name: String, client: Client) {
        val tools = toolsOf(client)
        val isNews = synchronized(listed) { clients[name] === client && listed.put(name, tools) != tools }
        if (isNews) changed(name)
    }

    /** A server has gone, and its tools with it, unless another has its name now. */
    private fun left(name: String, client: Client) {
        val had = synchronized(listed) { clients.remove(name, client).also { if (it) listed.remove(name) } }
        if (had) changed(name)
    }

    private suspend fun toolsOf(client: Client): List<Tool> =
        if (client.serverCapabilities?.tools == null) emptyList() else client.allTools()

    /**
     * The tools of all servers, each under a name that no other has. A name that several servers use gets the
     * server's name as a prefix, `server_name`, and so does one that another tool gets in this way. Tools whose
     * names are the same even then are left out, and [callTool] says so.
     */
    public fun tools(): List<HostTool> = merged().first

    /** All tools, and the names that stand for none although servers have such tools, with why. */
    private fun merged(): Pair<List<HostTool>, Map<String, String>> {
        val all = listed.toSortedMap().toList()
        val given = all.map { (server, tools) -> objectOf("name" to server, "tools" to tools.map { it.name }) }
        val found = decided { hostNames(toJson(given).toString()) }.obj()
        val tools = all.zip(found.need("names").array()).flatMap { (of, names) ->
            of.second.zip(names.array()).mapNotNull { (tool, name) ->
                if (name is JsonNull) null else HostTool(of.first, name.text(), tool)
            }
        }
        return tools to found.need("refusals").table { it.text() }
    }

    /** The tool with this name among [tools]. */
    public fun find(name: String): HostTool? = tools().firstOrNull { it.name == name }

    /**
     * Calls a tool by its name among [tools].
     *
     * @throws McpUsageException if no server has a tool of that name, or several would have it.
     */
    public suspend fun callTool(name: String, arguments: Map<String, Any?>, options: RequestOptions? = null): CallToolResult {
        val (tools, refusals) = merged()
        val found = tools.firstOrNull { it.name == name }
            ?: throw failure("usage", refusals[name] ?: "no server has a tool $name")
        val client = clients[found.server] ?: throw failure("closed", "the server ${found.server} is gone")
        return client.callTool(found.tool.name, arguments, options = options)
    }

    /**
     * Closes all connections, even those that are being opened, and even in a coroutine that is cancelled.
     * What [onToolsChanged] was given is not called for that.
     */
    public suspend fun close(): Unit = withContext(NonCancellable) {
        val all = synchronized(listed) {
            (clients.values + joining).also {
                clients.clear()
                listed.clear()
                joining.clear()
            }
        }
        all.map { async { it.close() } }.awaitAll()
        if (own.isInitialized()) own.value.close()
    }
}
