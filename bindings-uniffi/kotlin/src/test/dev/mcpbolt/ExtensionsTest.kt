package dev.mcpbolt

import kotlinx.coroutines.CoroutineScope
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList

private const val ID = "com.example/colours"
private const val MIX = "com.example/mix"
private const val GUESS = "com.example/guess"

// Extensions of the program's own: methods, settings, hooks, and what peers get without them.
class ExtensionsTest {
    private val seen = CopyOnWriteArrayList<String>()

    private fun colours() = ServerExtension(ID, objectOf("depth" to 8)) {
        method(MIX, namedBy = NamedBy.Name) { objectOf("mixed" to it["colours"]) }
        method(GUESS, undeclared = Undeclared.Serve) { params ->
            if (params.tag("colour") == "secret") requireClientExtension("com.example/secrets")
            objectOf("wants" to clientExtension(ID)?.get("wants"))
        }
        hook(Method.Defined.ToolsCall.value) { params, next ->
            seen += "outer"
            if (params.tag("name") == "forbidden") throw McpException(-9, "not through here")
            JsonObject(next(params) + objectOf("_meta" to objectOf(ID to "signed")))
        }
        hook(Method.Defined.ToolsCall.value) { params, next ->
            seen += "inner"
            next(JsonObject(params + objectOf("arguments" to objectOf("text" to "changed"))))
        }
        hook(Method.Defined.ToolsList.value) { params, next -> next(params).also { seen += "list" } }
        offer(RegisteredPrompt(Prompt("palette"), { GetPromptResult(listOf(PromptMessage(Role.User, TextContent("red")))) }))
    }

    private fun wanted(block: ClientExtension.() -> Unit = {}) = ClientExtension(ID, objectOf("wants" to "blue")) {
        method(MIX, namedBy = NamedBy.Name)
        method(GUESS)
        block()
    }

    private fun studio(vararg extensions: ServerExtension): Server {
        val server = Server(Implementation("studio", "1"), ServerOptions(ServerCapabilities(tools = ServerCapabilities.Tools()), extensions = extensions.toList()))
        server.addTool("echo", "Says it again") { text(it.string("text")) }
        return server
    }

    private fun visiting(server: Server, protocol: String, vararg extensions: ClientExtension, body: suspend CoroutineScope.(Client) -> Unit) =
        together(server, Client(Implementation("visitor", "1"), ClientOptions(protocol = ProtocolPolicy(protocol), extensions = extensions.toList())), body)

    private suspend fun refusal(work: suspend () -> Any?): McpException = runCatching { work() }.exceptionOrNull() as McpException

    @Test
    fun a_method_is_answered_and_its_settings_are_told() {
        for (era in ERAS) {
            visiting(studio(colours()), era, wanted()) { client ->
                assertEquals(8, client.serverCapabilities?.extensions?.get(ID)?.obj()?.need("depth")?.int())
                val mixed = client.request(CustomRequest(MIX, objectOf("name" to "sky", "colours" to listOf("red")))).json
                assertEquals("[\"red\"]", mixed["mixed"].toString())
                assertEquals("blue", client.request(CustomRequest(GUESS, EmptyJsonObject)).json.tag("wants"))
                // What it offers needs no capability of the server's.
                assertEquals(listOf("palette"), client.listPrompts().prompts.map { it.name })
            }
        }
    }

    @Test
    fun peers_that_did_not_declare_it_are_refused_by_name() {
        for (era in ERAS) {
            visiting(studio(colours()), era) { client ->
                val refused = refusal { client.request(CustomRequest(MIX, objectOf("name" to "sky"))) }
                // The legacy era has no code of its own for it.
                assertEquals(if (era == MODERN) -32021 else -32600, refused.code)
                assertTrue(ID in refused.data.toString(), refused.data.toString())
                assertTrue("wants" !in client.request(CustomRequest(GUESS, EmptyJsonObject)).json)
                assertTrue("com.example/secrets" in refusal { client.request(CustomRequest(GUESS, objectOf("colour" to "secret"))) }.data.toString())
            }
            visiting(studio(), era, wanted()) { client ->
                assertEquals(METHOD_NOT_FOUND, refusal { client.request(CustomRequest(MIX, objectOf("name" to "sky"))) }.code)
            }
        }
    }

    @Test
    fun hooks_stand_around_handlers_in_order() {
        for (era in ERAS) {
            seen.clear()
            visiting(studio(colours()), era, wanted()) { client ->
                val called = client.callTool("echo", mapOf("text" to "as it came"))
                assertEquals("changed" to "signed", called.words to called.meta?.tag(ID))
                assertEquals(listOf("outer", "inner"), seen)
                assertEquals(-9, refusal { client.callTool("forbidden", emptyMap()) }.code)
                assertEquals(listOf("echo"), client.listTools().tools.map { it.name })
                assertEquals("list", seen.last())
            }
        }
    }

    @Test
    fun a_client_changes_what_it_sends_and_sees_what_comes() {
        val results = CopyOnWriteArrayList<String>()
        val mine = wanted {
            onRequest(Method.Defined.ToolsCall.value) { JsonObject(it + objectOf("arguments" to objectOf("text" to "mine"))) }
            onResult(Method.Defined.ToolsCall.value) {
                results += CallToolResult.of(it).words
                if (results.size > 1) throw McpException(-3, "not again")
            }
        }
        visiting(studio(), "legacy", mine) { client ->
            assertEquals("mine", client.callTool("echo", mapOf("text" to "yours")).words)
            assertEquals(-3, refusal { client.callTool("echo", mapOf("text" to "yours")) }.code)
            assertEquals(listOf("mine", "mine"), results)
        }
    }

    @Test
    fun a_result_in_a_shape_of_its_own_is_made_whole() {
        val slow = ServerExtension(ID) {
            method(MIX) { objectOf("resultType" to "drying") }
            method(GUESS) { objectOf("colour" to "brown") }
        }
        val patient = wanted {
            onResultType("drying") { result, method ->
                assertEquals("drying" to MIX, result.tag("resultType") to method)
                request(CustomRequest(GUESS, EmptyJsonObject)).json
            }
        }
        visiting(studio(slow), MODERN, patient) { client ->
            assertEquals("brown", client.request(CustomRequest(MIX, EmptyJsonObject)).json.tag("colour"))
        }
    }

    @Test
    fun an_extension_is_listed_once_and_has_a_prefix() {
        assertThrows(McpUsageException::class.java) { studio(colours(), colours()) }
        val short = assertThrows(McpUsageException::class.java) { studio(ServerExtension("colours") { method("mix") { it } }).host }
        assertTrue("prefix" in short.message.orEmpty(), short.message)
    }
}
