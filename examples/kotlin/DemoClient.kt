package examples.demo

import dev.mcpbolt.Client
import dev.mcpbolt.ClientCapabilities
import dev.mcpbolt.ClientOptions
import dev.mcpbolt.CompleteRequest
import dev.mcpbolt.CompleteRequestParams
import dev.mcpbolt.CompletionArgument
import dev.mcpbolt.CreateMessageResult
import dev.mcpbolt.ElicitAction
import dev.mcpbolt.ElicitRequestFormParams
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
import dev.mcpbolt.ResourceUpdatedNotification
import dev.mcpbolt.Role
import dev.mcpbolt.SubscribeRequest
import dev.mcpbolt.SubscribeRequestParams
import dev.mcpbolt.TextContent
import dev.mcpbolt.TextResourceContents
import dev.mcpbolt.UnsubscribeRequest
import dev.mcpbolt.UnsubscribeRequestParams
import dev.mcpbolt.toJson
import examples.fillIn
import examples.target
import examples.textOf
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import java.nio.file.Path
import java.util.Locale
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.seconds

// Takes the steps of `cargo xtask demo` with a notes server, and prints how each went: a line per step, its parts
// separated by tabs; then how many milliseconds a call takes.
//
// Shows: what a client can do with a server, in either era, with the same code.

/** `[--mode auto|legacy|REVISION] [--revision EXPECTED] [--folder OF-THE-NOTES]`, then a URL, or `-- COMMAND ARGS`. */
fun main(args: Array<String>) {
    var words = args.toList()
    val given = mutableMapOf("--mode" to "auto", "--folder" to "notes")
    while (words.firstOrNull() in listOf("--mode", "--revision", "--folder")) {
        given[words[0]] = words[1]
        words = words.drop(2)
    }
    val visit = Visit(given.getValue("--mode"), given["--revision"], Path.of(given.getValue("--folder")).toRealPath())
    val allHold = runBlocking { visit.run(words) }
    exitProcess(if (allHold) 0 else 1)
}

// The note the steps work on, and its text.
private const val NOTE = "demo.txt"
private const val URI = "note:///demo.txt"
private const val TEXT = "Buy green tea."

/** Longest wait for a notification. */
private val SOON = 10.seconds

/** How many calls are timed. */
private const val CALLS = 20

private const val NANOS = 1e6

/** What a server answers for a resource it does not have, and for params that make no sense. */
private val NOT_THERE = listOf("resource_not_found", "invalid_params")

/** What was seen, if the condition holds. */
private fun holds(condition: Boolean, seen: String): String {
    check(condition) { "unexpected: $seen" }
    return seen
}

/** One connection, and what the client answers on it. */
private class Visit(mode: String, private val revision: String?, private val folder: Path) {
    private val updates = Channel<String>(Channel.UNLIMITED)
    private val abilities = ClientCapabilities(
        sampling = ClientCapabilities.sampling,
        roots = ClientCapabilities.Roots(listChanged = true),
        elicitation = ClientCapabilities.elicitation,
    )
    private val client = Client(Implementation("mcpbolt-demo-kotlin", "1.0.0"), ClientOptions(abilities, protocol = ProtocolPolicy(mode)))

    init {
        client.addRoot(folder.toUri().toString(), "notes")
        client.setElicitationHandler { request ->
            ElicitResult(ElicitAction.Accept, (request.params as? ElicitRequestFormParams)?.let { fillIn(it.requestedSchema) })
        }
        client.setSamplingHandler { request ->
            val words = textOf(request.messages.first().content)
            CreateMessageResult(Role.Assistant, TextContent("In short: $words"), "scripted")
        }
        client.setNotificationHandler<ResourceUpdatedNotification>("notifications/resources/updated") { note ->
            updates.trySend(note.uri)
            CompletableDeferred(Unit)
        }
    }

    /** Takes all steps; whether all hold. */
    suspend fun run(server: List<String>): Boolean {
        client.connect(target(server))
        var allHold = true
        for ((name, step) in reading() + asking() + refusing()) {
            val (verdict, said) = try {
                "ok" to step()
            } catch (@Suppress("TooGenericExceptionCaught") thrown: Exception) {
                allHold = false
                "FAILED" to "${thrown.message}"
            }
            println("$verdict\t$name\t${said.replace(Regex("\\s+"), " ")}")
        }
        println("call\t%.3f".format(Locale.ROOT, callTime()))
        client.close()
        return allHold
    }

    /** The median of some calls, one after the other, in milliseconds. */
    private suspend fun callTime(): Double {
        val took = List(CALLS) {
            val begun = System.nanoTime()
            words("list_notes")
            (System.nanoTime() - begun) / NANOS
        }
        return took.sorted()[CALLS / 2]
    }

    /** The words of an answer that must not be a failure. */
    private suspend fun words(tool: String, vararg arguments: Pair<String, Any>): String {
        val result = client.callTool(tool, mapOf(*arguments))
        return holds(result.isError != true, textOf(result.content))
    }

    private suspend fun read(uri: String): String {
        val contents = client.readResource(ReadResourceRequest(ReadResourceRequestParams(uri))).contents
        return (contents.first() as TextResourceContents).text
    }

    private fun reading(): Map<String, suspend () -> String> = mapOf(
        "who is there" to suspend {
            val (name, spoken) = client.serverVersion?.name to client.session.protocolVersion
            holds(name == "mcpbolt-notes" && revision in listOf(null, spoken), "$name, revision $spoken")
        },
        "list the tools" to suspend {
            val names = client.listTools().tools.map { it.name }
            holds("write_note" in names && names.size == 7, names.joinToString())
        },
        "write a note" to suspend {
            val said = words("write_note", "name" to NOTE, "text" to TEXT)
            holds(said == "Wrote a new note.", said)
        },
        "structured answer" to suspend {
            val listing = client.callTool("list_notes", emptyMap()).structuredContent
            holds(listing == toJson(mapOf("notes" to listOf(NOTE))), "$listing")
        },
        "list and read resources" to suspend {
            holds(client.listResources().resources.any { it.uri == URI }, "$URI is not listed")
            val text = read(URI)
            holds(text == TEXT, "$URI: $text")
        },
        "subscribe and be told" to suspend {
            client.subscribeResource(SubscribeRequest(SubscribeRequestParams(URI)))
            words("write_note", "name" to NOTE, "text" to TEXT)
            val uri = withTimeout(SOON) { updates.receive() }
            client.unsubscribeResource(UnsubscribeRequest(UnsubscribeRequestParams(URI)))
            holds(uri == URI, "$uri changed")
        },
    )

    private fun asking(): Map<String, suspend () -> String> = mapOf(
        "progress" to suspend {
            val seen = CopyOnWriteArrayList<Double>()
            val result = client.callTool("search_notes", mapOf("query" to "TEA"), options = RequestOptions(onProgress = { seen += it.progress }))
            val said = textOf(result.content)
            holds(seen == listOf(1.0) && NOTE in said, "${seen.size} report, then $said")
        },
        "prompt" to suspend {
            val asked = GetPromptRequestParams("improve_note", mapOf("name" to NOTE, "tone" to "formal"))
            val messages = client.getPrompt(GetPromptRequest(asked)).messages
            val first = textOf(listOf(messages.first().content))
            holds(messages.size == 2 && "formal" in first, first)
        },
        "completion" to suspend {
            val asked = CompleteRequestParams(CompletionArgument("name", "de"), PromptReference("improve_note"))
            val values = client.complete(CompleteRequest(asked)).completion.values
            holds(values == listOf(NOTE), "de → ${values.joinToString()}")
        },
        "sampling" to suspend {
            val said = words("summarize_note", "name" to NOTE)
            holds(said == "In short: $TEXT", said)
        },
        "roots" to suspend {
            val said = words("check_roots")
            holds("$folder" in said, said)
        },
    )

    private fun refusing(): Map<String, suspend () -> String> = mapOf(
        "refuse other folders" to suspend {
            val result = client.callTool("read_note", mapOf("name" to "../secret"))
            val said = textOf(result.content)
            holds(result.isError == true, "it was read: $said")
            val error = refused("a resource outside the folder was read") { read("note:///..%2Fsecret") }
            holds(error.kind in NOT_THERE, said)
        },
        "refuse unknown tools" to suspend {
            val error = refused("it was called") { client.callTool("no_such_tool", emptyMap()) }
            holds(error.kind == "invalid_params", "${error.message}")
        },
        "elicitation" to suspend {
            val said = words("delete_note", "name" to NOTE)
            holds(said == "Deleted $NOTE.", said)
        },
    )

    /** The error of what must fail. */
    private suspend fun refused(otherwise: String, work: suspend () -> Any): McpException {
        try {
            work()
        } catch (expected: McpException) {
            return expected
        }
        error(otherwise)
    }
}
