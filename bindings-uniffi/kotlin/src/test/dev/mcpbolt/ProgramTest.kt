package dev.mcpbolt

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

private const val SECONDS = 60L

/** Programs as users have them, in processes of their own. */
class ProgramTest {
    private val java = ProcessHandle.current().info().command().get()
    private val paths = System.getProperty("mcpbolt.programs") + System.getProperty("path.separator") + System.getProperty("java.class.path")

    private fun command(main: String, vararg arguments: String): List<String> =
        listOf(java, "-XX:TieredStopAtLevel=1", "-Djna.library.path=${System.getProperty("jna.library.path")}", "-cp", paths, main, *arguments)

    /** The command of a program, without a library that it does not need. */
    private fun List<String>.without(library: String): List<String> {
        val separator = System.getProperty("path.separator")
        return map { word -> if (word == paths) word.split(separator).filter { library !in it }.joinToString(separator) else word }
    }

    private fun output(command: List<String>): List<String> {
        val process = ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        process.outputStream.close()
        // It prints less than a pipe holds, so that waiting before reading is no deadlock.
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            (process.descendants().toList() + process.toHandle()).forEach { it.destroyForcibly() }
            throw AssertionError("${command.last()} does not end")
        }
        assertEquals(0, process.exitValue())
        return process.inputStream.bufferedReader().readLines()
    }

    @Test
    fun `official_program`() {
        val server = command("program.Official_programKt", "serve")
        val expected = listOf(
            "library true", "lend [title]", "lent: Emma", "lent: Ulysses", "A book on cats", "Once", "a, 7", "Shelf", "-32602",
        )
        assertEquals(expected, output(command("program.Official_programKt", "visit", *server.toTypedArray())))
    }

    @Test
    fun `the blocks of the official front page do what they say`() {
        val server = command("program.blocks.Readme_blocksKt", "serve")
        val expected = listOf(
            "door", "One cup of Assam", "small: Black tea for a cold day, Home", "Greet Ann", "Green tea", "[Oolong, Orange]", "[Shelf 1, Shelf 2, Shelf 3]",
        )
        assertEquals(expected, output(command("program.blocks.Readme_blocksKt", "visit", *server.toTypedArray())))
    }

    @Test
    fun `the official samples for stdio talk to each other`() {
        fun seen(tool: String, argument: String, server: String) =
            output(command("program.samples.client.Sample_clientKt", tool, argument, *command(server).toTypedArray()))
        val weather = listOf(
            "alerts: Warnings for a state object [state] [state]", "forecast: The weather at a place object [latitude, longitude] [latitude, longitude]",
        )
        assertEquals(weather + listOf("Snow", "Wind"), seen("alerts", "state=NY", "program.samples.weather.Sample_weatherKt"))
        assertEquals(weather + "failed: No state: New York", seen("alerts", "state=New York", "program.samples.weather.Sample_weatherKt"))
        assertEquals(listOf("hello: Greets object [] null", "Hello"), seen("hello", "", "program.samples.several.Sample_severalKt"))
    }

    /** Runs a program that prints the port it serves on, until the body ends. */
    private fun <T> serving(vararg program: String, body: (port: String) -> T): T {
        val process = ProcessBuilder(command(program.first(), *program.drop(1).toTypedArray())).redirectError(ProcessBuilder.Redirect.INHERIT).start()
        try {
            return body(process.inputStream.bufferedReader().readLine())
        } finally {
            process.destroyForcibly()
        }
    }

    @Test
    fun `the official sample for HTTP serves with Ktor`() {
        serving("program.samples.streamable.Sample_streamableKt", "0") { port ->
            bounded {
                val client = connected(StreamableHttpClientTransport("http://127.0.0.1:$port/mcp"))
                assertEquals("Good morning, Ann!", client.callTool("greet-often", mapOf("name" to "Ann")).words)
                client.close()
            }
        }
    }

    @Test
    fun `the official sample for HTTP and SSE keeps its sessions, or has them kept`() {
        for ((way, path) in listOf("plain" to "/sse", "plugin" to "")) {
            serving("program.samples.several.Sample_severalKt", way) { port ->
                bounded {
                    val client = connected(SseClientTransport("http://127.0.0.1:$port$path"))
                    assertEquals("Hello", client.callTool("hello", emptyMap()).words)
                    client.close()
                }
            }
        }
    }

    @Test
    fun `the blocks of the official front page with Ktor do what they say`() {
        val expected = listOf("newer", "stateless", "below", "root").map { "Hello from $it" }
        serving("program.ktor.Readme_ktorKt", "serve") { port ->
            assertEquals(expected, output(command("program.ktor.Readme_ktorKt", "visit", port)))
            // The same program, with the official package: their client at our server. Its logging says that it begins.
            val official = System.getProperty("mcpbolt.official") ?: return@serving
            val theirs = output(listOf(java, "-XX:TieredStopAtLevel=1", "-cp", official, "program.ktor.Readme_ktorKt", "visit", port))
            assertEquals(expected, theirs.takeLast(expected.size))
        }
    }

    @Test
    fun `the builders of the official package make its requests`() {
        val expected = listOf("""{"type":"text","text":"tea"}""") + listOf(
            "tools/call", "completion/complete", "sampling/createMessage", "elicitation/create", "prompts/get", "initialize", "prompts/list",
            "resources/templates/list", "resources/list", "roots/list", "tools/list", "ping", "resources/read", "logging/setLevel", "resources/subscribe",
            "resources/unsubscribe",
        )
        assertEquals(expected, output(command("program.builders.BuildersKt")))
    }

    @Test
    fun `the extension of the example is spoken with other languages`() {
        val mine = command("examples.colours.ColoursKt")
        // Each is a command, of a program that is the server or, after `--`, its client.
        val others = parse(System.getenv("MCPBOLT_TEST_COLOURS") ?: "[]").list { words -> words.list { it.text() } }
        val said = listOf("depth 8: a purple sky, signed")
        assertEquals(said, output(mine + "--" + mine))
        for (other in others) {
            assertEquals(said, output(mine + "--" + other))
            assertEquals(said, output(other + "--" + mine))
        }
    }

    @Test
    fun `options as types are those of the engine`() {
        val (java, arguments) = command("examples.server.ServerKt").let { it.first() to it.drop(1) }
        val options = StdioOptions(Inherit.All, Stderr.Capture, Restart(1, 100.milliseconds), 2.seconds, 2.seconds, 1_000_000)
        bounded {
            val client = connected(StdioClientTransport(java, arguments, options = options))
            assertEquals("add", client.listTools().tools.single().name)
            client.close()
        }
        val server = usualServer()
        val listener = server.serveHttp()
        val again = Reconnect(10.milliseconds, 1.seconds, attempts = 1, streamAttempts = 1, growthPercent = 150)
        bounded {
            val near = HttpOptions(proxy = Proxy.Off, reconnect = again, connectTimeout = 5.seconds, closeTimeout = 5.seconds, maxMessageBytes = 100_000)
            val client = connected(StreamableHttpClientTransport(listener.url, options = near))
            assertEquals("hi", client.callTool("echo", mapOf("text" to "hi")).words)
            client.close()
            val wrong = runCatching { connected(StreamableHttpClientTransport(listener.url, options = HttpOptions(ca = "none"))) }.exceptionOrNull()
            assertTrue(wrong is McpUsageException && "ca" in wrong.message.orEmpty(), "$wrong")
            server.close()
        }
    }

    @Test
    fun `the examples talk to each other`() {
        // They need no kotlinx-io and no OpenTelemetry, and run without.
        val server = command("examples.server.ServerKt").without("kotlinx-io").without("opentelemetry")
        val client = command("examples.client.ClientKt", "--").without("kotlinx-io").without("opentelemetry")
        assertEquals(listOf("add", "3"), output(client + server))
    }
}
