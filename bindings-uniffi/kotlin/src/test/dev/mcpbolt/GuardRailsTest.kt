package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.util.concurrent.CopyOnWriteArrayList

private const val SECRET = "/srv/secret/ledger.db"
private val ONE = ReadResourceRequest(ReadResourceRequestParams("note://one"))
private val META = objectOf(
    "io.modelcontextprotocol/protocolVersion" to MODERN,
    "io.modelcontextprotocol/clientInfo" to objectOf("name" to "raw", "version" to "1"),
    "io.modelcontextprotocol/clientCapabilities" to EmptyJsonObject,
)

// Guard rails of the engine around functions of Kotlin. The names are those of every language.
class GuardRailsTest {
    /** A server with a tool that answers, one that never does, a prompt and a resource; `rails` are its options. */
    private fun guarded(rails: ServerOptions = ServerOptions(WITH_EVERYTHING)): Server {
        val server = Server(Implementation("guarded", "1"), rails)
        server.addTool("add", "Adds") { text("${it.arguments!!.need("a").long() + 1}") }
        server.addTool("wait", "Never ends") { awaitCancellation() }
        server.addPrompt("later") { awaitCancellation() }
        server.addResource("note://one", "one", "A note", "text/plain") { ReadResourceResult(listOf(TextResourceContents("one", it.uri))) }
        return server
    }

    private fun rails(vararg engine: Pair<String, Any?>) = ServerOptions(WITH_EVERYTHING, engine = objectOf(*engine))

    private fun onBothEras(server: () -> Server, client: ClientOptions = ClientOptions(ASKABLE), body: suspend CoroutineScope.(Client) -> Unit) {
        for (era in ERAS) {
            val options = ClientOptions(ASKABLE, protocol = ProtocolPolicy(era), engine = client.engine, validateResult = client.validateResult)
            together(server(), Client(Implementation("guest", "1"), options), body)
        }
    }

    private suspend fun refusal(work: suspend () -> Any): McpException = runCatching { work() }.exceptionOrNull() as McpException

    private suspend fun Client.add(a: Long = 1) = callTool("add", mapOf("a" to a))

    @Test
    fun over_the_limit_a_tool_call_reads_how_long_to_wait() {
        val rule = objectOf("methods" to listOf("tools/call"), "per" to "server", "rate" to 0.001, "burst" to 1)
        onBothEras({ guarded(rails("rate_limit" to listOf(rule))) }) { client ->
            assertEquals("2", client.add().words)
            val second = client.add()
            assertTrue(second.isError == true && Regex("Rate limit exceeded: try again in \\d+ ms").matches(second.words), second.words)
            // Others go on.
            assertEquals(2, client.listTools().tools.size)
        }
    }

    @Test
    fun over_the_limit_other_requests_get_429_and_the_wait() {
        val rule = objectOf("methods" to listOf("resources/read"), "per" to "session", "rate" to 0.001, "burst" to 1)
        onBothEras({ guarded(rails("rate_limit" to listOf(rule))) }) { client ->
            client.readResource(ONE)
            val refused = refusal { client.readResource(ONE) }
            assertEquals(429, refused.code)
            assertTrue(refused.data!!.obj().need("retryAfterMs").long() > 1000)
        }
    }

    @Test
    fun a_handler_that_never_returns_is_cancelled_and_the_client_reads_why() {
        onBothEras({ guarded(rails("timeout" to 0.05)) }) { client ->
            val late = client.callTool("wait", emptyMap())
            assertEquals(true to "Tool wait timed out after 0.05 s", late.isError to late.words)
            val error = refusal { client.getPrompt(GetPromptRequest(GetPromptRequestParams("later"))) }
            assertEquals(-32603 to "timeout", error.code to error.data!!.obj().tag("reason"))
        }
    }

    @Test
    fun beyond_max_concurrency_calls_are_refused_and_a_place_comes_back() {
        for (era in ERAS) {
            val (begun, go) = CompletableDeferred<Unit>() to CompletableDeferred<Unit>()
            val server = guarded(rails("max_concurrency" to 1))
            server.addTool("hold", "Holds the place") {
                begun.complete(Unit)
                go.await()
                text("held")
            }
            together(server, era) { client ->
                val held = async { client.callTool("hold", emptyMap()).words }
                soon { begun.await() }
                assertEquals("max_concurrency of the server", refusal { client.add() }.data?.obj()?.tag("reason"))
                go.complete(Unit)
                assertEquals("held", soon { held.await() })
                assertEquals("2", client.add().words)
            }
        }
    }

    // Access

    private fun decide(asker: Asker, action: Action): Verdict {
        assertEquals("guest", asker.clientVersion?.name)
        return when {
            action.name in setOf("add", "note://one") -> Verdict.Hide
            action.name == "wait" && action.verb != Action.Verb.List -> Verdict.Deny("not today")
            else -> Verdict.Allow
        }
    }

    private fun guardedBy(authorize: suspend (Asker, Action) -> Verdict) = guarded(ServerOptions(WITH_EVERYTHING, authorize = authorize))

    /** What a client learns of something, by its name in place of another. */
    private suspend fun learned(name: String, work: suspend (String) -> Record): String =
        runCatching { work(name).json.toString() }.recover { (it as McpException).run { "$code $message $data" } }.getOrThrow().replace(name, "absent")

    @Test
    fun what_is_hidden_is_answered_as_if_it_did_not_exist() {
        val server = {
            guardedBy { _, action -> if ("secret" in action.name) Verdict.Hide else Verdict.Allow }.apply {
                addTool("secret", "Nobody knows") { text("secret") }
                addPrompt("secret") { awaitCancellation() }
                addResource("note://secret", "secret", "Nobody knows") { awaitCancellation() }
            }
        }
        onBothEras(server) { client ->
            for (ask in listOf<suspend (String) -> Record>(
                { client.callTool(it, emptyMap()) },
                { client.getPrompt(GetPromptRequest(GetPromptRequestParams(it))) },
                { client.readResource(ReadResourceRequest(ReadResourceRequestParams("note://$it"))) },
            )) {
                val hidden = learned("secret", ask)
                assertEquals(learned("absent", ask), hidden)
                assertTrue("absent" in hidden, hidden)
            }
        }
    }

    @Test
    fun what_is_hidden_is_in_no_list_and_lists_are_private() {
        onBothEras({ guardedBy(::decide) }) { client ->
            val tools = client.listTools()
            assertEquals(listOf("wait"), tools.tools.map { it.name })
            assertTrue(client.listResources().resources.isEmpty())
            if (client.session.about.era == Era.Modern) assertEquals("private", tools.json.tag("cacheScope"))
        }
    }

    @Test
    fun what_is_denied_is_listed_and_refused_with_its_reason() {
        onBothEras({ guardedBy(::decide) }) { client ->
            val refused = client.callTool("wait", emptyMap())
            assertTrue(refused.isError == true && "not today" in refused.words, refused.words)
        }
    }

    @Test
    fun verdicts_may_come_later_and_what_nobody_decides_is_refused() {
        val log = CopyOnWriteArrayList<String>()
        val server = {
            guardedBy { _, action ->
                yield()
                check(action.verb == Action.Verb.List || action.name != "add") { "the database is down" }
                if (action.name == "add") Verdict.Allow else Verdict.Hide
            }.apply { onError = { _, message -> log += message } }
        }
        onBothEras(server) { client ->
            assertEquals(listOf("add"), client.listTools().tools.map { it.name })
            val refused = refusal { client.add() }
            assertTrue(refused.kind == "internal" && "database" !in refused.message!!, refused.message)
            assertTrue(log.any { "the database is down" in it }, "$log")
            log.clear()
        }
    }

    @Test
    fun a_header_can_decide_without_any_credentials() {
        val server = guardedBy { asker, action -> if (asker.header("X-User") == "ann" || action.name != "add") Verdict.Allow else Verdict.Hide }
        bounded {
            val url = URI(server.serveHttp().url)
            val seen = listOf("ann", "bob").associateWith { user ->
                val body = objectOf("jsonrpc" to "2.0", "id" to 1, "method" to "tools/list", "params" to objectOf("_meta" to META))
                val headers = mapOf(
                    "content-type" to "application/json", "accept" to "application/json, text/event-stream",
                    "mcp-protocol-version" to MODERN, "mcp-method" to "tools/list", "x-user" to user,
                )
                val post = HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                headers.forEach(post::header)
                val said = HttpClient.newHttpClient().send(post.build(), HttpResponse.BodyHandlers.ofString()).body()
                val result = parse(said.substringAfterLast("data: ")).obj().need("result").obj()
                result.need("tools").list { it.obj().tag("name") }
            }
            assertEquals(mapOf("ann" to listOf("add", "wait"), "bob" to listOf("wait")), seen)
            server.close()
        }
    }

    // Audit

    @Test
    fun the_audit_has_one_record_per_request_and_never_the_arguments() {
        val file = Files.createTempFile("audit", ".jsonl")
        val kept = mutableListOf<JsonObject>()
        val ways = mapOf(Audit.File(file.toString()) to { Files.readAllLines(file).map { parse(it).obj() } }, Audit.Each { kept += it.json } to { kept.toList() })
        for ((audit, records) in ways) {
            onBothEras({ guarded(ServerOptions(WITH_EVERYTHING, audit = audit)) }) { client ->
                client.add(1_147_110_047)
                refusal { client.getPrompt(GetPromptRequest(GetPromptRequestParams("nobody"))) }
            }
            // The last record is not lost with the server: close waits for it.
            val (calls, prompts) = listOf("tools/call", "prompts/get").map { method -> records().filter { it.tag("method") == method } }
            assertEquals(List(ERAS.size) { "add" to "result" }, calls.map { it.tag("name") to it.tag("outcome") })
            assertEquals(List(ERAS.size) { "error" }, prompts.map { it.tag("outcome") })
            assertTrue(calls.all { it.tag("arguments")!!.startsWith("sha256:") })
            assertFalse("1147110047" in records().toString())
        }
        Files.delete(file)
    }

    @Test
    fun an_audit_sink_that_blocks_holds_up_no_call_and_what_is_lost_is_counted() {
        val go = CompletableDeferred<Unit>()
        var records = 0
        var lost = 0L
        val audit = Audit.Each({ lost += it }) {
            go.await()
            records++
        }
        val options = ServerOptions(WITH_EVERYTHING, engine = objectOf("audit" to objectOf("queue" to 2)), audit = audit)
        together(guarded(options)) { client ->
            for (number in 1L..40) assertEquals("${number + 1}", client.add(number).words)
            go.complete(Unit)
        }
        assertTrue(lost >= 30 && records > 0, "$lost lost, $records kept")
    }

    // What leaves, and what arrives

    private fun JsonElement.blotted() = parse(toString().replace("\"2\"", "\"*\"").replace("\"text\":\"one\"", "\"text\":\"***\"")).obj()

    @Test
    fun a_sanitizer_sees_every_content_block_before_it_is_sent() {
        val seen = CopyOnWriteArrayList<Pair<String, String?>>()
        val server = {
            guarded(ServerOptions(WITH_EVERYTHING, sanitizeResult = { method, name, result ->
                seen += method to name
                result.blotted()
            }))
        }
        onBothEras(server) { client ->
            assertEquals("*", client.add().words)
            assertEquals("***", (client.readResource(ONE).contents.single() as TextResourceContents).text)
        }
        assertEquals(setOf("tools/call" to "add", "resources/read" to "note://one"), seen.toSet())
    }

    @Test
    fun what_a_sanitizer_could_not_read_does_not_leave() {
        val server = { guarded(ServerOptions(WITH_EVERYTHING, sanitizeResult = { _, _, result -> error("cannot read $result") })).quiet() }
        onBothEras(server) { client ->
            // Longer than what the id of an error, or a port, could hold by chance.
            val said = refusal { client.add(1_234_567_890) }.run { message + data }
            assertFalse("1234567891" in said, said)
        }
    }

    @Test
    fun a_result_is_validated_before_it_is_returned() {
        val asked = CopyOnWriteArrayList<Pair<String, String?>>()
        val validate: suspend (String, String?, JsonObject) -> String? = { method, name, result ->
            asked += method to name
            check("\"5\"" !in "$result") { "nobody can look" }
            if (method == "tools/call" && "\"3\"" in "$result") "it is three" else null
        }
        onBothEras({ guarded() }, ClientOptions(validateResult = validate)) { client ->
            client.onError = { _, _ -> }
            assertEquals("2", client.add().words)
            assertEquals("rejected", refusal { client.add(2) }.apply { assertTrue("it is three" in message!!, message) }.kind)
            assertEquals("rejected", refusal { client.add(4) }.kind)
            assertTrue("tools/call" to "add" in asked)
        }
    }

    @Test
    fun results_lists_and_pages_of_a_server_are_capped() {
        val large: () -> Server = { guarded().apply { addTool("large", "Says much") { text("x".repeat(2000)) } } }
        onBothEras(large, ClientOptions(engine = objectOf("max_result_bytes" to 1500))) { client ->
            assertEquals("2", client.add().words)
            assertTrue("max_result_bytes" in refusal { client.callTool("large", emptyMap()) }.message!!)
        }
        for (capped in listOf("max_pages", "max_list_items")) {
            onBothEras({ guarded(rails("page_size" to 1)) }, ClientOptions(engine = objectOf(capped to 1))) { client ->
                val refused = refusal {
                    val cursor = client.listTools().nextCursor
                    client.listTools(ListToolsRequest(PaginatedRequestParams(cursor = cursor)))
                }
                assertTrue(capped in refused.message!!, refused.message)
            }
        }
        val server = { guarded(rails("max_result_bytes" to 500)).apply { addTool("large", "Says much") { text("x".repeat(600)) } } }
        onBothEras(server) { client ->
            val refused = client.callTool("large", emptyMap())
            assertTrue(refused.isError == true && "larger than the 500" in refused.words, refused.words)
        }
    }

    @Test
    fun sampling_inside_of_sampling_is_refused_beyond_its_cap() {
        val muse = {
            Server(Implementation("muse", "1"), ServerOptions(WITH_EVERYTHING)).apply {
                addTool("muse", "Asks the model") {
                    val said = SamplingMessage(Role.User, TextContent("hm"))
                    val answer = createMessage(CreateMessageRequest(CreateMessageRequestParams(maxTokens = 5, messages = listOf(said))))
                    text((answer.content.single() as TextContent).text)
                }
            }
        }
        onBothEras(muse, ClientOptions(engine = objectOf("max_nested_sampling" to 3))) { client ->
            var asked = 0
            client.setSamplingHandler { _: CreateMessageRequest ->
                asked++
                val inner = runCatching { client.callTool("muse", emptyMap()).words }.getOrElse { it.message!! }
                CreateMessageResult(role = Role.Assistant, model = "m", content = listOf(TextContent(inner)))
            }
            val said = client.callTool("muse", emptyMap()).words
            assertTrue("nested too deeply" in said && asked == 3, "$asked: $said")
        }
    }

    // What clients learn of exceptions

    private fun broken(detail: ServerOptions, log: MutableList<String>): Server {
        fun fail(): Nothing = throw java.io.IOException("cannot open $SECRET: disk 7 is full")
        val server = Server(Implementation("broken", "1"), detail)
        server.onError = { kind, message -> if (kind == "internal") log += message }
        server.addTool("fails", "Fails") { fail() }
        server.addTool("inside", "Fails") { throw McpException(INTERNAL, "disk 7 at $SECRET") }
        server.addTool("wrong", "Fails for the client") { throw McpException(INVALID_PARAMS, "n is odd") }
        server.addTool("meant", "Fails for the model") { throw ToolException("Give a path below /docs.") }
        server.addPrompt("prompt") { fail() }
        server.addResource("note://broken", "note", "A note") { fail() }
        server.setCompletionHandler { fail() }
        server.setRequestHandler("acme/broken") { fail() }
        return server
    }

    private suspend fun told(client: Client): Map<String, String> {
        assertEquals("Give a path below /docs.", client.callTool("meant", emptyMap()).words)
        assertEquals("n is odd", refusal { client.callTool("wrong", emptyMap()) }.message)
        val asked = CompleteRequestParams(CompletionArgument("name", "x"), PromptReference("prompt"))
        val errors = listOf<suspend () -> Any>(
            { client.callTool("inside", emptyMap()) },
            { client.getPrompt(GetPromptRequest(GetPromptRequestParams("prompt"))) },
            { client.readResource(ReadResourceRequest(ReadResourceRequestParams("note://broken"))) },
            { client.complete(CompleteRequest(asked)) },
            { client.request(CustomRequest("acme/broken")) },
        ).map { refusal(it) }
        // Errors of the protocol never name paths.
        assertFalse(errors.any { SECRET in it.message!! }, "$errors")
        val fails = client.callTool("fails", emptyMap())
        assertEquals(true, fails.isError)
        return mapOf("fails" to fails.words) + errors.withIndex().associate { (at, error) -> "error $at" to error.message!! }
    }

    @Test
    fun masked_errors_say_internal_error_with_an_id_that_is_also_in_the_log() {
        val log = CopyOnWriteArrayList<String>()
        onBothEras({ broken(ServerOptions(WITH_EVERYTHING), log) }) { client ->
            for ((name, message) in told(client)) {
                val id = Regex("internal error \\(id ([0-9a-f]{16})\\)").matchEntire(message)?.groupValues?.get(1)
                assertTrue(id != null && log.any { id in it && "disk 7" in it }, "$name: $message")
            }
        }
    }

    @Test
    fun words_of_exceptions_leave_if_it_is_said() {
        for (options in listOf(ServerOptions(WITH_EVERYTHING, errorDetail = ErrorDetail.Message), rails("error_detail" to "message"))) {
            onBothEras({ broken(options, mutableListOf()) }) { client ->
                for ((name, message) in told(client)) assertTrue("disk 7" in message, "$name: $message")
            }
        }
    }
}
