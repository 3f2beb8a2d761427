package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.milliseconds

/** A thread of which the test decides when it goes on. */
private class Turns : CoroutineDispatcher() {
    val given = Channel<Runnable>(Channel.UNLIMITED)

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        given.trySend(block)
    }
}

/** How connections begin, stand and end. */
class ConnectionsTest {
    @Test
    fun `a client that came back is ready again`() = bounded {
        val client = connected(small(options = arrayOf("restart" to objectOf("max" to 3))))
        val state = client.session.state
        assertEquals(ClientSession.State.Ready, state.value)
        repeat(2) {
            val before = client.session.about.process
            client.notification(CustomNotification("acme/end"))
            soon { while (client.session.about.process.let { it == null || it == before }) yield() }
            soon { state.first { it == ClientSession.State.Ready } }
            assertTrue(client.session.isOpen)
        }
        val rest = async(start = CoroutineStart.UNDISPATCHED) { state.takeWhile { it != ClientSession.State.Closed }.toList() }
        client.close()
        assertEquals(listOf(ClientSession.State.Ready), soon { rest.await() })
        assertEquals(ClientSession.State.Closed, state.value)
        noChildren()
    }

    @Test
    fun `a client that reconnects asks for its subscriptions again and goes on`() = bounded {
        val server = usualServer()
        val client = connected(StreamableHttpClientTransport(server.serveHttp().url), "modern")
        val agreed = Channel<Notification>(Channel.UNLIMITED)
        val listening = launch {
            client.session.listen(SubscriptionFilter(resourceSubscriptions = listOf("note://1"))).collect {
                if (it is SubscriptionsAcknowledgedNotification) agreed.send(it)
            }
        }
        soon { agreed.receive() }
        client.reconnect()
        soon { agreed.receive() }
        assertEquals("a", client.callTool("echo", mapOf("text" to "a")).words)
        listening.cancel()
        client.close()
        client.reconnect()
        server.close()
    }

    @Test
    fun `of two that connect at once one is refused and no process stays`() = bounded {
        val client = Client(Implementation("test", "1"))
        val first = async(start = CoroutineStart.UNDISPATCHED) { client.connect(small()) }
        assertInstanceOf(McpUsageException::class.java, runCatching { client.connect(small()) }.exceptionOrNull())
        soon { first.await() }
        assertTrue(client.session.isOpen)
        assertInstanceOf(McpUsageException::class.java, runCatching { client.connect(small()) }.exceptionOrNull())
        client.close()
        noChildren()
        // As good as new.
        client.connect(small())
        client.close()
        noChildren()
    }

    @Test
    fun `closing a client that connects ends that and its process`() = bounded {
        val client = Client(Implementation("test", "1"))
        val connecting = async(start = CoroutineStart.UNDISPATCHED) { runCatching { client.connect(small("cat > /dev/null")) } }
        soon { client.close() }
        assertInstanceOf(McpClosedException::class.java, soon { connecting.await() }.exceptionOrNull())
        noChildren()
    }

    @Test
    fun `a connection is not opened on the thread that asks for it`() = bounded {
        val server = usualServer()
        val (here, there) = LinkedTransport.pair()
        server.createSession(there)
        val opening = CompletableDeferred<Thread>()
        val watched = object : Transport by here {
            override suspend fun start() {
                opening.complete(Thread.currentThread())
                here.start()
            }
        }
        Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { main ->
            withContext(main) {
                val client = connected(watched)
                assertNotEquals(Thread.currentThread(), opening.await())
                assertEquals("a", client.callTool("echo", mapOf("text" to "a")).words)
                client.close()
            }
        }
        server.close()
    }

    @Test
    fun `a caller that gives up as its connection is open leaves none behind`() = bounded {
        val server = usualServer()
        val (here, there) = LinkedTransport.pair()
        val session = server.createSession(there)
        val turns = Turns()
        val begin = CompletableDeferred<Unit>()
        val held = object : Transport by here {
            override suspend fun start() {
                begin.await()
                here.start()
            }
        }
        val connecting = launch(turns) { connected(held) }
        soon { turns.given.receive() }.run()
        // Not before the caller waits: what is open by then, it learns of without another turn.
        begin.complete(Unit)
        // It is open, and its caller would learn of that now.
        val news = soon { turns.given.receive() }
        connecting.cancel()
        news.run()
        val rest = launch { for (turn in turns.given) turn.run() }
        soon { session.awaitClose() }
        soon { connecting.join() }
        rest.cancel()
        server.close()
    }

    @Test
    fun `a connection that is lost ends the flow of notifications with its error`() = bounded {
        val client = connected(small())
        val hearing = async(start = CoroutineStart.UNDISPATCHED) { runCatching { client.notifications.collect {} } }
        client.notification(CustomNotification("acme/end"))
        val lost = soon { hearing.await() }.exceptionOrNull()
        assertInstanceOf(McpException::class.java, lost)
        assertSame(soon { client.session.awaitClose() }, lost)
        client.close()
        noChildren()
    }

    @Test
    fun `a handshake that fails ends the transport of the program's`() = bounded {
        val (here, there) = LinkedTransport.pair()
        var closed = false
        there.onClose { closed = true }
        there.onMessage { asked ->
            val error = objectOf("code" to -32600, "message" to "no")
            asked.json.obj()["id"]?.let { there.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "id" to it, "error" to error))) }
        }
        assertInstanceOf(McpException::class.java, runCatching { connected(here) }.exceptionOrNull())
        assertTrue(closed)
    }

    @Test
    fun `a closed server takes nobody`() = bounded {
        val server = usualServer()
        val client = connected(InMemoryTransport(server))
        server.close()
        val tries = listOf<suspend () -> Unit>(
            { server.connect(LinkedTransport.pair().first) },
            { server.createSession(StdioServerTransport()) },
            { server.serveHttp() },
            { connected(InMemoryTransport(server)) },
        )
        for (attempt in tries) {
            val refused = soon { runCatching { attempt() } }.exceptionOrNull()
            assertInstanceOf(McpUsageException::class.java, refused)
            assertTrue("closed" in refused!!.message!!, refused.message)
        }
        assertEquals(0, server.host.driver.open)
        client.close()
    }

    @Test
    fun `a server that is closed in a cancelled coroutine is closed`() = bounded {
        val server = usualServer()
        val url = server.serveHttp().url
        val gone = CompletableDeferred<Unit>()
        server.onClose { gone.complete(Unit) }
        cancelledAndThen { server.close() }
        val refused = soon { runCatching { connected(StreamableHttpClientTransport(url)) } }.exceptionOrNull()
        assertInstanceOf(McpTransportException::class.java, refused)
        assertTrue(gone.isCompleted)
    }

    @Test
    fun `an address where nobody listens is said to refuse connections, however soon it does`() = bounded {
        repeat(20) {
            val refused = soon { runCatching { connected(SseClientTransport("http://127.0.0.1:9/sse")) } }.exceptionOrNull()
            assertInstanceOf(McpTransportException::class.java, refused)
        }
    }

    @Test
    fun `a client that is closed in a cancelled coroutine ends the transport of the program's`() = bounded {
        val server = usualServer()
        val (here, there) = LinkedTransport.pair()
        server.createSession(there)
        var closed = false
        val watched = object : Transport by here {
            override suspend fun close() {
                yield()
                here.close()
                closed = true
            }
        }
        val client = connected(watched)
        cancelledAndThen { client.close() }
        assertTrue(closed)
        assertEquals(ClientSession.State.Closed, client.session.state.value)
        server.close()
    }

    @Test
    fun `a transport that gives up on a message by a time-out of its own is lost`() = bounded {
        val server = usualServer()
        val (here, there) = LinkedTransport.pair()
        server.createSession(there)
        var stuck = false
        val closed = CompletableDeferred<Unit>()
        val slow = object : Transport by here {
            override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?) {
                if (stuck) withTimeout(1.milliseconds) { awaitCancellation() }
                here.send(message, options)
            }

            override suspend fun close() {
                here.close()
                closed.complete(Unit)
            }
        }
        val client = connected(slow)
        stuck = true
        val lost = soon { runCatching { client.callTool("echo", mapOf("text" to "a")) } }.exceptionOrNull()
        assertInstanceOf(McpException::class.java, lost)
        assertTrue("Timed out" in "${soon { client.session.awaitClose() }?.message}", "$lost")
        assertEquals(ClientSession.State.Closed, client.session.state.value)
        // Nobody has to close it for that.
        soon { closed.await() }
        client.close()
        server.close()
    }

    @Test
    fun `a client that is closed sends what waits before its transport ends`() = bounded {
        val server = usualServer()
        val (here, there) = LinkedTransport.pair()
        server.createSession(there)
        val (sending, go) = CompletableDeferred<Unit>() to CompletableDeferred<Unit>()
        val done = CopyOnWriteArrayList<String>()
        val slow = object : Transport by here {
            override suspend fun send(message: JSONRPCMessage, options: TransportSendOptions?) {
                val method = message.json.obj().tag("method").orEmpty()
                if (method == "acme/1") {
                    sending.complete(Unit)
                    go.await()
                }
                done += method
                here.send(message, options)
            }

            override suspend fun close() {
                done += "closed"
                here.close()
            }
        }
        val client = connected(slow)
        for (number in 1..3) client.notification(CustomNotification("acme/$number"))
        soon { sending.await() }
        val closing = launch(start = CoroutineStart.UNDISPATCHED) { client.close() }
        go.complete(Unit)
        soon { closing.join() }
        client.close()
        assertEquals(listOf("acme/1", "acme/2", "acme/3", "closed"), done.filter { it == "closed" || it.startsWith("acme/") })
        server.close()
    }

    /** Asks a server that answers everything but the handshake with one result. */
    private suspend fun answered(result: JsonElement, ask: suspend (Client) -> Any?): Throwable? {
        val (here, there) = LinkedTransport.pair()
        val info = parse("""{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"odd","version":"1"}}""")
        there.onMessage { asked ->
            val request = asked.json.obj()
            val said = if (request.tag("method") == "initialize") info else result
            request["id"]?.let { there.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "id" to it, "result" to said))) }
        }
        val client = connected(here)
        return soon { runCatching { ask(client) } }.exceptionOrNull().also { client.close() }
    }

    @Test
    fun `a result without its shape is a fault of the server's`() = bounded {
        val asks = mapOf<String, suspend (Client) -> Any?>(
            """{"tools":5}""" to { it.listTools() },
            """{"tools":[{"name":5}]}""" to { it.listTools() },
            """{}""" to { it.listTools() },
            """{"content":"x"}""" to { it.callTool("t", emptyMap()).content },
            """{"content":[5]}""" to { it.callTool("t", emptyMap()).content },
            """{"messages":{}}""" to { it.getPrompt(GetPromptRequest(GetPromptRequestParams("p"))).messages },
            """{"contents":[{}]}""" to { it.readResource(ReadResourceRequest(ReadResourceRequestParams("a:b"))).contents.single().uri },
        )
        for ((result, ask) in asks) {
            val fault = answered(parse(result), ask)
            assertEquals("protocol", assertInstanceOf(McpProtocolException::class.java, fault, result).kind)
        }
        assertEquals("protocol", (answered(JsonPrimitive(5)) { it.listTools() } as McpException).kind)
    }

    @Test
    fun `a handler of initialized runs once before the first answer on both eras`() {
        for (era in ERAS) for (way in listOf("memory", "HTTP")) bounded {
            val (server, told) = usualServer() to AtomicInteger()
            server.setNotificationHandler<InitializedNotification>("notifications/initialized") {
                if (told.incrementAndGet() == 1) server.addTool("more", "Comes with the client") { text("more") }
                CompletableDeferred(Unit)
            }
            val client = connected(if (way == "memory") InMemoryTransport(server) else StreamableHttpClientTransport(server.serveHttp().url), era)
            // Only where there is no handshake does the first request wait for it.
            if (era == "legacy") soon { while (client.listTools().tools.last().name != "more") yield() }
            repeat(2) {
                assertEquals("more", client.listTools().tools.last().name, "$way, $era")
                assertEquals("more", client.callTool("more", emptyMap()).words)
            }
            assertEquals(1, told.get(), "$way, $era")
            client.close()
            server.close()
        }
    }
}
