package dev.mcpbolt

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Test
import kotlin.time.Duration.Companion.milliseconds

private const val NOTE = "note://1"
private const val SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

/** A modern server of a few lines, which leaves it to the test what becomes of a subscription. */
private class Agreeing {
    private val ends = LinkedTransport.pair()
    private val there = ends.second

    /** The client's end. */
    val here: LinkedTransport = ends.first

    /** The requests to listen, as they came. */
    val asked = Channel<JsonObject>(Channel.UNLIMITED)

    /** The ids of the requests that the client has given up. */
    val cancelled = Channel<JsonElement>(Channel.UNLIMITED)

    init {
        there.onMessage { message ->
            val said = message.json.obj()
            when (said.tag("method")) {
                "server/discover" -> answer(said, "result", DISCOVERED)
                "subscriptions/listen" -> asked.send(said)
                "notifications/cancelled" -> cancelled.send(said.need("params").obj().need("requestId"))
            }
        }
    }

    suspend fun answer(request: JsonObject, member: String, said: JsonElement) =
        there.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "id" to request.need("id"), member to said)))

    /** The server ends a subscription in good order. */
    suspend fun end(request: JsonObject) = answer(request, "result", objectOf("resultType" to "complete"))

    suspend fun refuse(request: JsonObject) = answer(request, "error", objectOf("code" to -7, "message" to "not that"))

    suspend fun agree(request: JsonObject) = tell("subscriptions/acknowledged", request, "notifications" to request.need("params").obj().need("notifications"))

    suspend fun changed(request: JsonObject) = tell("resources/updated", request, "uri" to NOTE)

    private suspend fun tell(what: String, request: JsonObject, member: Pair<String, Any?>) {
        val params = objectOf(member, "_meta" to objectOf(SUBSCRIPTION to request.need("id")))
        there.send(JSONRPCMessage(objectOf("jsonrpc" to "2.0", "method" to "notifications/$what", "params" to params)))
    }

    private companion object {
        val DISCOVERED = objectOf(
            "resultType" to "complete",
            "supportedVersions" to listOf(MODERN),
            "capabilities" to objectOf("resources" to objectOf("subscribe" to true)),
            "ttlMs" to 0,
            "cacheScope" to "private",
        )
    }
}

/** Subscriptions to resources in the modern era, each of which is a stream that a server has to agree to. */
class SubscriptionsTest {
    private fun within(body: suspend CoroutineScope.(Agreeing, Client) -> Unit): Unit = bounded {
        val server = Agreeing()
        val client = connected(server.here, MODERN)
        body(server, client)
        client.close()
    }

    private suspend fun Client.watch(options: RequestOptions? = null) = subscribeResource(SubscribeRequest(SubscribeRequestParams(NOTE)), options)

    private suspend fun Client.unwatch() = unsubscribeResource(UnsubscribeRequest(UnsubscribeRequestParams(NOTE)))

    private fun CoroutineScope.watching(client: Client): Deferred<Result<EmptyResult>> =
        async(start = CoroutineStart.UNDISPATCHED) { runCatching { client.watch() } }

    private suspend fun Agreeing.next() = soon { asked.receive() }

    private suspend fun Agreeing.gaveUp() = soon { cancelled.receive() }

    @Test
    fun `a server that never agrees is waited for as long as the request says`() = within { server, client ->
        val late = runCatching { soon { client.watch(RequestOptions(timeout = 50.milliseconds)) } }.exceptionOrNull()
        assertInstanceOf(McpTimeoutException::class.java, late)
        assertEquals(server.next()["id"], server.gaveUp())
    }

    @Test
    fun `who waits for a server to agree learns that it never will`() {
        val ends = mapOf<String, suspend (Agreeing, Client, JsonObject) -> Unit>(
            "the client is closed" to { _, client, _ -> client.close() },
            "the connection is lost" to { server, _, _ -> server.here.close() },
            "it is given up" to { _, client, _ -> client.unwatch() },
            "the server ends it" to { server, _, request -> server.end(request) },
        )
        for ((how, end) in ends) within { server, client ->
            val waiting = watching(client)
            end(server, client, server.next())
            assertInstanceOf(McpClosedException::class.java, soon { waiting.await() }.exceptionOrNull(), how)
        }
        within { server, client ->
            val waiting = watching(client)
            server.refuse(server.next())
            assertEquals(-7, (soon { waiting.await() }.exceptionOrNull() as McpException).code)
        }
    }

    @Test
    fun `a caller that gives up keeps no subscription at the server`() = within { server, client ->
        val waiting = watching(client)
        val request = server.next()
        soon { waiting.cancelAndJoin() }
        assertEquals(request["id"], server.gaveUp())
        val again = watching(client)
        server.agree(server.next())
        soon { again.await() }.getOrThrow()
    }

    @Test
    fun `a second subscription to a resource takes the place of the first once it is agreed to`() = within { server, client ->
        val first = watching(client)
        val one = server.next()
        val second = watching(client)
        val two = server.next()
        server.agree(two)
        soon { second.await() }.getOrThrow()
        // The resource is watched, which is what it asked for.
        soon { first.await() }.getOrThrow()
        assertEquals(one["id"], server.gaveUp())
        val heard = async(start = CoroutineStart.UNDISPATCHED) { client.notifications.first() }
        server.changed(two)
        assertInstanceOf(ResourceUpdatedNotification::class.java, soon { heard.await() })
    }

    @Test
    fun `a second subscription that is refused leaves the first as it was`() = within { server, client ->
        val first = watching(client)
        val one = server.next()
        server.agree(one)
        soon { first.await() }.getOrThrow()
        val second = watching(client)
        server.refuse(server.next())
        assertEquals(-7, (soon { second.await() }.exceptionOrNull() as McpException).code)
        client.unwatch()
        assertEquals(one["id"], server.gaveUp())
    }

    @Test
    fun `a subscription that ends is asked for again and then the resource counts as changed`() = within { server, client ->
        val waiting = watching(client)
        var request = server.next()
        server.agree(request)
        soon { waiting.await() }.getOrThrow()
        for (end in listOf<suspend Agreeing.(JsonObject) -> Unit>({ end(it) }, { refuse(it) })) {
            val heard = async(start = CoroutineStart.UNDISPATCHED) { client.notifications.first { it is ResourceUpdatedNotification } }
            end(server, request)
            request = server.next()
            server.agree(request)
            soon { heard.await() }
        }
    }

    @Test
    fun `what comes before the server ends a subscription is told`() = within { server, client ->
        val listening = async(start = CoroutineStart.UNDISPATCHED) {
            client.session.listen(SubscriptionFilter(resourceSubscriptions = listOf(NOTE))).toList()
        }
        val request = server.next()
        server.agree(request)
        server.changed(request)
        server.end(request)
        val told = soon { listening.await() }.map { it.method }
        assertEquals(listOf<Method>(Method.Defined.NotificationsSubscriptionsAcknowledged, Method.Defined.NotificationsResourcesUpdated), told)
    }

    @Test
    fun `a server that agrees at once is heard`() {
        val server = usualServer()
        server.addResource(NOTE, "one", "A note") { ReadResourceResult(listOf(TextResourceContents("first", it.uri))) }
        together(server, MODERN) { client ->
            repeat(300) {
                soon { client.watch() }
                client.unwatch()
            }
        }
    }
}
