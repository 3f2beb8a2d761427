package examples.interop

import dev.mcpbolt.CallToolResult
import dev.mcpbolt.Client
import dev.mcpbolt.ClientCapabilities
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.CompleteRequest
import dev.mcpbolt.CompleteRequestParams
import dev.mcpbolt.CompletionArgument
import dev.mcpbolt.CreateMessageResult
import dev.mcpbolt.ElicitAction
import dev.mcpbolt.ElicitResult
import dev.mcpbolt.GetPromptRequest
import dev.mcpbolt.GetPromptRequestParams
import dev.mcpbolt.Implementation
import dev.mcpbolt.McpException
import dev.mcpbolt.PromptReference
import dev.mcpbolt.ProtocolPolicy
import dev.mcpbolt.ReadResourceRequest
import dev.mcpbolt.ReadResourceRequestParams
import dev.mcpbolt.RequestOptions
import dev.mcpbolt.Role
import dev.mcpbolt.TextContent
import dev.mcpbolt.TextResourceContents
import dev.mcpbolt.toJson
import examples.target
import examples.textOf
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.jsonObject
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlin.system.exitProcess

// What the interoperability tests check of an everything server, in whatever language it is: the same as the clients in
// tests/interop/clients do.

/** `[--era legacy|auto] URL`, or `… -- COMMAND ARGS`. Prints a JSON line; ends with 0 if every check held. */
fun main(args: Array<String>) {
    val words = args.toList()
    val era = if (words.firstOrNull() == "--era") words[1] else "legacy"
    val failed = runBlocking { Visit(era).run(if (words.firstOrNull() == "--era") words.drop(2) else words) }
    exitProcess(if (failed) 1 else 0)
}

private class Visit(era: String) {
    private val forms = AtomicInteger()
    private val samples = AtomicInteger()
    private val client = Client(
        Implementation("interop-kotlin", "1.0.0"),
        ClientOptions(ClientCapabilities(sampling = ClientCapabilities.sampling, elicitation = ClientCapabilities.elicitation), protocol = ProtocolPolicy(era)),
    )

    init {
        client.setElicitationHandler {
            forms.incrementAndGet()
            ElicitResult(ElicitAction.Accept, toJson(mapOf("username" to "ada", "email" to "ada@example.com")).jsonObject)
        }
        client.setSamplingHandler { _ ->
            samples.incrementAndGet()
            CreateMessageResult(Role.Assistant, TextContent("scripted answer"), "scripted")
        }
    }

    /** Whether something failed. */
    suspend fun run(server: List<String>): Boolean {
        client.connect(target(server))
        val revision = client.session.protocolVersion.orEmpty()
        val passed = mutableListOf<String>()
        val failed = mutableMapOf<String, String>()
        val modern = revision >= "2026"
        for ((name, check) in checks().filterKeys { it != "ping" || !modern }) {
            try {
                check()
                passed += name
            } catch (@Suppress("TooGenericExceptionCaught") thrown: Exception) {
                failed[name] = "${thrown.javaClass.simpleName}: ${thrown.message}"
            }
        }
        client.close()
        val transport = if ("://" in server.last()) "http" else "stdio"
        println(toJson(mapOf("client" to "kotlin", "transport" to transport, "revision" to revision, "passed" to passed, "failed" to failed)))
        return failed.isNotEmpty()
    }

    private suspend fun call(tool: String, options: RequestOptions? = null, vararg arguments: Pair<String, Any>): CallToolResult =
        client.callTool(tool, mapOf(*arguments), options = options)

    private suspend fun words(uri: String): String {
        val contents = client.readResource(ReadResourceRequest(ReadResourceRequestParams(uri))).contents
        return (contents.single() as TextResourceContents).text
    }

    private fun checks(): Map<String, suspend () -> Unit> = lists() + calls() + mapOf(
        "read a resource" to suspend { check(words("test://static-text").isNotEmpty()) { "no text" } },
        "read a template" to suspend { holds(words("test://template/123/data"), "123") },
        "get a prompt" to suspend {
            val asked = GetPromptRequestParams("test_prompt_with_arguments", mapOf("arg1" to "one", "arg2" to "two"))
            val said = textOf(client.getPrompt(GetPromptRequest(asked)).messages.map { it.content })
            holds(said, "one")
            holds(said, "two")
        },
        "complete" to suspend {
            val asked = CompleteRequestParams(CompletionArgument("arg1", "test"), PromptReference("test_prompt_with_arguments"))
            val values = client.complete(CompleteRequest(asked)).completion.values
            check(values.all { it.startsWith("test") }) { "the values are $values" }
        },
        "unknown resource" to suspend {
            val error = try { words("test://not-there") } catch (expected: McpException) { expected.kind }
            check(error in listOf("resource_not_found", "invalid_params")) { "it ended with $error" }
        },
        "ping" to suspend { client.ping(); Unit },
    )

    private fun lists(): Map<String, suspend () -> Unit> = mapOf(
        "list tools" to suspend { has(client.listTools().tools.map { it.name }, "test_simple_text") },
        "list resources" to suspend { has(client.listResources().resources.map { it.uri }, "test://static-text") },
        "list templates" to suspend { has(client.listResourceTemplates().resourceTemplates.map { it.uriTemplate }, "test://template/{id}/data") },
        "list prompts" to suspend { has(client.listPrompts().prompts.map { it.name }, "test_simple_prompt") },
    )

    private fun calls(): Map<String, suspend () -> Unit> = mapOf(
        "call a tool" to suspend { holds(textOf(call("test_simple_text").content), "simple text") },
        "progress" to suspend {
            val seen = CopyOnWriteArrayList<Double>()
            call("test_tool_with_progress", RequestOptions(onProgress = { seen += it.progress }))
            check(seen == listOf(0.0, 50.0, 100.0)) { "progress was $seen" }
        },
        "tool error" to suspend { check(call("test_error_handling").isError == true) { "isError is not set" } },
        "elicitation" to suspend {
            val result = call("test_elicitation", null, "message" to "Who are you?")
            check(forms.get() == 1 && result.isError != true) { "asked $forms times: ${textOf(result.content)}" }
            holds(textOf(result.content), "ada@example.com")
        },
        "sampling" to suspend {
            val said = textOf(call("test_sampling", null, "prompt" to "Say something").content)
            check(samples.get() == 1) { "asked $samples times: $said" }
            holds(said, "scripted answer")
        },
    )

    private fun has(names: List<String>, wanted: String) = check(wanted in names) { "$wanted is not listed" }

    private fun holds(said: String, wanted: String) = check(wanted in said) { said }
}
