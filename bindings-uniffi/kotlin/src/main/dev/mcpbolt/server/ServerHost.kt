package dev.mcpbolt

import dev.mcpbolt.engine.EngineOutdatedList
import dev.mcpbolt.engine.EngineServer
import kotlinx.coroutines.CompletableJob
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration.Companion.seconds

// A server on the engine. Owns: one engine server, its lifetime, what it was told about the
// registry, and the way from a request to a handler and back. Must not know: which transport
// brought it.

internal class ServerHost(
    private val server: Registries,
    private val info: Implementation,
    private val options: ServerOptions,
    private val extensions: ServerExtensions,
    private val instructions: String?,
) : Peer {
    private val observer = options.telemetry?.let { Observer(it, isServer = true, extensions.handlers.keys) { words -> server.onError("internal", words) } }
    val driver = Driver(this, options.handlerCoroutineContext, observer)

    /** Protects `over` and `made`: nothing may be opened after the server was closed. */
    private val life = Any()

    @Volatile private var over = false
    private val complaints = Complaints(driver.busy) { kind, message -> server.onError(kind, message) }
    private val capabilities = withExtensions(options.capabilities.json, extensions.settings)
    private val guarding = Guarding(options, { server.onError("internal", it) }, kept())

    /** `null` once the server is closed: a file in which it kept tasks is let go with it. */
    @Volatile private var made: EngineServer? = driver.serving { refused { EngineServer(guarding.engine.toString(), driver.inbox) } }
    val engine: EngineServer get() = made ?: throw failure("usage", "the server is closed: make another")

    /** The counters as they were at the end. */
    @Volatile private var counted = "{}"
    val stats: String get() = synchronized(life) { made?.stats() ?: counted }
    val sessions = ConcurrentHashMap<ULong, ServerSession>()

    /** The listeners that serve HTTP; completed once they are over. */
    private val listeners = ConcurrentHashMap<ULong, CompletableJob>()
    private val watching = Watching(driver.busy, ::failed) { uri, active -> server.subscribed(uri, active) }
    private val inbound = Inbound(driver, server.notificationHandlers, server.notifications, complaints::tell)

    /** Held while the engine is told the scopes of all [tables]. */
    private val telling = Any()

    private val tables = listOf(server.toolTable, server.promptTable, server.resourceTable, server.templateTable)

    /** Functions that are asked about tokens, by the names under which the engine asks them. */
    private val verifiers = ConcurrentHashMap<String, TokenVerifier>()

    /** The program's store of events, once an endpoint has one. */
    @Volatile private var events: Events? = null

    /** Handlers of `notifications/initialized` that are running for a modern client. */
    @Volatile private var greeting: Job? = null

    init {
        driver.serving(::begin)
    }

    private fun begin() {
        val about = objectOf(
            "serverInfo" to info,
            "capabilities" to capabilities,
            "instructions" to instructions,
            "uses" to extensions.uses,
            "extensionMethods" to extensions.rows,
        )
        refused { engine.setSnapshot("server", 0uL, about.toString()) }
        for (method in extensions.handlers.keys + extensions.hooked) engine.setSlot(method, true)
        server.heard = { if (it == Method.Defined.NotificationsInitialized.value && !over) greet() }
        greet()
        server.handled = { if (!over) engine.setSlot(it, true) }
        for (method in server.handlers.keys) engine.setSlot(method, true)
        for (table in tables) {
            table.changed = { changed(table.kind) }
            table.needsChanged = ::tellScopes
        }
        tellScopes()
        for (list in refused { engine.refreshLists() }) show(list)
    }

    /** What the engine is told of tasks: the server has them if a tool makes them, or if the program says so. */
    private fun kept(): JsonObject {
        val chosen = POLL in options.engine || (options.engine["tasks"] as? JsonObject)?.containsKey("poll_interval") == true
        val makes = server.makesTasks
        server.withoutTasks = !makes && !chosen
        return objectOf("stores" to options.stores.text, POLL to 1.takeIf { makes && !chosen })
    }

    // Lists

    /** The engine asks the host until it gets the new rows. Clients are told once for all changes of one turn. */
    private fun changed(kind: String) {
        if (!over && refused { engine.listChanged(kind, true) }) driver.later(::refresh)
    }

    /** Tells which scopes tokens need for what; whoever comes last tells all of them. */
    private fun tellScopes(): Unit = synchronized(telling) {
        val needs = tables.associate { it.kind to it.scopes }
        if (!over) refused { engine.setSnapshot("scopes", 0uL, toJson(needs).toString()) }
    }

    private fun refresh() {
        if (over) return
        val tell = { failed: Throwable -> complaints.tell("list", failed.toString()) }
        val lists = runCatching { engine.refreshLists() }.onFailure(tell).getOrDefault(emptyList())
        for (list in lists) runCatching { show(list) }.onFailure(tell)
    }

    private fun show(list: EngineOutdatedList) {
        val rows = tables.first { it.kind == list.kind }.rows()
        refused { engine.setSnapshot(list.kind, list.generation, rows.toString()) }
    }

    /** Modern clients never say that they have begun; the engine does it in their place, if somebody wants to hear it. */
    private fun greet() {
        val method = Method.Defined.NotificationsInitialized.value
        engine.setSlot(method, observer != null || server.notificationHandlers.containsKey(method))
    }

    // Connections

    suspend fun open(given: Transport): ServerSession {
        val transport = given.innermost
        if (transport is StdioServerTransport) return living { session(refused { engine.listenStdio() }).also { it.transport = given } }
        if (transport is OwnTransport) throw failure("usage", "a server cannot be reached by ${transport.javaClass.simpleName}: give this to a client")
        val session = living {
            val number = refused { engine.connect(false) }
            session(number).also { session ->
                session.transport = given
                session.carry = Carry(transport, driver, { engine.feed(number, it, 0uL) }, { engine.takeOutgoing(number) }) {
                    engine.disconnect(number)
                }
            }
        }
        session.carry?.start()
        return session
    }

    private fun session(number: ULong) = ServerSession(driver, number) { server.handled(it) }.also { sessions[number] = it }

    /** Opens something, unless the server was closed: nothing would answer on it. */
    fun <T> living(open: () -> T): T = synchronized(life) {
        if (over) throw failure("usage", "the server is closed: make another")
        open()
    }

    fun listenHttp(http: JsonObject, auth: ResourceServer?): HttpListener = living {
        val service = "token.verify.${verifiers.size}"
        auth?.verifier?.let { verifiers[service] = it }
        val options = JsonObject(http + objectOf("resource_server" to auth?.json(service)))
        val listening = refused { engine.listenHttp(options.toString()) }
        listeners[listening.listener] = Job()
        val scheme = if (http.find("tls") == null) "http" else "https"
        val path = http.find("path")?.text() ?: "/mcp"
        HttpListener({ stopHttp(listening.listener) }, listening.listener, listening.host, listening.port.toInt(), scheme, path)
    }

    /** An endpoint in a web server of the program's. The engine asks one store of events for all of them. */
    fun mount(http: JsonObject, store: EventStore? = null): HttpMount = living {
        val kept = events?.store
        if (store != null && kept != null && kept !== store) throw failure("usage", "eventStore: another endpoint of this server has another store: give both the same one")
        if (store != null) events = Events(store)
        val options = JsonObject(http + objectOf("event_store" to (store != null)))
        HttpMount(refused { engine.mount(options.toString(), driver.inbox) }, driver)
    }

    /** Tells clients of a change, unless the server was closed. */
    fun announce(change: String, uri: String? = null) {
        if (!over) refused { engine.announce(change, uri) }
    }

    suspend fun stopHttp(number: ULong) {
        if (over) return
        val ending = listeners[number]
        if (engine.stopHttp(number)) ending?.join()
    }

    /** Not ended half-way by the caller's end: a program closes its server where it is cancelled, too. */
    suspend fun close(): Unit = withContext(NonCancellable) {
        synchronized(life) { over = true }
        coroutineScope { for (session in sessions.values) launch { session.closeTransport() } }
        synchronized(life) { made?.shutdown() }
        driver.settle()
        driver.close()
        for (session in sessions.values) session.ended()
        sessions.clear()
        listeners.values.forEach { it.complete() }
        listeners.clear()
        observer?.ended()
        server.notifications.end(null)
        release()
    }

    /** Lets go of the engine's server, once. */
    private fun release(): Unit = synchronized(life) {
        val last = made ?: return
        counted = last.stats()
        made = null
        last.close()
    }

    // Items

    @Suppress("TooGenericExceptionCaught")
    override suspend fun answer(call: Incoming): JsonObject = try {
        answered(call)
    } catch (thrown: Throwable) {
        throw if (isOver(thrown)) thrown else guarding.covered(thrown, call.method.value)
    }

    override suspend fun serve(service: String, payload: JsonElement): JsonElement {
        if (service in Events.SERVICES) return told(service, { server.onError("internal", it) }) { events!!.serve(service, payload.obj()) }
        val verifier = verifiers[service] ?: return guarding.serve(service, payload.obj())
        return told(service, { server.onError("internal", it) }) { toJson(verifier.verify(payload.obj().need("token").text())?.json) }
    }

    private suspend fun answered(call: Incoming): JsonObject {
        greeting?.let { greeted(it) }
        val client = ClientConnection(driver, call.number, call.connection, call)
        return extensions.around(client, call.method.value, call.params) { handled(client, call, it) }
    }

    private suspend fun handled(client: ClientConnection, call: Incoming, given: JsonObject?): JsonObject {
        val own = sessions[call.connection]?.handlers?.get(call.method.value) ?: server.handlers[call.method.value]
        if (own != null) return client.own(given)
        val params = given ?: EmptyJsonObject
        extensions.handlers[call.method.value]?.let { return client.it(params) }
        return when (call.method) {
            Method.Defined.ToolsCall -> callTool(client, CallToolRequest(CallToolRequestParams.of(params)), call)
            Method.Defined.PromptsGet -> getPrompt(client, GetPromptRequest(GetPromptRequestParams.of(params))).json
            Method.Defined.ResourcesRead -> readResource(client, ReadResourceRequest(ReadResourceRequestParams.of(params))).json
            Method.Defined.CompletionComplete -> server.completion?.invoke(client, CompleteRequest(CompleteRequestParams.of(params)))?.json ?: unknown(call.method)
            Method.Defined.ToolsList -> objectOf("tools" to server.tools.values.map { it.tool })
            Method.Defined.PromptsList -> objectOf("prompts" to server.promptTable.rows())
            Method.Defined.ResourcesList -> objectOf("resources" to server.resourceTable.rows())
            Method.Defined.ResourcesTemplatesList -> objectOf("resourceTemplates" to server.templateTable.rows())
            Method.Defined.Initialize, Method.Defined.ServerDiscover ->
                objectOf("capabilities" to capabilities, "serverInfo" to info.takeIf { call.method == Method.Defined.Initialize }, "instructions" to instructions)
            Method.Defined.ResourcesSubscribe, Method.Defined.ResourcesUnsubscribe, Method.Defined.LoggingSetLevel, Method.Defined.Ping -> EmptyJsonObject
            else -> unknown(call.method)
        }
    }

    private fun unknown(method: Method): Nothing = throw McpException(METHOD_NOT_FOUND, "Method not found", objectOf("method" to method))

    private suspend fun callTool(client: ClientConnection, request: CallToolRequest, call: Incoming): JsonObject {
        val known = server.tools[request.name] ?: throw McpException(INVALID_PARAMS, "Unknown tool: ${request.name}")
        if (call.invalid != null) {
            val words = call.invalid.joinToString("; ") { row -> listOfNotNull(row.obj().tag("instancePath")?.ifEmpty { null }, row.obj().tag("message") ?: row.obj().tag("schema")).joinToString(": ") }
            return CallToolResult.error("Invalid arguments for tool ${request.name}: $words").json
        }
        return try {
            known.handler(client, request).json
        } catch (asked: Questions) {
            throw asked
        } catch (meant: ToolException) {
            CallToolResult.error(meant.message.orEmpty()).json
        } catch (@Suppress("TooGenericExceptionCaught") thrown: Exception) {
            if (isOver(thrown) || thrown is McpException && thrown !is ShapeException) throw thrown
            val words = if (guarding.masked) guarding.words(thrown, "tool ${request.name}") else "Error executing tool ${request.name}: ${thrown.message}"
            CallToolResult.error(words).json
        }
    }

    private suspend fun getPrompt(client: ClientConnection, request: GetPromptRequest): GetPromptResult {
        val known = server.prompts[request.name] ?: throw McpException(INVALID_PARAMS, "Unknown prompt: ${request.name}")
        val missing = known.prompt.arguments.orEmpty().filter { it.required == true && it.name !in request.arguments.orEmpty() }
        if (missing.isNotEmpty()) throw McpException(INVALID_PARAMS, "Missing argument of prompt ${request.name}: ${missing.joinToString { it.name }}")
        return known.messageProvider(client, request)
    }

    private suspend fun readResource(client: ClientConnection, request: ReadResourceRequest): ReadResourceResult {
        server.resources[request.uri]?.let { return it.readHandler(client, request) }
        for (template in server.templateTable.all.values) {
            val variables = template.pattern.find(request.uri) ?: continue
            return template.readHandler(client, request, variables)
        }
        // In the engine's words, to the letter: the answer must not tell what is hidden from what is absent.
        throw failure("resource_not_found", "Resource not found: ${request.uri}", NOT_FOUND, objectOf("uri" to request.uri))
    }

    override fun notified(connection: ULong, origin: ULong, method: String, params: JsonObject?) {
        val begins = method == Method.Defined.NotificationsInitialized.value
        val told = if (begins && isModern(params)) Job() else null
        if (told != null) greeting = told
        val session = sessions[connection]
        inbound.put(notificationOf(method, params), told, session?.handlerOf(method))
        if (begins) session?.greeted()
        if (begins && told == null) observer?.let { sessionBegan(it, connection) }
    }

    private fun sessionBegan(observer: Observer, connection: ULong) {
        val about = CallInfo.of(driver.inbox.describeConnection(connection))
        // Over HTTP without sessions this request is a connection of its own, which had no handshake.
        if (about.clientInfo != null) observer.sessionBegan(connection, about.protocolVersion)
    }

    /** Whether the engine sent it in place of a client without a handshake. */
    private fun isModern(params: JsonObject?): Boolean = (params?.get("_meta") as? JsonObject)?.containsKey(VERSION) == true

    /**
     * Waits, within a bounded time, for the handlers of `initialized` before the client's first
     * request is answered.
     */
    private suspend fun greeted(told: Job) {
        withTimeoutOrNull(GREETING) { told.join() }
        if (greeting === told) greeting = null
    }

    override fun failed(error: Throwable): Unit = complaints.tell("callback", error.toString())

    override fun event(kind: String, item: JsonArray) {
        val session = sessions[item.number(1)]
        when (kind) {
            "outgoing" -> session?.carry?.signal()
            "log" -> complaints.tell(item[2].text(), item[3].text())
            "subscription" -> watching.put(item[2].text(), item[3].flag())
            "closed" -> {
                listeners.remove(item.number(1))?.complete()
                observer?.sessionEnded(item.number(1))
                session?.finish { sessions.remove(item.number(1)) }
            }
        }
    }

    private companion object {
        const val NOT_FOUND = -32002
        const val POLL = "tasks.poll_interval"
        const val VERSION = "io.modelcontextprotocol/protocolVersion"
        val GREETING = 1.seconds
    }
}
