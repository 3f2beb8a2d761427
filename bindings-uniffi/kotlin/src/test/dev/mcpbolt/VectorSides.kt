package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration.Companion.milliseconds

// The server and the client program of the scripts in tests/vectors/binding.

private val FORM = FormSchema(mapOf("name" to StringSchema()), listOf("name"))
private val ABILITIES = ServerCapabilities(
    tools = ServerCapabilities.Tools(listChanged = true),
    prompts = ServerCapabilities.Prompts(listChanged = true),
    resources = ServerCapabilities.Resources(subscribe = true, listChanged = true),
    logging = ServerCapabilities.Logging,
    completions = ServerCapabilities.Completions,
)

internal fun text(value: String) = CallToolResult(listOf(TextContent(value)))

internal fun CallToolRequest.string(name: String): String = arguments!!.need(name).text()

private fun schema(vararg types: Pair<String, String>): ToolSchema {
    val properties = types.associate { (name, type) -> name to if (type == "any") EmptyJsonObject else objectOf("type" to type) }
    return ToolSchema(JsonObject(properties), types.map { it.first })
}

private fun starting(value: String, vararg known: String) =
    CompleteResult(Completion(known.filter { it.startsWith(value) }))

internal class ServerSide(private val fast: Boolean) : Side {
    private val gates = ConcurrentHashMap<String, CompletableDeferred<Unit>>()
    private val ended = CoroutineScope(Dispatchers.Default)
    private lateinit var desk: Desk
    private lateinit var server: Server
    private lateinit var session: ServerSession
    private lateinit var transport: ScriptTransport

    override fun drivers(): List<Driver> = listOf(server.host.driver)

    override suspend fun start(desk: Desk, vector: JsonObject, revision: String) {
        this.desk = desk
        val engine = JsonObject((vector["options"]?.obj() ?: EmptyJsonObject) + objectOf("fast_path" to fast))
        server = Server(Implementation("vectors", "1"), ServerOptions(ABILITIES, engine = engine, errorDetail = ErrorDetail.Message), "be kind")
        answers()
        questions()
        reports()
        rest()
        server.onSubscription { uri, active -> desk.note((if (active) "subscribed" else "unsubscribed") to uri) }
        server.setNotificationHandler<RootsListChangedNotification>("notifications/roots/list_changed") {
            desk.note("notified" to it.method)
            CompletableDeferred(Unit)
        }
        transport = ScriptTransport(desk)
        session = server.createSession(transport)
        session.onClose {
            // As a program ends: what waits for a retry waits no longer.
            ended.launch {
                server.close()
                desk.note("closed" to true)
            }
        }
    }

    override suspend fun take(text: String) = transport.say(text)

    override suspend fun disconnect() = transport.close()

    override suspend fun stop() = server.close()

    override suspend fun act(action: String, given: JsonElement, whole: JsonObject) {
        val name = (given as? JsonPrimitive)?.content.orEmpty()
        when (action) {
            "release" -> gates.remove(name)?.complete(Unit) ?: throw Fault("nobody holds $name")
            "add_tool" -> tool(name, schema("text" to "string")) { text(it.string("text")) }
            "remove_tool" -> server.removeTool(name)
            "updated" -> server.resourceUpdated(name)
            "close" -> withTimeout(LIMIT) { session.close() }
            else -> throw Fault("unknown action $action")
        }
    }

    private fun tool(name: String, schema: ToolSchema, handler: ToolHandler) = server.addTool(name, "", schema, handler = handler)

    private fun answers() {
        tool("echo", schema("text" to "string")) { text(it.string("text")) }
        tool("fail", schema("message" to "string")) { error(it.string("message")) }
        tool("refuse", schema("code" to "integer", "message" to "string", "data" to "any")) {
            throw McpException(it.arguments!!.need("code").int(), it.string("message"), it.arguments!!["data"])
        }
        tool("hang", schema()) {
            desk.during {
                desk.note("started" to "hang")
                try {
                    awaitCancellation()
                } finally {
                    desk.note("cancelled" to "hang")
                }
            }
        }
        tool("hold", schema("name" to "string")) { request ->
            val name = request.string("name")
            desk.during {
                val gate = CompletableDeferred<Unit>()
                gates[name] = gate
                desk.note("started" to name)
                gate.await()
                text("released $name")
            }
        }
    }

    private suspend fun asked(question: suspend () -> String): CallToolResult = desk.during {
        try {
            text(question())
        } catch (failed: McpException) {
            text("failed ${failed.kind}")
        }
    }

    private fun questions() {
        tool("ask", schema("message" to "string")) { request ->
            asked {
                val answer = createElicitation(request.string("message"), FORM)
                listOfNotNull(answer.action.value, answer.content?.tag("name")).joinToString(" ")
            }
        }
        tool("ask_both", schema()) {
            asked {
                coroutineScope {
                    val who = async { createElicitation("who?", FORM) }
                    val roots = async { listRoots() }
                    "${who.await().action}, ${roots.await().roots.size} roots"
                }
            }
        }
        tool("sample", schema("prompt" to "string")) { request ->
            asked {
                val message = SamplingMessage(Role.User, TextContent(request.string("prompt")))
                val result = createMessage(CreateMessageRequest(CreateMessageRequestParams(10, listOf(message))))
                (result.content.single() as TextContent).text
            }
        }
        tool("roots", schema()) { asked { "${listRoots().roots.size} roots" } }
    }

    private fun reports() {
        tool("progress", schema("steps" to "integer")) {
            val steps = it.arguments!!.need("steps").int()
            for (i in 1..steps) reportProgress(i.toDouble(), steps.toDouble(), "step $i")
            text("done")
        }
        tool("log", schema("level" to "string", "data" to "any")) {
            log(LoggingLevel(it.string("level")), it.arguments!!.need("data"), "vectors")
            text("logged")
        }
        tool("flood", schema("messages" to "integer", "bytes" to "integer")) {
            desk.during {
                val bytes = it.arguments!!.need("bytes").int()
                val messages = it.arguments!!.need("messages").int()
                for (i in 1..messages) reportProgress(i.toDouble(), messages.toDouble(), "x".repeat(bytes))
                text("done")
            }
        }
    }

    private fun rest() {
        server.addResource(Resource("note://one", "one", mimeType = "text/plain")) {
            ReadResourceResult(listOf(TextResourceContents("first note", it.uri, "text/plain")))
        }
        server.addResourceTemplate("note://{id}/page/{page}", "page") { request, variables ->
            ReadResourceResult(listOf(TextResourceContents("${variables["id"]}/${variables["page"]}", request.uri)))
        }
        server.addPrompt("greet", arguments = listOf(PromptArgument("name", required = true))) {
            GetPromptResult(listOf(PromptMessage(Role.User, TextContent("Hello ${it.arguments?.get("name")}"))))
        }
        server.setCompletionHandler { request ->
            val (name, value) = request.argument.name to request.argument.value
            when {
                request.ref is PromptReference && name == "name" -> starting(value, "Ann", "Anna", "Bob")
                request.ref is ResourceTemplateReference && name == "id" -> starting(value, "a1", "a2", "b1")
                else -> starting(value)
            }
        }
    }
}

internal class ClientSide : Side {
    private val calls = ConcurrentHashMap<String, Job>()
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private lateinit var desk: Desk
    private lateinit var client: Client
    private lateinit var transport: ScriptTransport

    override fun drivers(): List<Driver> = listOfNotNull(runCatching { client.session.driver }.getOrNull())

    override suspend fun start(desk: Desk, vector: JsonObject, revision: String) {
        this.desk = desk
        val able = ClientCapabilities(
            elicitation = ElicitationCapability(form = EmptyJsonObject),
            sampling = ClientCapabilities.sampling,
            roots = ClientCapabilities.Roots(listChanged = true),
        )
        val options = ClientOptions(able, protocol = ProtocolPolicy(vector.tag("protocol") ?: revision), engine = vector["options"]?.obj() ?: EmptyJsonObject)
        client = Client(Implementation("vectors", "1"), options)
        client.setElicitationHandler { elicit(it) }
        client.setSamplingHandler { request ->
            desk.note("asked" to "sampling/createMessage")
            val words = (request.messages[0].content.single() as TextContent).text
            CreateMessageResult(Role.Assistant, TextContent("echo: $words"), "vectors", StopReason.EndTurn)
        }
        client.setRootsHandler {
            desk.note("asked" to "roots/list")
            ListRootsResult(listOf(Root("file:///one", "one")))
        }
        client.fallbackNotificationHandler = { desk.note("notified" to it.method, "params" to it.params) }
        transport = ScriptTransport(desk)
    }

    private suspend fun elicit(request: ElicitRequest): ElicitResult = desk.during {
        desk.note("asked" to "elicitation/create")
        when (val words = request.params.message) {
            "fail" -> error("failed")
            "decline", "cancel" -> ElicitResult(ElicitAction(words))
            "hang" -> try {
                awaitCancellation()
            } finally {
                desk.note("cancelled" to "elicitation/create")
            }
            else -> ElicitResult(ElicitAction.Accept, objectOf("name" to words))
        }
    }

    override suspend fun take(text: String) = transport.say(text)

    override suspend fun disconnect() = transport.close()

    override suspend fun stop() {
        client.close()
        scope.cancel()
    }

    override suspend fun act(action: String, given: JsonElement, whole: JsonObject) {
        val name = (given as? JsonPrimitive)?.content.orEmpty()
        when (action) {
            "open" -> begin("open") {
                client.connect(transport)
                val session = client.session
                scope.launch {
                    val failure = session.awaitClose()
                    desk.note("closed" to true, "kind" to (failure?.kind ?: JsonNull))
                }
                session.info
            }
            "call" -> begin(whole.need("as").text()) { verb(name, whole) }
            "cancel" -> calls.getValue(name).cancel()
            "notify" -> client.sendRootsListChanged()
            "close" -> withTimeout(LIMIT) { client.close() }
            else -> throw Fault("unknown action $action")
        }
    }

    private suspend fun begin(name: String, body: suspend () -> Record) {
        val begun = CompletableDeferred<Unit>()
        calls[name] = scope.launch(Dispatchers.Unconfined) {
            begun.complete(Unit)
            try {
                desk.note("answered" to name, "result" to body())
            } catch (cancelled: CancellationException) {
                desk.note("failed" to name, "kind" to "cancelled")
                throw cancelled
            } catch (failed: McpException) {
                desk.note("failed" to name, "kind" to failed.kind, "code" to failed.code, "message" to failed.message, "data" to failed.data)
            }
        }
        begun.await()
    }

    private suspend fun verb(method: String, whole: JsonObject): Record {
        val params = whole["params"]?.obj() ?: EmptyJsonObject
        val name = whole.need("as").text()
        val note: suspend (ProgressNotificationParams) -> Unit = { desk.note("progress" to name, "params" to it) }
        val progress = note.takeIf { whole["progress"]?.flag() == true }
        val options = RequestOptions(whole["timeout"]?.double()?.let { (it * 1000).milliseconds }, progress)
        val page = PaginatedRequestParams.of(params)
        return when (method) {
            "tools/call" -> client.callTool(CallToolRequest(CallToolRequestParams.of(params)), options)
            "tools/list" -> client.listTools(ListToolsRequest(page), options)
            "resources/list" -> client.listResources(ListResourcesRequest(page), options)
            "prompts/list" -> client.listPrompts(ListPromptsRequest(page), options)
            "resources/read" -> client.readResource(ReadResourceRequest(ReadResourceRequestParams.of(params)), options)
            "resources/subscribe" -> client.subscribeResource(SubscribeRequest(SubscribeRequestParams.of(params)), options)
            "resources/unsubscribe" -> client.unsubscribeResource(UnsubscribeRequest(UnsubscribeRequestParams.of(params)), options)
            "prompts/get" -> client.getPrompt(GetPromptRequest(GetPromptRequestParams.of(params)), options)
            "completion/complete" -> client.complete(CompleteRequest(CompleteRequestParams.of(params)), options)
            else -> throw Fault("no verb for $method")
        }
    }
}
