package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.time.Duration.Companion.milliseconds

/** Handlers that are given requests as their types, on clients, servers and single connections. */
class HandlersTest {
    private fun asking(): Server = usualServer().quiet().also { server ->
        server.addTool("ask", "Asks the model") {
            val asked = SamplingMessage(Role.User, TextContent("tea"))
            val answer = createMessage(CreateMessageRequest(CreateMessageRequestParams(5, listOf(asked))))
            text((answer.content.single() as TextContent).text)
        }
    }

    private fun answer(words: String) = CreateMessageResult(Role.Assistant, TextContent(words), "small")

    @Test
    fun `a client answers with a typed handler on both eras`() {
        for (era in ERAS) {
            val methods = mutableListOf<Method>()
            val prepare: (Client) -> Unit = { client ->
                client.setRequestHandler<CreateMessageRequest>(Method.Defined.SamplingCreateMessage) { request, extra ->
                    methods += extra.method
                    answer("about " + (request.messages.single().content.single() as TextContent).text)
                }
            }
            together(asking(), era, prepare) { client -> assertEquals("about tea", client.callTool("ask", emptyMap()).words) }
            assertEquals(listOf<Method>(Method.Defined.SamplingCreateMessage), methods)
        }
    }

    /** A model whose requests are reviewed; what it is asked is kept. */
    private class Reviewed(budget: SamplingBudget?, private val review: (JsonObject) -> JsonObject?) : Sampling(budget) {
        val shown = CopyOnWriteArrayList<JsonObject>()
        val asked = CopyOnWriteArrayList<JsonObject>()

        override suspend fun reviewRequest(request: CreateMessageRequest): CreateMessageRequest? {
            shown += request.params.json
            return review(request.params.json)?.let { CreateMessageRequest(CreateMessageRequestParams.of(it)) }
        }

        override suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult {
            asked += request.params.json
            return CreateMessageResult(Role.Assistant, TextContent("yes"), "small")
        }
    }

    private fun sampled(sampling: Sampling, times: Int = 1, params: JsonObject = EmptyJsonObject) {
        val server = usualServer().quiet()
        server.addTool("model", "Asks the model") {
            val asked = CreateMessageRequestParams(100, listOf(SamplingMessage(Role.User, TextContent("tea"))), systemPrompt = "short")
            createMessage(CreateMessageRequest(CreateMessageRequestParams.of(JsonObject(asked.json + params))))
            text("done")
        }
        together(server, "legacy", { client -> client.setSamplingHandler(sampling) }) { client ->
            repeat(times) { runCatching { client.callTool("model", emptyMap()) } }
        }
    }

    @Test
    fun `a review sees what the budget grants, and not what is beyond it`() {
        val budget = SamplingBudget(requestsPerMinute = 2, maxTokens = 60)
        var round = 0
        // The first is refused, of the second a part is left.
        val sampling = Reviewed(budget) { asked -> if (round++ == 0) null else JsonObject(asked + objectOf("maxTokens" to 20)) }
        sampled(sampling, times = 3)
        assertEquals(listOf(60, 60), sampling.shown.map { it.need("maxTokens").int() })
        assertEquals(listOf(20), sampling.asked.map { it.need("maxTokens").int() })
        assertEquals(20, budget.tokens)
    }

    @Test
    fun `a review takes away and adds nothing`() {
        val more = objectOf("maxTokens" to 1000, "systemPrompt" to "very long", "includeContext" to "allServers", "temperature" to 0.5)
        val wide = Reviewed(null) { JsonObject(it + more) }
        sampled(wide)
        sampled(wide, params = objectOf("includeContext" to "thisServer"))
        val kept = { params: JsonObject -> listOf("maxTokens", "systemPrompt", "includeContext", "temperature").map { params.tag(it) } }
        assertEquals(listOf(listOf("100", "short", null, "0.5"), listOf("100", "short", "thisServer", "0.5")), wide.asked.map(kept))
        val less = objectOf("maxTokens" to 1, "systemPrompt" to "no", "includeContext" to "none")
        val narrow = Reviewed(null) { JsonObject(it + less) }
        sampled(narrow, params = objectOf("includeContext" to "thisServer"))
        assertEquals(listOf("1", "no", "none", null), kept(narrow.asked.single()))
    }

    @Test
    fun `a handler that takes another type is refused with both names`() {
        val prepare: (Client) -> Unit = { client -> client.setRequestHandler<PingRequest>(Method.Defined.SamplingCreateMessage) { _, _ -> answer("none") } }
        val server = usualServer().quiet()
        server.addTool("why", "Says why it failed") {
            val asked = CreateMessageRequest(CreateMessageRequestParams(5, listOf(SamplingMessage(Role.User, TextContent("tea")))))
            text(runCatching { createMessage(asked) }.exceptionOrNull()?.message.orEmpty())
        }
        together(server, "legacy", prepare) { client ->
            val said = client.callTool("why", emptyMap()).words
            assertTrue("takes a CreateMessageRequest, not a PingRequest" in said, said)
        }
    }

    @Test
    fun `a client that does not declare sampling has no handler for it`() {
        val client = Client(Implementation("test", "1"))
        assertThrows(IllegalStateException::class.java) {
            client.setRequestHandler<CreateMessageRequest>(Method.Defined.SamplingCreateMessage) { _, _ -> answer("none") }
        }
    }

    private val givingUp = mapOf<String, suspend () -> Nothing>(
        "late" to { withTimeout(1.milliseconds) { awaitCancellation() } },
        "withdrawn" to { CompletableDeferred<Nothing>().apply { cancel() }.await() },
    )

    @Test
    fun `a handler that gives up on something of its own fails like any other`() {
        for (era in ERAS) for ((name, wait) in givingUp) {
            val (log, outcomes) = CopyOnWriteArrayList<String>() to CopyOnWriteArrayList<String?>()
            val audit = Audit.Each { if (it.json.tag("method") == "prompts/get") outcomes += it.json.tag("outcome") }
            val server = usualServer(options = ServerOptions(WITH_EVERYTHING, audit = audit))
            server.onError = { _, message -> log += message }
            server.addTool(name, "Gives up") { wait() }
            server.addPrompt(name) { wait() }
            together(server, era) { client ->
                val called = client.callTool(name, emptyMap())
                assertTrue(called.isError == true && "internal error (id " in called.words, called.words)
                val refused = runCatching { client.getPrompt(GetPromptRequest(GetPromptRequestParams(name))) }.exceptionOrNull()
                assertTrue("internal error (id " in "${refused?.message}", "$refused")
            }
            assertEquals(2, log.count { "CancellationException" in it }, "$log")
            assertEquals(listOf<String?>("error"), outcomes.toList())
        }
    }

    @Test
    fun `a client's handler that gives up on something of its own says why`() {
        for ((name, wait) in givingUp) {
            val server = usualServer().quiet()
            server.addTool("why", "Says why it failed") { text(runCatching { createElicitation("who?", FormSchema(emptyMap())) }.exceptionOrNull()?.message.orEmpty()) }
            together(server, "legacy", { client -> client.setElicitationHandler { wait() } }) { client ->
                val said = client.callTool("why", emptyMap()).words
                assertTrue((if (name == "late") "Timed out" else "was cancelled") in said, said)
            }
        }
    }

    @Test
    fun `a server's typed handler knows the id and asks back`() {
        val ids = CompletableDeferred<RequestId?>()
        val server = usualServer()
        server.setRequestHandler<CustomRequest>(Method.Custom("acme/roots")) { request, extra ->
            ids.complete(extra.requestId)
            extra.sendNotification(CustomNotification("acme/heard", request.params?.json))
            objectOf("names" to extra.sendRequest(ListRootsRequest()).roots.map { it.name }).let(::CustomRecord)
        }
        server.setRequestHandler<CustomRequest>(Method.Custom("acme/nothing")) { _, _ -> null }
        val heard = CompletableDeferred<Notification>()
        val prepare: (Client) -> Unit = { client ->
            client.addRoot("file:///one", "one")
            client.fallbackNotificationHandler = { if (it is CustomNotification) heard.complete(it) }
        }
        together(server, "legacy", prepare) { client ->
            assertEquals("""{"names":["one"]}""", client.request(CustomRequest("acme/roots", objectOf("a" to 1))).json.toString())
            assertNotNull(ids.await())
            assertEquals("""acme/heard {"a":1}""", soon { heard.await() }.toString())
            assertEquals("{}", client.request(CustomRequest("acme/nothing")).json.toString())
            server.removeRequestHandler(Method.Custom("acme/nothing"))
            assertEquals(METHOD_NOT_FOUND, (runCatching { client.request(CustomRequest("acme/nothing")) }.exceptionOrNull() as McpException).code)
        }
    }

    @Test
    fun `a connection's own handlers come before the server's, and end with it`() {
        val server = usualServer()
        bounded {
            val (one, first) = streams(server)
            val (two, second) = streams(server)
            one.setRequestHandler<ListToolsRequest>(Method.Defined.ToolsList) { _, _ -> ListToolsResult(listOf(Tool("only", ToolSchema()))) }
            assertEquals(listOf("only"), first.listTools().tools.map { it.name })
            assertEquals(listOf("echo", "hang", "greet", "raise"), second.listTools().tools.map { it.name })
            one.removeRequestHandler(Method.Defined.ToolsList)
            assertEquals(4, first.listTools().tools.size)
            assertEquals(two.sessionId, server.clientConnection(two.sessionId).sessionId)
            listOf(first, second).forEach { it.close() }
            server.close()
        }
    }

    @Test
    fun `notifications go to the handlers of their connection`() {
        val server = usualServer()
        bounded {
            val (one, first) = streams(server)
            val (two, second) = streams(server)
            val changed = CompletableDeferred<Unit>()
            val others = CompletableDeferred<Method>()
            server.setNotificationHandler<RootsListChangedNotification>(one.sessionId, Method.Defined.NotificationsRootsListChanged) {
                changed.complete(Unit)
                CompletableDeferred(Unit)
            }
            two.fallbackNotificationHandler = { if (it is CustomNotification) others.complete(it.method) }
            first.sendRootsListChanged()
            soon { changed.await() }
            second.notification(CustomNotification("acme/other"))
            assertEquals(Method.Custom("acme/other"), soon { others.await() })
            val begun = CompletableDeferred<Unit>()
            one.onInitialized { begun.complete(Unit) }
            soon { begun.await() }
            listOf(first, second).forEach { it.close() }
            server.close()
        }
    }

    @Test
    fun `a listener is none of the connections`() = bounded {
        val server = usualServer()
        val listener = server.serveHttp()
        assertEquals(emptySet<String>(), server.sessions.keys)
        val (session, client) = streams(server)
        assertEquals(setOf(session.sessionId), server.sessions.keys)
        // Each can be closed.
        for (one in server.sessions.values) soon { one.close() }
        soon { listener.close() }
        assertEquals(emptySet<String>(), server.sessions.keys)
        client.close()
        server.close()
    }

    @Test
    fun `a server speaks to a connection by its id`() {
        val server = usualServer()
        bounded {
            val told = CompletableDeferred<String?>()
            val (session, client) = streams(server) { client ->
                client.addRoot("file:///one", "one")
                client.setElicitationHandler { ElicitResult(ElicitAction.Decline) }
                client.setNotificationHandler<LoggingMessageNotification>(Method.Defined.NotificationsMessage) {
                    told.complete(it.params.logger)
                    CompletableDeferred(Unit)
                }
            }
            val id = session.sessionId
            server.ping(id)
            assertEquals(listOf("one"), server.listRoots(id).roots.map { it.name })
            assertEquals(ElicitAction.Decline, server.createElicitation(id, "who?", FormSchema(mapOf("name" to StringSchema()))).action)
            server.sendLoggingMessage(id, LoggingMessageNotification(LoggingMessageNotificationParams(LoggingLevel.Error, toJson("x"), "door")))
            assertEquals("door", soon { told.await() })
            client.close()
            session.awaitClose()
            val gone = runCatching { server.ping(id) }.exceptionOrNull()
            assertTrue(gone is McpUsageException && "no session $id" in gone.message.orEmpty(), "$gone")
            assertNull(server.sessions[id])
            server.close()
        }
    }
}
