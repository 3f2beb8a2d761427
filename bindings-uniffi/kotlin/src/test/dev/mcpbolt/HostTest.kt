package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonArray
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Clients of several servers with one list of tools. */
class HostTest {
    private fun host(era: String = "legacy", vararg engine: Pair<String, Any?>) =
        Host(Implementation("host", "1"), ClientOptions(ASKABLE, protocol = ProtocolPolicy(era), engine = objectOf(*engine)))

    private val Host.names: List<String> get() = tools().map { it.name }

    @Test
    fun `a host routes calls to many servers and follows their lists on both eras`() {
        for (era in ERAS) bounded {
            val (one, two) = usualServer() to usualServer()
            two.addTool("second", "Only here") { text("of two") }
            val host = host(era)
            host.add("one", InMemoryTransport(one))
            host.add("two", InMemoryTransport(two))
            assertEquals("of two", host.callTool("second", emptyMap()).words)
            assertEquals("here", host.callTool("one_echo", mapOf("text" to "here")).words)
            val changed = Channel<String>(Channel.UNLIMITED)
            host.onToolsChanged { changed.trySend(it) }
            one.addTool("third", "New") { text("new") }
            assertEquals("one", soon { changed.receive() }, era)
            assertEquals("one", host.find("third")?.server)
            one.removeTool("third")
            assertEquals("one", soon { changed.receive() }, era)
            assertNull(host.find("third"))

            one.close()
            assertEquals("one", soon { changed.receive() }, era)
            assertEquals(listOf("echo", "hang", "greet", "raise", "second"), host.names)
            assertEquals(setOf("two"), host.sessions.keys)
            host.close()
            assertEquals(emptyList<String>(), host.names)
            two.close()
            assertNull(changed.tryReceive().getOrNull())
        }
    }

    private fun named(name: String, vararg tools: String): Server {
        val server = Server(Implementation(name, "1"), ServerOptions(WITH_EVERYTHING))
        for (tool in tools) server.addTool(tool, "Says whose it is") { text(name) }
        return server
    }

    @Test
    fun `no server takes the place of another server's tool`() = bounded {
        val servers = listOf(
            named("a_new", "git_status", "status"), named("git", "status"), named("svn", "status"),
            named("a", "b_c", "c"), named("a_b", "c", "b_c"),
        )
        val names = listOf("a_new", "git", "svn", "a", "a_b")
        suspend fun hosting(those: IntRange): Host {
            val host = host()
            for (at in those) host.add(names[at], InMemoryTransport(servers[at]))
            return host
        }
        val host = hosting(0..2)
        assertEquals(listOf("a_new_git_status", "a_new_status", "git_status", "svn_status"), host.names)
        assertEquals("git", host.callTool("git_status", emptyMap()).words)
        host.close()

        val alike = hosting(3..4)
        assertEquals(listOf("a_c", "a_b_b_c"), alike.names)
        assertNull(alike.find("a_b_c"))
        val refused = assertInstanceOf(McpUsageException::class.java, runCatching { alike.callTool("a_b_c", emptyMap()) }.exceptionOrNull())
        val why = "the servers a and a_b both have a tool that would be a_b_c here"
        assertTrue(refused.message.orEmpty().contains(why), refused.message)
        // No peer was asked, so none has said so.
        val unknown = assertInstanceOf(McpUsageException::class.java, runCatching { alike.callTool("nothing", emptyMap()) }.exceptionOrNull())
        assertEquals("no server has a tool nothing", unknown.message)
        alike.close()
        servers.forEach { it.close() }
    }

    @Test
    fun `a server of the same name takes the place of the one before`() = bounded {
        val (one, two) = usualServer() to Server(Implementation("small", "1"), ServerOptions(WITH_EVERYTHING))
        two.addTool("only", "The only one") { text("here") }
        val host = host()
        host.add("desk", InMemoryTransport(one))
        val before = host.sessions.getValue("desk")
        host.add("desk", InMemoryTransport(two))
        soon { before.awaitClose() }
        assertEquals(listOf("only"), host.names)
        assertEquals("here", host.callTool("only", emptyMap()).words)
        host.close()
        one.close()
        two.close()
    }

    @Test
    fun `a configuration names servers that are left out, and those of HTTP+SSE`() {
        for (era in ERAS) bounded {
            val server = usualServer()
            val listener = server.serveHttp()
            val nowhere = objectOf("command" to "/no/such/program")
            val rows = objectOf(
                "off" to nowhere + ("disabled" to toJson(true)),
                "broken" to nowhere + ("disabled" to toJson(false)),
                "web" to objectOf("url" to listener.url, "type" to "http"),
                // Only the legacy era has it.
                "old" to objectOf("url" to listener.url.replace("/mcp", "/sse"), "type" to "sse").takeIf { era == "legacy" },
            )
            val host = host(era)
            host.connect(objectOf("mcpServers" to rows))
            assertEquals(setOf("broken"), host.failures.keys)
            assertEquals(setOfNotNull("web", "old".takeIf { era == "legacy" }), host.sessions.keys)
            assertInstanceOf(StreamableHttpClientTransport::class.java, host.sessions.getValue("web").transport)
            host.sessions["old"]?.let { assertInstanceOf(SseClientTransport::class.java, it.transport) }
            host.close()
            server.close()
        }
    }

    @Test
    fun `a host that is closed in a cancelled coroutine leaves no process`() = bounded {
        val host = host()
        host.add("small", small())
        cancelledAndThen { host.close() }
        assertEquals(emptySet<String>(), host.sessions.keys)
        noChildren()
    }

    @Test
    fun `a host that is closed while it connects ends that`() = bounded {
        val server = usualServer()
        val listing = CompletableDeferred<Unit>()
        server.setRequestHandler("tools/list") {
            listing.complete(Unit)
            awaitCancellation()
        }
        val ways = mapOf<String, Pair<Transport, suspend () -> Unit>>(
            "silent" to (small("cat > /dev/null") to suspend { while (ProcessHandle.current().children().noneMatch { it.isAlive }) yield() }),
            "lists" to (InMemoryTransport(server) to suspend { listing.await() }),
        )
        for ((name, way) in ways) {
            val host = host()
            val adding = async(start = CoroutineStart.UNDISPATCHED) { runCatching { host.add(name, way.first) } }
            soon(way.second)
            soon { host.close() }
            val closed = assertInstanceOf(McpClosedException::class.java, soon { adding.await() }.exceptionOrNull())
            assertEquals("the host was closed while it connected to $name", closed.message)
            assertEquals(emptySet<String>(), host.sessions.keys)
            noChildren()
        }
        server.close()
    }

    @Test
    fun `a host whose connecting is cancelled has no failures`() = bounded {
        val host = host()
        val silent = objectOf("command" to "sh", "args" to listOf("-c", "cat > /dev/null"))
        val connecting = launch { host.connect(objectOf("mcpServers" to objectOf("silent" to silent))) }
        soon { while (ProcessHandle.current().children().noneMatch { it.isAlive }) yield() }
        soon { connecting.cancelAndJoin() }
        assertEquals(emptyMap<String, Throwable>(), host.failures)
        noChildren()
        host.close()
    }

    @Test
    fun `a host gives up on a list of tools that does not end`() = bounded {
        val server = usualServer()
        server.setRequestHandler("tools/list") { objectOf("tools" to JsonArray(emptyList()), "nextCursor" to "again") }
        val host = host("legacy", "max_pages" to 100)
        val thrown = runCatching { host.add("endless", InMemoryTransport(server)) }.exceptionOrNull()
        assertInstanceOf(McpProtocolException::class.java, thrown)
        assertEquals(emptyList<HostTool>(), host.tools())
        host.close()
        server.close()
    }
}
