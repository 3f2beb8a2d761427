package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger

private const val MANY = 3000

/** What a program is told holds up nobody, and what it is too slow for is counted. */
class NotificationsTest {
    @Test
    fun `a callback that blocks holds up no server and no client`() {
        val gate = CountDownLatch(1)
        val stuck = List(4) { CompletableDeferred<Unit>() }
        val block = { at: Int ->
            stuck[at].complete(Unit)
            gate.await()
        }
        val server = usualServer()
        server.onSubscription { _, _ -> block(0) }
        server.onError = { _, _ -> block(1) }
        bounded {
            val client = connected(InMemoryTransport(server))
            val other = usualServer()
            val calm = connected(InMemoryTransport(other))
            val (here, there) = LinkedTransport.pair()
            server.createSession(there).onClose { block(2) }
            val odd = connected(here) { it.onError = { _, _ -> block(3) } }
            try {
                client.subscribeResource(SubscribeRequest(SubscribeRequestParams("note://1")))
                for (end in listOf(here, there)) end.send(JSONRPCMessage("nonsense"))
                for (one in listOf(0, 1, 3)) soon { stuck[one].await() }
                here.close()
                soon { stuck[2].await() }
                assertEquals("a", soon { client.callTool("echo", mapOf("text" to "a")).words })
                assertEquals("b", soon { calm.callTool("echo", mapOf("text" to "b")).words })
                server.addTool("late", "Comes late") { text("late") }
                assertEquals("late", soon { client.callTool("late", emptyMap()).words })
            } finally {
                gate.countDown()
            }
            for (one in listOf(client, calm, odd)) one.close()
            for (one in listOf(server, other)) one.close()
        }
    }

    @Test
    fun `one who collects slowly holds up no handler and no other`() {
        val server = usualServer()
        val handled = AtomicInteger()
        server.setNotificationHandler<Notification>("notifications/roots/list_changed") {
            handled.incrementAndGet()
            CompletableDeferred(Unit)
        }
        together(server) { client ->
            val slow = launch(start = CoroutineStart.UNDISPATCHED) { server.notifications.collect { awaitCancellation() } }
            repeat(3) {
                val quick = async(start = CoroutineStart.UNDISPATCHED) { server.notifications.first() }
                client.sendRootsListChanged()
                soon { quick.await() }
            }
            soon { while (handled.get() < 3) yield() }
            slow.cancel()
        }
    }

    @Test
    fun `a flow says what it dropped`() = bounded {
        val fan = Fan()
        val gate = CompletableDeferred<Unit>()
        val seen = CopyOnWriteArrayList<Notification>()
        val collecting = launch(Dispatchers.Default, CoroutineStart.UNDISPATCHED) {
            fan.flow.collect {
                seen += it
                gate.await()
            }
        }
        repeat(MANY) { fan.put(CustomNotification("acme/n", objectOf("n" to it))) }
        gate.complete(Unit)
        soon { while ((seen.lastOrNull() as? CustomNotification)?.params?.json?.get("n")?.long() != MANY - 1L) yield() }
        val lost = seen.filterIsInstance<LostNotification>().sumOf { it.count }
        assertTrue(lost > 0)
        assertEquals(MANY.toLong(), lost + seen.count { it is CustomNotification })
        collecting.cancel()
    }

    @Test
    fun `flows of notifications end with the session and with the server`() {
        for (era in ERAS) bounded {
            val server = usualServer()
            val ofServer = async(start = CoroutineStart.UNDISPATCHED) { server.notifications.toList() }
            val client = connected(InMemoryTransport(server), era)
            val ofClient = async(start = CoroutineStart.UNDISPATCHED) { client.notifications.toList() }
            client.close()
            soon { ofClient.await() }
            server.close()
            soon { ofServer.await() }
            // Who comes later finds the end, too.
            for (flow in listOf(client.notifications, server.notifications)) soon { flow.toList() }
        }
    }

    @Test
    fun `a handler that fails, or whose own work was cancelled, ends no other`() {
        val server = usualServer()
        val complaints = CopyOnWriteArrayList<String>()
        server.onError = { kind, message -> complaints += "$kind: $message" }
        val gone = CompletableDeferred<Unit>().apply { cancel() }
        val heard = CompletableDeferred<Unit>()
        server.setNotificationHandler<Notification>("acme/gone") { gone }
        server.setNotificationHandler<Notification>("acme/unwritten") { throw NotImplementedError("later") }
        server.setNotificationHandler<Notification>("acme/next") {
            heard.complete(Unit)
            heard
        }
        together(server) { client ->
            for (name in listOf("gone", "unwritten", "next")) client.notification(CustomNotification("acme/$name"))
            soon { heard.await() }
            soon { while (complaints.size < 2) yield() }
            assertEquals(listOf("handler", "handler"), complaints.map { it.substringBefore(':') })
        }
    }

    @Test
    fun `handlers that are too slow are told of`() {
        val server = usualServer()
        val complaints = CopyOnWriteArrayList<String>()
        server.onError = { kind, message -> complaints += "$kind: $message" }
        val gate = CompletableDeferred<Unit>()
        server.setNotificationHandler<Notification>("acme/n") { gate }
        together(server) { client ->
            repeat(MANY) { client.notification(CustomNotification("acme/n")) }
            client.callTool("echo", mapOf("text" to "they were taken"))
            gate.complete(Unit)
            soon { while (complaints.none { it.startsWith("lost: ") }) yield() }
        }
    }

    @Test
    fun `complaints that are left out are counted`() = bounded {
        val gate = CountDownLatch(1)
        val told = CopyOnWriteArrayList<String>()
        val complaints = Complaints(AtomicInteger()) { kind, message ->
            gate.await()
            told += "$kind $message"
        }
        repeat(MANY) { complaints.tell("odd", "$it") }
        gate.countDown()
        soon { while (told.size < 1024) yield() }
        complaints.tell("odd", "last")
        soon { while ("odd last" !in told) yield() }
        // Told once or twice: the first call may have begun while some were still being left out.
        val lost = told.filter { it.startsWith("lost") }.sumOf { it.filter(Char::isDigit).toInt() }
        assertTrue(lost > 0, "none was left out")
        assertEquals(MANY + 1, lost + told.count { it.startsWith("odd") })
    }

    @Test
    fun `who is too slow for subscriptions knows in the end who watches`() = bounded {
        val gate = CountDownLatch(1)
        val now = LinkedHashMap<String, Boolean>()
        val told = AtomicInteger()
        val watching = Watching(AtomicInteger(), {}) { uri, active ->
            gate.await()
            synchronized(now) { now[uri] = active }
            told.incrementAndGet()
        }
        repeat(MANY) { at -> for (active in listOf(true, false)) watching.put("note://$at", active) }
        watching.put("note://kept", true)
        gate.countDown()
        soon { while (synchronized(now) { now["note://kept"] } != true) yield() }
        assertEquals(listOf("note://kept"), synchronized(now) { now.filterValues { it }.keys.toList() })
        assertTrue(told.get() < MANY, "${told.get()}")
    }
}
