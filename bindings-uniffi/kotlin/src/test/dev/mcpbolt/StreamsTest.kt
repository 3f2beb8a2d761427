package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.io.Sink
import kotlinx.io.Source
import kotlinx.io.asSink
import kotlinx.io.asSource
import kotlinx.io.buffered
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.nio.channels.Channels
import java.nio.channels.Pipe
import java.util.concurrent.CopyOnWriteArrayList

/** What is written into one end comes out of the other. */
internal class Tube {
    private val pipe = Pipe.open()
    val source: Source = Channels.newInputStream(pipe.source()).asSource().buffered()
    val sink: Sink = Channels.newOutputStream(pipe.sink()).asSink().buffered()
}

/** A connection over streams of `kotlinx-io`: the server's end, and the client's. */
internal suspend fun streams(server: Server, protocol: String = "legacy", prepare: (Client) -> Unit = {}): Pair<ServerSession, Client> {
    val (there, back) = Tube() to Tube()
    val session = server.createSession(StdioServerTransport(there.source, back.sink))
    return session to connected(StdioClientTransport(input = back.source, output = there.sink), protocol, prepare)
}

/** Stdio over streams that the program has opened. */
class StreamsTest {
    @Test
    fun `a client and a server speak over streams on both eras`() {
        for (era in ERAS) bounded {
            val server = usualServer()
            val (session, client) = streams(server, era)
            assertEquals("hi\nthere", client.callTool("echo", mapOf("text" to "hi\nthere")).words)
            assertEquals(era == MODERN, client.session.about.era == Era.Modern)
            assertTrue(client.transport is StdioClientTransport)
            assertSame(client.transport, client.session.transport)
            assertTrue(session.transport is StdioServerTransport)
            client.close()
            session.awaitClose()
            assertNull(server.sessions[session.sessionId])
            server.close()
        }
    }

    @Test
    fun `the end of the server's output ends the client's connection`() {
        bounded {
            val server = usualServer()
            val (_, client) = streams(server)
            server.close()
            client.session.awaitClose()
            assertEquals(ClientSession.State.Closed, client.session.state.value)
        }
    }

    @Test
    fun `what a server complains of is read, and may end the connection`() {
        bounded {
            val (there, back, complaints) = Triple(Tube(), Tube(), Tube())
            val server = usualServer()
            server.createSession(StdioServerTransport(there.source, back.sink))
            val transport = StdioClientTransport(back.source, there.sink, complaints.source) { line ->
                when (line.substringBefore(':')) {
                    "warning" -> StdioClientTransport.StderrSeverity.WARNING
                    "fatal" -> StdioClientTransport.StderrSeverity.FATAL
                    else -> StdioClientTransport.StderrSeverity.INFO
                }
            }
            val told = CopyOnWriteArrayList<String?>()
            transport.onError { told += it.message }
            val client = connected(transport)
            val bytes = "note: a\nwarning: b\nfatal: c\nnote: d".encodeToByteArray()
            complaints.sink.write(bytes, 0, bytes.size)
            complaints.sink.flush()
            client.session.awaitClose()
            assertEquals(listOf<String?>("warning: b", "fatal: c"), told.toList())
            server.close()
        }
    }

    @Test
    fun `a line that is too long is passed over`() {
        bounded {
            val input = ("x".repeat(200) + "\n\n{\"a\":1}\r\n{\"b\":2}").byteInputStream()
            val transport = LineTransport(input, java.io.ByteArrayOutputStream(), longest = 100)
            val (messages, errors) = CopyOnWriteArrayList<String>() to CopyOnWriteArrayList<String?>()
            val over = CompletableDeferred<Unit>()
            transport.onMessage { messages += it.text }
            transport.onError { errors += it.message }
            transport.onClose { over.complete(Unit) }
            transport.start()
            over.await()
            assertEquals(listOf("{\"a\":1}", "{\"b\":2}"), messages.toList())
            assertEquals(listOf<String?>("a line of more than 100 bytes was passed over"), errors.toList())
            val again = runCatching { transport.start() }.exceptionOrNull()
            assertTrue(again is McpUsageException, "$again")
        }
    }

    @Test
    fun `a transport that the engine carries says where it belongs`() {
        bounded {
            val refused = runCatching { StdioServerTransport().start() }.exceptionOrNull()
            assertTrue("give this transport to connect or createSession" in refused?.message.orEmpty(), "$refused")
        }
    }
}
