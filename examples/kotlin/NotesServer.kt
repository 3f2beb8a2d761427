package examples.notes

import dev.mcpbolt.BooleanSchema
import dev.mcpbolt.CallToolResult
import dev.mcpbolt.ClientConnection
import dev.mcpbolt.CompleteResult
import dev.mcpbolt.Completion
import dev.mcpbolt.CreateMessageRequest
import dev.mcpbolt.CreateMessageRequestParams
import dev.mcpbolt.ElicitAction
import dev.mcpbolt.EmbeddedResource
import dev.mcpbolt.FormSchema
import dev.mcpbolt.GetPromptResult
import dev.mcpbolt.Implementation
import dev.mcpbolt.LoggingLevel
import dev.mcpbolt.McpException
import dev.mcpbolt.Prompt
import dev.mcpbolt.PromptArgument
import dev.mcpbolt.PromptMessage
import dev.mcpbolt.ReadResourceResult
import dev.mcpbolt.ResourceLink
import dev.mcpbolt.Role
import dev.mcpbolt.SamplingMessage
import dev.mcpbolt.Server
import dev.mcpbolt.ServerCapabilities
import dev.mcpbolt.ServerOptions
import dev.mcpbolt.TextContent
import dev.mcpbolt.TextResourceContents
import dev.mcpbolt.ToolAnnotations
import dev.mcpbolt.ToolHandler
import dev.mcpbolt.ToolSchema
import dev.mcpbolt.toJson
import examples.serve
import examples.text
import examples.textOf
import examples.word
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.booleanOrNull
import kotlinx.serialization.json.jsonObject
import java.net.URI
import java.net.URLEncoder
import java.nio.file.FileSystemNotFoundException
import java.nio.file.Path

// A server for notes: text files in one folder, and nothing outside it.
//
// Shows: tools with structured answers, resources that come and go, a template, subscriptions, prompts, completion,
// progress, and asking the client: a person (elicitation), its model (sampling), its roots.

/** On standard streams, or with `--http HOST:PORT` at `/mcp`, and at `/sse`; then the folder. */
fun main(args: Array<String>): Unit = runBlocking {
    val words = if (args.firstOrNull() == "--http") args.drop(2) else args.toList()
    serve(Notes(Folder(Path.of(words.firstOrNull() ?: "notes"))).server, args)
}

/** What the protocol calls a resource that is not there. */
private const val NOT_THERE = -32002

/** All notes' URIs begin with this. */
private const val PREFIX = "note:///"

private val TONES = listOf("clear", "formal", "friendly", "short")

private val SAFE = ToolAnnotations(readOnlyHint = true, openWorldHint = false)
private val REWRITES = ToolAnnotations(destructiveHint = true, idempotentHint = true, openWorldHint = false)
private val DELETES = ToolAnnotations(destructiveHint = true, openWorldHint = false)

private val NAME = "name" to about("string", "Name of the note.")
private val NAMES = mapOf("type" to "array", "items" to mapOf("type" to "string"))

private fun about(type: String, description: String) = mapOf("type" to type, "description" to description)

/** Fields that must all be there. */
private fun fields(vararg all: Pair<String, Any>) = ToolSchema(toJson(mapOf(*all)).jsonObject, all.map { it.first })

private fun uriOf(note: String): String = PREFIX + URLEncoder.encode(note, "UTF-8").replace("+", "%20")

private fun List<String>.startingWith(typed: String) = filter { it.startsWith(typed, ignoreCase = true) }

/** An answer for programs, and the same for those that only read. */
private fun structured(vararg members: Pair<String, Any>): CallToolResult {
    val json = toJson(mapOf(*members)).jsonObject
    return CallToolResult(listOf(TextContent(json.toString())), structuredContent = json)
}

/** The server of a folder. */
private class Notes(private val folder: Folder) {
    private val abilities = ServerCapabilities(
        tools = ServerCapabilities.Tools(listChanged = true),
        resources = ServerCapabilities.Resources(subscribe = true, listChanged = true),
        prompts = ServerCapabilities.Prompts(listChanged = true),
        logging = ServerCapabilities.Logging,
        completions = ServerCapabilities.Completions,
    )

    val server = Server(
        Implementation("mcpbolt-notes", "1.0.0"),
        ServerOptions(abilities),
        "Notes are plain text, one file each. List them before you read or change one.",
    )

    init {
        offerReading()
        offerWriting()
        offerQuestions()
        offerResources()
        offerPrompts()
        folder.names().forEach(::offer)
    }

    // Tools

    private fun tool(name: String, about: String, input: ToolSchema, hints: ToolAnnotations? = null, output: ToolSchema? = null, handler: ToolHandler): Unit =
        server.addTool(name, about, input, outputSchema = output, toolAnnotations = hints, handler = handler)

    /** A tool for one note. */
    private fun toolOfNote(name: String, about: String, hints: ToolAnnotations? = null, body: suspend ClientConnection.(String) -> CallToolResult): Unit =
        tool(name, about, fields(NAME), hints) { request -> body(request.arguments?.word("name").orEmpty()) }

    private fun offerReading() {
        val listed = "notes" to NAMES + ("description" to "Names of all notes.")
        tool("list_notes", "Lists all notes.", ToolSchema(), SAFE, fields(listed)) { structured("notes" to folder.names()) }

        toolOfNote("read_note", "Reads a note.", SAFE) { name -> text(folder.read(name)) }

        val query = "query" to about("string", "Text to look for; upper and lower case are the same.")
        val found = "notes" to NAMES + ("description" to "Names of the notes that hold the text.")
        val searched = "searched" to about("integer", "How many notes were read.")
        tool("search_notes", "Finds the notes that hold a text, with progress.", fields(query), SAFE, fields(found, searched)) { request ->
            val names = folder.names()
            // A client that cancels ends this within: a handler is a coroutine.
            val holding = names.withIndex().filter { (index, name) ->
                val holds = folder.read(name).contains(request.arguments?.word("query").orEmpty(), ignoreCase = true)
                reportProgress(index + 1.0, names.size.toDouble(), name)
                holds
            }
            structured("notes" to holding.map { it.value }, "searched" to names.size)
        }
    }

    private fun offerWriting() {
        val note = fields(NAME, "text" to about("string", "Its new text."))
        tool("write_note", "Writes a note, new or not.", note, REWRITES) { request ->
            val (name, words) = listOf("name", "text").map { request.arguments?.word(it).orEmpty() }
            val isNew = folder.write(name, words)
            if (isNew) offer(name)
            server.resourceUpdated(uriOf(name))
            log(LoggingLevel.Info, JsonPrimitive("wrote $name (${words.length} characters)"))
            CallToolResult(listOf(TextContent(if (isNew) "Wrote a new note." else "Replaced the note."), ResourceLink(name, uriOf(name))))
        }

        toolOfNote("delete_note", "Deletes a note after asking the person.", DELETES) { name ->
            folder.expect(name)
            val form = FormSchema(mapOf("delete" to BooleanSchema(title = "Delete it for good")), listOf("delete"))
            val answer = createElicitation("Delete the note $name?", form)
            val agreed = (answer.content?.get("delete") as? JsonPrimitive)?.booleanOrNull
            if (answer.action != ElicitAction.Accept || agreed != true) return@toolOfNote text("Nothing was deleted.")
            folder.delete(name)
            server.removeResource(uriOf(name))
            server.resourceUpdated(uriOf(name))
            text("Deleted $name.")
        }
    }

    private fun offerQuestions() {
        toolOfNote("summarize_note", "Summarizes a note with the client's model.") { name ->
            val note = listOf(SamplingMessage(Role.User, TextContent(folder.read(name))))
            val asked = CreateMessageRequestParams(maxTokens = 200, messages = note, systemPrompt = "Summarize the note in one sentence.")
            text(textOf(createMessage(CreateMessageRequest(asked)).content))
        }

        tool("check_roots", "Says whether the notes lie in one of the client's roots.", ToolSchema()) {
            val roots = listRoots().roots
            val around = roots.firstOrNull { root -> place(root.uri)?.let { folder.path.startsWith(it) } ?: false }
            text(if (around != null) "The notes lie in ${around.uri}." else "The notes lie in none of the client's ${roots.size} roots.")
        }
    }

    /** The folder or file that a URI names, if it names one. */
    private fun place(uri: String): Path? = try {
        Path.of(URI.create(uri))
    } catch (@Suppress("SwallowedException") other: IllegalArgumentException) {
        null
    } catch (@Suppress("SwallowedException") other: FileSystemNotFoundException) {
        null
    }

    // Notes as resources: one per note, and a template for names not listed yet.

    /** Lists a note among the resources. Clients are told. */
    private fun offer(note: String): Unit =
        server.addResource(uriOf(note), note, "The note $note", "text/plain") { request -> contents(request.uri, note) }

    private suspend fun contents(uri: String, note: String): ReadResourceResult {
        val words = try {
            folder.read(note)
        } catch (@Suppress("SwallowedException") none: NoNote) {
            // What is no note is not there, whatever the reason: names outside tell nothing.
            throw McpException(NOT_THERE, "there is no such note", toJson(mapOf("uri" to uri)))
        }
        return ReadResourceResult(listOf(TextResourceContents(words, uri, "text/plain")))
    }

    private fun offerResources() {
        server.addResourceTemplate("$PREFIX{name}", "note", "A note by its name.", "text/plain") { request, variables ->
            contents(request.uri, variables.getValue("name"))
        }
        server.onSubscription { uri, active -> System.err.println("$uri: one ${if (active) "more" else "less"} subscriber") }
    }

    // Prompts

    private fun offerPrompts() {
        val given = listOf(
            PromptArgument("name", "Name of the note.", required = true),
            PromptArgument("tone", "For example friendly or formal"),
        )
        server.addPrompt(Prompt("improve_note", "Asks for a better wording of a note.", given, "Improve a note")) { request ->
            val name = request.arguments.orEmpty().getValue("name")
            val said = "Rewrite this note in a ${request.arguments?.get("tone") ?: "clear"} tone. Keep every fact."
            val note = EmbeddedResource(TextResourceContents(folder.read(name), uriOf(name), "text/plain"))
            GetPromptResult(listOf(TextContent(said), note).map { PromptMessage(Role.User, it) })
        }

        // Names for `name`, of the prompt and of the template; tones for `tone`.
        server.setCompletionHandler { request ->
            val known = mapOf("name" to folder.names(), "tone" to TONES)[request.argument.name].orEmpty()
            CompleteResult(Completion(known.startingWith(request.argument.value)))
        }
    }
}
