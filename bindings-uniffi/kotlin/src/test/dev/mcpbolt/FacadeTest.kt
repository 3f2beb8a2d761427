package dev.mcpbolt

import dev.mcpbolt.engine.EngineUriTemplate
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList

class FacadeTest {
    @Test
    fun `records keep what nobody knows`() {
        val tool = Tool.of(parse("""{"name":"t","inputSchema":{"type":"object","additionalProperties":false},"acme":[1]}""").obj())
        assertEquals("t", tool.name)
        assertNull(tool.inputSchema.properties)
        assertEquals("[1]", tool.json["acme"].toString())
        assertEquals(tool, Tool.of(parse(tool.json.toString()).obj()))
        assertEquals("""{"type":"text","text":"a"}""", TextContent("a").json.toString())
        assertInstanceOf(ContentBlock.Other::class.java, ContentBlock.of(parse("""{"type":"acme"}""").obj()))
        assertInstanceOf(BlobResourceContents::class.java, ResourceContents.of(parse("""{"uri":"a:b","blob":""}""").obj()))
        assertThrows(ShapeException::class.java) { Tool.of(EmptyJsonObject).name }
    }

    @Test
    fun `one block of content is an object and several are a list`() {
        val one = SamplingMessage(Role.User, TextContent("a"))
        assertEquals("""{"role":"user","content":{"type":"text","text":"a"}}""", one.json.toString())
        val two = SamplingMessage(Role.User, listOf(TextContent("a"), TextContent("b")))
        assertEquals(2, SamplingMessage.of(two.json).content.size)
        assertEquals(1, SamplingMessage.of(one.json).content.size)
    }

    @Test
    fun `a number that JSON does not have is an error that says where`() {
        val server = usualServer()
        server.addTool("read", "Measures") {
            val wrong = if (it.string("text") == "nan") Double.NaN else Double.NEGATIVE_INFINITY
            CallToolResult(emptyList(), structuredContent = objectOf("values" to listOf(objectOf("b" to wrong))))
        }
        together(server) { client ->
            for ((text, number) in mapOf("nan" to "NaN", "less" to "-Infinity")) {
                val error = runCatching { client.callTool("read", mapOf("text" to text)) }.exceptionOrNull() as McpException
                val said = "the tool read has no result: structuredContent.values[0].b is $number"
                assertTrue(error.message.orEmpty().contains(said), error.message)
            }
        }
    }

    @Test
    fun `a server names how many requests may wait for it`() {
        val server = usualServer(options = ServerOptions(WITH_EVERYTHING, engine = objectOf("inbox" to objectOf("max_items" to 0))))
        together(server) { client ->
            val refused = runCatching { client.callTool("echo", mapOf("text" to "a")) }.exceptionOrNull() as McpException
            assertTrue(refused.message.orEmpty().contains("too many requests wait"), refused.message)
        }
    }

    @Test
    fun `templates find their variables`() {
        assertEquals(mapOf("id" to "a b", "page" to "2"), EngineUriTemplate("note://{id}/page/{page}").find("note://a%20b/page/2"))
        assertNull(EngineUriTemplate("note://{id}/page/{page}").find("note://a/b/page/2"))
        assertEquals(mapOf("path" to "a/b"), EngineUriTemplate("file:///{+path}").find("file:///a/b"))
        assertEquals(mapOf("q" to "x"), EngineUriTemplate("find://all{?q}").find("find://all?q=x"))
    }

    @Test
    fun `every verb is answered on both eras`() {
        for (era in ERAS) {
            val server = usualServer()
            server.addPrompt("hello", arguments = listOf(PromptArgument("name", required = true))) {
                GetPromptResult(listOf(PromptMessage(Role.User, TextContent("Hello ${it.arguments?.get("name")}"))))
            }
            server.addResource("note://1", "one", "A note", "text/plain") { ReadResourceResult(listOf(TextResourceContents("first", it.uri))) }
            server.setCompletionHandler { CompleteResult(Completion(listOf(it.argument.value + "!"))) }
            together(server, era) { client ->
                assertEquals(listOf("echo", "hang", "greet", "raise"), client.listTools().tools.map { it.name })
                assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
                assertEquals(listOf("hello"), client.listPrompts().prompts.map { it.name })
                val prompt = client.getPrompt(GetPromptRequest(GetPromptRequestParams("hello", mapOf("name" to "Ann"))))
                assertEquals("Hello Ann", (prompt.messages.single().content as TextContent).text)
                assertEquals("note://1", client.listResources().resources.single().uri)
                val read = client.readResource(ReadResourceRequest(ReadResourceRequestParams("note://1")))
                assertEquals("first", (read.contents.single() as TextResourceContents).text)
                val asked = CompleteRequestParams(CompletionArgument("name", "x"), PromptReference("hello"))
                assertEquals(listOf("x!"), client.complete(CompleteRequest(asked)).completion.values)
                assertEquals("usual", client.serverVersion?.name)
                assertEquals(era == MODERN, client.session.about.era == Era.Modern)
                val missing = runCatching { client.readResource(ReadResourceRequest(ReadResourceRequestParams("note://2"))) }.exceptionOrNull()
                assertEquals("note://2", (missing as McpException).data?.obj()?.tag("uri"))
            }
        }
    }

    @Test
    fun `arguments that do not fit are told to the model`() {
        together(usualServer()) { client ->
            val result = client.callTool("echo", mapOf("text" to 1))
            assertTrue(result.isError == true && "text" in result.words, result.words)
        }
    }

    @Test
    fun `a handler asks the user on both eras`() {
        for (era in ERAS) {
            val answer: (Client) -> Unit = { client -> client.setElicitationHandler { ElicitResult(ElicitAction.Accept, objectOf("name" to "Ann")) } }
            together(usualServer(), era, answer) { client -> assertEquals("accept Ann", client.callTool("greet", emptyMap()).words) }
        }
    }

    @Test
    fun `an answer that does not fit its form is not sent`() {
        val answer: (Client) -> Unit = { client -> client.setElicitationHandler { ElicitResult(ElicitAction.Accept, objectOf("name" to 5)) } }
        together(usualServer().quiet(), "legacy", answer) { client ->
            val failed = runCatching { client.callTool("greet", emptyMap()) }.exceptionOrNull()
            assertEquals(INVALID_PARAMS, (failed as McpException).code)
        }
    }

    @Test
    fun `progress is told in order`() {
        val server = usualServer()
        server.addTool("count", "Counts") {
            for (i in 1..3) reportProgress(i.toDouble(), 3.0, "step $i")
            text("done")
        }
        for (era in ERAS) bounded {
            val client = connected(InMemoryTransport(server), era)
            val told = CopyOnWriteArrayList<String>()
            client.callTool("count", emptyMap(), options = RequestOptions(onProgress = { told += "${it.progress} ${it.message}" }))
            assertEquals(listOf("1.0 step 1", "2.0 step 2", "3.0 step 3"), told.toList())
            client.close()
        }
    }

    @Test
    fun `a call that fails leaves out the progress that was not told yet`() {
        for (era in ERAS) bounded {
            val server = usualServer()
            val (begun, fail, go) = List(3) { CompletableDeferred<Unit>() }
            server.addTool("count", "Counts, and fails") {
                for (i in 1..3) reportProgress(i.toDouble(), 3.0)
                fail.await()
                throw McpException(INVALID_PARAMS, "no more")
            }
            val client = connected(InMemoryTransport(server), era)
            val told = CopyOnWriteArrayList<Double>()
            val options = RequestOptions(onProgress = {
                begun.complete(Unit)
                go.await()
                told += it.progress
            })
            val call = async { runCatching { client.callTool("count", emptyMap(), options = options) }.exceptionOrNull() }
            soon { begun.await() }
            fail.complete(Unit)
            soon { while (server.stats.methods["tools/call"]?.errors != 1L) yield() }
            // What is asked now is answered after that.
            soon { client.callTool("echo", mapOf("text" to "a")) }
            go.complete(Unit)
            assertEquals("no more", soon { call.await() }?.message)
            assertEquals(listOf(1.0), told.toList())
            client.close()
            server.close()
        }
    }

    @Test
    fun `a handler hears how far the client is with what it was asked`() {
        val server = usualServer()
        server.addTool("ask", "Asks") {
            val told = CopyOnWriteArrayList<Double>()
            val form = FormSchema(mapOf("name" to StringSchema()))
            val answer = createElicitation("who?", form, RequestOptions(onProgress = { told += it.progress }))
            text("${answer.content?.tag("name")} $told")
        }
        val answer: (Client) -> Unit = { client ->
            client.setElicitationHandler { request ->
                val token = request.params.json.need("_meta").obj().need("progressToken").primitive()
                for (step in 1..3) client.notification(ProgressNotification(ProgressNotificationParams(token, step.toDouble())))
                ElicitResult(ElicitAction.Accept, objectOf("name" to "Ann"))
            }
        }
        together(server, "legacy", answer) { client -> assertEquals("Ann [1.0, 2.0, 3.0]", client.callTool("ask", emptyMap()).words) }
    }

    @Test
    fun `a handler that throws its questions runs again with the answers on both eras`() {
        val asked = mapOf("who" to ElicitRequest(ElicitRequestFormParams("who?", FormSchema(mapOf("name" to StringSchema())))))
        val name: ClientConnection.() -> String = {
            val form = inputResponses["who"]?.let { ElicitResult.of(it.obj()) } ?: throw Questions(asked, "asked once")
            "$requestState: ${form.content?.tag("name")}"
        }
        for (era in ERAS) {
            val server = usualServer()
            server.addTool("rounds", "Asks in rounds") { text(name()) }
            server.addPrompt("rounds") { GetPromptResult(listOf(PromptMessage(Role.User, TextContent(name())))) }
            val answer: (Client) -> Unit = { client -> client.setElicitationHandler { ElicitResult(ElicitAction.Accept, objectOf("name" to "Ann")) } }
            together(server, era, answer) { client ->
                assertEquals("asked once: Ann", client.callTool("rounds", emptyMap()).words)
                val prompt = client.getPrompt(GetPromptRequest(GetPromptRequestParams("rounds")))
                assertEquals("asked once: Ann", (prompt.messages.single().content as TextContent).text)
            }
        }
    }

    @Test
    fun `a change that nobody made in the lists is told too`() {
        val server = usualServer()
        together(server) { client ->
            // Now the server knows that the handshake is over; before that it tells nothing.
            client.ping()
            for ((method, tell) in listOf<Pair<Method, () -> Unit>>(
                Method.Defined.NotificationsToolsListChanged to server::toolListChanged,
                Method.Defined.NotificationsPromptsListChanged to server::promptListChanged,
                Method.Defined.NotificationsResourcesListChanged to server::resourceListChanged,
            )) {
                val told = async(start = CoroutineStart.UNDISPATCHED) { client.notifications.first { it.method == method } }
                tell()
                soon { told.await() }
            }
        }
    }

    @Test
    fun `changes are told once and seen`() {
        val server = usualServer()
        together(server) { client ->
            client.ping()
            val changed = async(start = CoroutineStart.UNDISPATCHED) { client.notifications.first { it is ToolListChangedNotification } }
            server.addTool("late", "Comes late") { text("late") }
            soon { changed.await() }
            assertEquals("late", client.listTools().tools.last().name)
            assertTrue(server.removeTool("late"))
        }
    }

    @Test
    fun `a client is reached over HTTP and one server serves both eras`() {
        val server = usualServer()
        val listener = server.serveHttp()
        bounded {
            for (era in ERAS + "auto") {
                val client = connected(StreamableHttpClientTransport(listener.url), era)
                assertEquals("over HTTP", client.callTool("echo", mapOf("text" to "over HTTP")).words)
                client.close()
            }
            val old = connected(SseClientTransport(listener.url.replace("/mcp", "/sse")))
            assertEquals("old", old.callTool("echo", mapOf("text" to "old")).words)
            old.close()
            soon { listener.close() }
            server.close()
        }
    }

    @Test
    fun `a server that is not there is a failure of the transport`() {
        bounded {
            val failed = runCatching { connected(StreamableHttpClientTransport("http://127.0.0.1:1/mcp")) }.exceptionOrNull()
            assertInstanceOf(McpTransportException::class.java, failed)
        }
    }

    @Test
    fun `transports of the program's carry both sides`() {
        for (era in ERAS) bounded {
            val server = usualServer()
            val (here, there) = LinkedTransport.pair()
            val session = server.createSession(there)
            val client = connected(here, era)
            assertEquals("carried", client.callTool("echo", mapOf("text" to "carried")).words)
            client.close()
            soon { session.awaitClose() }
            server.close()
        }
    }

    @Test
    fun `a denied call sends nothing and an edited one what was decided`() {
        val server = usualServer()
        together(server) { client ->
            client.toolReview = ToolReview.askAlways { _, _ -> ToolReview.Verdict.Deny("no") }
            assertEquals("rejected", (runCatching { client.callTool("echo", mapOf("text" to "a")) }.exceptionOrNull() as McpException).kind)
            client.toolReview = ToolReview.askAlways { _, _ -> ToolReview.Verdict.Edit(objectOf("text" to "b")) }
            assertEquals("b", client.callTool("echo", mapOf("text" to "a")).words)
        }
    }

    @Test
    fun `methods that nobody knows are reached`() {
        val server = usualServer()
        server.setRequestHandler("acme/add") { objectOf("sum" to it!!.need("a").int() + 1) }
        together(server) { client ->
            assertEquals(JsonPrimitive(3), client.request(CustomRequest("acme/add", objectOf("a" to 2))).json["sum"])
            assertEquals(-32601, (runCatching { client.request(CustomRequest("acme/none")) }.exceptionOrNull() as McpException).code)
        }
    }
}

/** Two ends of one line, in the manner of a program's own transport. */
internal class LinkedTransport : AbstractTransport() {
    lateinit var other: LinkedTransport

    override suspend fun start() = Unit

    override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?) = other.received(message)

    override suspend fun close() {
        ended()
        other.ended()
    }

    companion object {
        fun pair(): Pair<LinkedTransport, LinkedTransport> {
            val (one, two) = LinkedTransport() to LinkedTransport()
            one.other = two
            two.other = one
            return one to two
        }
    }
}
