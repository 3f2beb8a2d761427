package dev.mcpbolt

import io.ktor.http.HttpMethod
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.request.header
import io.ktor.server.request.httpMethod
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.ConcurrentHashMap
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource

// One endpoint of an application. Owns: which server a request belongs to, how many sessions there are, and
// how long a server lives that was made for one. Must not know: how an exchange is carried, what it says.

/** A server at an endpoint. [own]: it was made for what it serves here, and is closed after that. */
internal class Seat(val server: Server, val own: Boolean, val mount: HttpMount) {
    /** How many exchanges go on. */
    var busy = 0

    /** The sessions that it has here. */
    val ids = HashSet<String>()
}

private class Session(val seat: Seat, val principal: String?) {
    var busy = 0
    var used = TimeSource.Monotonic.markNow()
}

internal class Endpoint(private val terms: Terms, private val application: Application) {
    private val lock = Any()
    private var over = false
    private val seats = HashMap<Server, Seat>()
    private val sessions = HashMap<String, Session>()

    /** How many requests may become sessions. */
    private var beginning = 0

    /** Says what there is to say of requests that belong to no server. */
    private val nobody = lazy { Server(Implementation("nobody", "0"), ServerOptions(ServerCapabilities())) }

    /** Servers that are being closed. */
    private val ending = ConcurrentHashMap.newKeySet<Job>()

    init {
        if (terms.kind == Terms.Kind.Sessions) {
            application.launch {
                while (isActive) {
                    delay((terms.idle / 2).coerceIn(SWEEP))
                    sweep()
                }
            }
        }
    }

    /** Answers a call; [make] returns the server of one that belongs to no session yet. */
    suspend fun serve(call: ApplicationCall, make: () -> Server) {
        if (synchronized(lock) { over }) return call.refuse(HttpStatusCode.ServiceUnavailable, "the server is being stopped")
        val id = idOf(call)
        val begins = begins(call, id)
        if (begins && !reserve()) return call.refuse(HttpStatusCode.ServiceUnavailable, "too many sessions are open")
        val visit = try {
            visit(call, id, begins, make)
        } catch (@Suppress("TooGenericExceptionCaught") failed: Throwable) {
            if (begins) synchronized(lock) { beginning-- }
            throw failed
        }
        try {
            val principal = terms.principal(call)
            KtorExchange(call, terms, principal).carry(visit.seat.mount) { status, given -> learn(visit, id, principal, status, given, call) }
        } finally {
            leave(visit)
        }
    }

    /** One exchange at a seat, of a session if there is one. */
    private class Visit(val seat: Seat, val session: Session?, val counts: Boolean, var begins: Boolean) {
        /** The session that it began. */
        var begun: String? = null
    }

    private fun idOf(call: ApplicationCall): String? = when (terms.kind) {
        Terms.Kind.Sessions -> call.request.header(SESSION)
        Terms.Kind.Stateless -> null
        Terms.Kind.Events -> if (call.request.httpMethod == HttpMethod.Post) call.request.queryParameters[QUERY].orEmpty() else null
    }

    /** Whether it may begin a session: who has one, or needs none, names the revision. */
    private fun begins(call: ApplicationCall, id: String?): Boolean = when (terms.kind) {
        Terms.Kind.Sessions -> isServed(call) && call.request.header(REVISION) == null && synchronized(lock) { id !in sessions }
        Terms.Kind.Stateless -> false
        Terms.Kind.Events -> isServed(call)
    }

    /** Whether it is for a server, even if it belongs to no session. */
    private fun isServed(call: ApplicationCall): Boolean =
        call.request.httpMethod == if (terms.kind == Terms.Kind.Events) HttpMethod.Get else HttpMethod.Post

    private fun reserve(): Boolean {
        if (synchronized(lock) { sessions.size + beginning >= terms.mostSessions }) forgetEnded()
        return synchronized(lock) {
            val room = !over && sessions.size + beginning < terms.mostSessions
            if (room) beginning++
            room
        }
    }

    private fun visit(call: ApplicationCall, id: String?, begins: Boolean, make: () -> Server): Visit {
        val reads = call.request.httpMethod == HttpMethod.Get
        synchronized(lock) {
            val session = sessions[id]
            if (session != null) {
                session.seat.busy++
                // A stream that is open is no use of a session.
                if (!reads) session.busy++
                return Visit(session.seat, session, !reads, begins)
            }
        }
        val (server, own) = if (isServed(call)) Births.of(make) else nobody.value to false
        return synchronized(lock) {
            if (over) throw failure("closed", "the application is being stopped")
            val seat = seats.getOrPut(server) { Seat(server, own, server.host.mount(terms.http, terms.eventStore)) }
            seat.busy++
            Visit(seat, null, false, begins)
        }
    }

    /** What an answer tells of its session. */
    private fun learn(visit: Visit, id: String?, principal: String?, status: Int, given: String?, call: ApplicationCall): Unit = synchronized(lock) {
        if (given != null && visit.session == null && visit.begun == null && status < REDIRECTED) {
            visit.begun = given
            release(visit)
            visit.seat.ids.add(given)
            sessions[given] = Session(visit.seat, principal)
        }
        // What others get for a session is 404, too.
        val gone = status == HttpStatusCode.NotFound.value && visit.session?.principal == principal
        val ended = gone || (call.request.httpMethod == HttpMethod.Delete && status < REDIRECTED)
        if (visit.session != null && id != null && ended) forget(id)
    }

    /** What was reserved for it is used, or not needed. Under the lock. */
    private fun release(visit: Visit) {
        if (visit.begins) beginning--
        visit.begins = false
    }

    private fun leave(visit: Visit) {
        val ended = synchronized(lock) {
            release(visit)
            visit.session?.let {
                if (visit.counts) it.busy--
                it.used = TimeSource.Monotonic.markNow()
            }
            // Over HTTP+SSE a session is as long as its stream.
            if (terms.kind == Terms.Kind.Events) visit.begun?.let(::forget)
            visit.seat.busy--
            finished(visit.seat)
        }
        ended?.let(::end)
    }

    private fun forget(id: String) {
        sessions.remove(id)?.seat?.ids?.remove(id)
    }

    /** The seat, if its server has nothing more to do. Under the lock. */
    private fun finished(seat: Seat): Seat? {
        if (!seat.own || seat.busy > 0 || seat.ids.isNotEmpty()) return null
        return seats.remove(seat.server)
    }

    private fun end(seat: Seat) {
        seat.mount.close()
        // Even if the application ends meanwhile.
        val job = CoroutineScope(Dispatchers.Default).launch { seat.server.close() }
        ending += job
        job.invokeOnCompletion { ending -= job }
    }

    // Sessions that nobody ends

    private suspend fun sweep() {
        val idle = synchronized(lock) { sessions.filterValues { it.busy == 0 && it.used.elapsedNow() > terms.idle }.toList() }
        for ((id, session) in idle) {
            runCatching { delete(id, session) }
            synchronized(lock) {
                forget(id)
                finished(session.seat)
            }?.let(::end)
        }
        forgetEnded()
    }

    /** Those that the engine has ended. */
    private fun forgetEnded() {
        val seen = synchronized(lock) { seats.values.filter { it.busy == 0 && it.ids.isNotEmpty() } }
        for (seat in seen) {
            synchronized(lock) {
                if (seat.busy > 0 || seat.mount.sessions > 0) return@synchronized null
                seat.ids.toList().forEach(::forget)
                finished(seat)
            }?.let(::end)
        }
    }

    private suspend fun delete(id: String, session: Session) {
        val head = objectOf("method" to "DELETE", "target" to Terms.PATH, "headers" to listOf(listOf(SESSION, id)), "principal" to session.principal)
        val exchange = session.seat.mount.begin(head, ByteArray(0))
        try {
            withTimeoutOrNull(LAST) { exchange.head() }
        } finally {
            exchange.leave()
        }
    }

    /** Ends all sessions; servers that were made for them are closed within a bounded time. */
    fun close() {
        val all = synchronized(lock) {
            if (over) return
            over = true
            sessions.clear()
            seats.values.toList().also { seats.clear() }
        }
        all.filterNot { it.own }.forEach { it.mount.close() }
        all.filter { it.own }.forEach(::end)
        if (nobody.isInitialized()) CoroutineScope(Dispatchers.Default).launch { nobody.value.close() }.let { ending += it }
        val last = ending.toList()
        if (last.isNotEmpty()) runBlocking { withTimeoutOrNull(LAST) { last.joinAll() } }
    }

    private companion object {
        const val SESSION = "Mcp-Session-Id"
        const val REVISION = "MCP-Protocol-Version"
        const val QUERY = "sessionId"
        const val REDIRECTED = 300
        val LAST: Duration = 5.seconds

        /** How often sessions are looked through. */
        val SWEEP = 10.milliseconds..5.seconds
    }
}
