package dev.mcpbolt

import dev.mcpbolt.engine.EngineDelivery
import dev.mcpbolt.engine.EngineInbox
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.seconds

// The driver: one inbox and what waits on it. Owns: taking items, running the code that answers
// each request, handing back what is finished. Must not know: servers or clients; what they do with
// an item is up to the Peer.

private const val MAX_ITEMS = 256u
private const val MAX_BYTES = 1_048_576u

/** A request that is being answered. */
internal class Incoming(item: JsonArray, context: CoroutineContext) {
    val number: ULong = item.number(1)
    val connection: ULong = item.number(2)
    val origin: ULong = item.number(3)
    val method: Method = Method.of(item[4].text())
    val params: JsonObject? = item[6] as? JsonObject
    /** The problems in the arguments of a tool call, if there are any. */
    val invalid: JsonArray? = item[7] as? JsonArray

    // One at a time, so that all questions of a handler are known before they are sent.
    @OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
    val context: CoroutineContext =
        context + (context[ContinuationInterceptor] as? CoroutineDispatcher ?: Dispatchers.Default).limitedParallelism(1)
}

internal fun JsonArray.number(at: Int): ULong = this[at].primitive().content.toULong()

/** The outcome of a request; [about] names the request in error messages. */
private class Done(val number: ULong, val outcome: JsonObject, val about: String)

/** What stands behind the connections of an inbox: a server or a client. */
internal interface Peer {
    /** Answers a request; returns the result object. */
    suspend fun answer(call: Incoming): JsonObject

    /** Handles a notification. Must not wait. */
    fun notified(connection: ULong, origin: ULong, method: String, params: JsonObject?)

    /** Handles any other item of a connection. Must not wait. */
    fun event(kind: String, item: JsonArray)

    /** Reports that a function of the program failed outside of a request. Must not wait. */
    fun failed(error: Throwable)

    /** Begins to carry a request of the engine's by an HTTP client of the program's. Must not wait. */
    fun carry(number: ULong, request: JsonObject): Unit = throw failure("usage", "no HTTP client carries requests here")

    /** Answers a service that the engine calls. */
    suspend fun serve(service: String, payload: JsonElement): JsonElement =
        throw failure("store", "there is no service $service")
}

/** Finds a number that JSON cannot represent; kotlinx would write it unchanged. */
private fun notFinite(value: JsonElement, place: String): String? = when (value) {
    is JsonObject -> value.entries.firstNotNullOfOrNull { (name, part) -> notFinite(part, if (place.isEmpty()) name else "$place.$name") }
    is JsonArray -> value.withIndex().firstNotNullOfOrNull { (at, part) -> notFinite(part, "$place[$at]") }
    is JsonPrimitive ->
        if (value.isString || value.content !in NOT_FINITE) null else "$place is ${value.content}: JSON has no such number; use null or text in its place"
}

private val NOT_FINITE = setOf("NaN", "Infinity", "-Infinity")

/**
 * A dispatcher on which nothing can run one at a time, as `Dispatchers.Unconfined`, is left out: it would run
 * handlers where items are taken, and hold up all others.
 */
@OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
private fun CoroutineContext.confined(): CoroutineContext = try {
    (this[ContinuationInterceptor] as? CoroutineDispatcher)?.limitedParallelism(1)
    this
} catch (@Suppress("SwallowedException") unlimited: UnsupportedOperationException) {
    minusKey(ContinuationInterceptor)
}

internal class Driver(private val peer: Peer, chosen: CoroutineContext, val observer: Observer? = null) {
    val inbox = EngineInbox()
    private val calls = Boundary.way.to(inbox)
    private val context = chosen.confined()

    /** Where the program's handlers run: below its job, if [context] has one, so that it ends all of them. */
    val handlers = CoroutineScope(Dispatchers.Default + context + SupervisorJob(context[Job]))

    /** Where all else runs, such as the last messages and what the engine asks, which a job of the program's must not end. */
    val scope = CoroutineScope(Dispatchers.Default + context + SupervisorJob())
    private val lock = Any()
    private var over = false
    private val waiting = ConcurrentHashMap<ULong, Replies>()
    private val writable = ConcurrentHashMap<ULong, CompletableDeferred<Unit>>()
    private val running = ConcurrentHashMap<ULong, Job>()
    private val asks = ConcurrentHashMap.newKeySet<Job>()
    private val followed = ConcurrentHashMap<ULong, (JsonArray?) -> Unit>()
    private val done = ConcurrentLinkedQueue<Done>()
    private val flushing = AtomicBoolean()

    /** The number of items that were taken or queued and are not handled yet. */
    val busy = AtomicInteger()

    init {
        calls.follow(::drain, ::end)
    }

    /** Runs after the current drain. */
    fun later(body: () -> Unit) {
        busy.incrementAndGet()
        CoroutineScope(loop).launch {
            body()
            busy.decrementAndGet()
        }
    }

    /** Ends everything that waits, and all later requests, because the inbox is closed. */
    private fun end() {
        val gone = failure("closed", CLOSED)
        synchronized(lock) {
            over = true
            waiting.values.forEach { it.end(gone) }
            writable.values.forEach { it.completeExceptionally(gone) }
            followed.values.forEach { it(null) }
        }
        scope.cancel()
        // The program's job waits for it.
        handlers.cancel()
    }

    /** Makes what the inbox is for. If that fails, it is closed, because nobody else will. */
    @Suppress("TooGenericExceptionCaught")
    fun <T> serving(make: () -> T): T = try {
        make()
    } catch (thrown: Throwable) {
        close()
        throw thrown
    }

    /** Looks up what requests have registered as they began; those that are beginning are waited for. */
    fun <T> begun(look: () -> T): T = synchronized(lock, look)

    /** Reports that a function of the program failed outside of a request. */
    fun failed(error: Throwable): Unit = peer.failed(error)

    /**
     * Has the engine begin an exchange over HTTP, or go on with one: `hear` is called with its items, and
     * with `null` once there are no more because the inbox is closed. Must not wait.
     *
     * @param begin returns the exchange's number.
     */
    fun follow(hear: (JsonArray?) -> Unit, begin: () -> ULong): ULong = synchronized(lock) {
        // Under the lock, so that no item is taken before it is known whose it is.
        if (over) throw failure("closed", CLOSED)
        refused(begin).also { followed[it] = hear }
    }

    /** The exchange is over. */
    fun unfollow(number: ULong) {
        followed.remove(number)
    }

    /** What is open, for tests: running calls, requests, waiting senders, exchanges. */
    val open: Int get() = running.size + waiting.size + writable.size + followed.size

    /** Whether nothing waits on this side, for tests. What is being handed back has left `done` and is not sent yet. */
    val isIdle: Boolean get() = busy.get() == 0 && done.isEmpty() && !flushing.get()

    // Items

    private fun drain() {
        do {
            busy.incrementAndGet()
            val items = calls.take(MAX_ITEMS, MAX_BYTES)?.let { parse(it).array() }.orEmpty()
            for (item in items) runCatching { one(item.array()) }.onFailure { runCatching { peer.failed(it) } }
            busy.decrementAndGet()
        } while (items.isNotEmpty())
    }

    private fun one(item: JsonArray) {
        when (val kind = item[0].text()) {
            "request" -> start(item)
            "notification" -> peer.notified(item.number(1), item.number(2), item[3].text(), item[4] as? JsonObject)
            "response", "progress", "sent" -> synchronized(lock) { waiting[item.number(1)] }?.put(item)
            "writable" -> wakeSenders(item.number(1))
            "cancel" -> running[item.number(1)]?.cancel(CancellationException("the request was cancelled"))
            "http_head", "http_chunk", "http_closed" -> synchronized(lock) { followed[item.number(1)] }?.invoke(item)
            "ask" -> asked(item.number(1), item[2].text(), item[3])
            "cause_closed" -> Unit
            else -> {
                // A closed connection never becomes writable.
                if (kind == "closed") wakeSenders(item.number(1))
                peer.event(kind, item)
            }
        }
    }

    /** Begins to answer a service that the engine calls. */
    private fun asked(number: ULong, service: String, payload: JsonElement) {
        if (service == CARRIED) return peer.carry(number, payload.obj())
        val job = run(scope, number, scope.coroutineContext, service) { objectOf("result" to peer.serve(service, payload)) }
        asks += job
        job.invokeOnCompletion { asks -= job }
    }

    /** Wakes those that wait for room. */
    private fun wakeSenders(target: ULong) {
        synchronized(lock) { writable.remove(target) }?.complete(Unit)
    }

    private fun start(item: JsonArray) {
        val call = Incoming(item, handlers.coroutineContext)
        val about = if (call.method == Method.Defined.ToolsCall) "the tool ${item[5].text()}" else call.method.value
        run(handlers, call.number, call.context, about) { objectOf("result" to answered(call)) }
    }

    private suspend fun answered(call: Incoming): JsonObject {
        val known = observer?.let { inbox.describe(call.number) } ?: return peer.answer(call)
        return observer.handling(call.method.value, call.params, parse(known).obj()) { peer.answer(call) }
    }

    /** Runs the answer to a call. However that ends, even if it never starts, the call is completed. */
    private fun run(where: CoroutineScope, number: ULong, context: CoroutineContext, about: String, answer: suspend () -> JsonObject): Job {
        var outcome: JsonObject? = null
        val job = where.launch(context, CoroutineStart.LAZY) {
            outcome = try {
                answer()
            } catch (asked: Questions) {
                objectOf("input" to asked.row)
            } catch (@Suppress("TooGenericExceptionCaught") thrown: Throwable) {
                if (isOver(thrown)) throw thrown
                objectOf("error" to answerTo(thrown))
            }
        }
        running[number] = job
        job.invokeOnCompletion {
            running.remove(number)
            wakeSenders(number)
            val cancelled = objectOf("kind" to "cancelled", "code" to INTERNAL, "message" to "the handler gave up")
            finish(Done(number, outcome ?: objectOf("error" to cancelled), about))
        }
        return job.apply { start() }
    }

    // Handing back

    /** Hands back an outcome. While one thread does so, others only add to the queue. */
    private fun finish(ended: Done) {
        done.add(ended)
        while (done.isNotEmpty() && flushing.compareAndSet(false, true)) {
            try {
                complete(generateSequence { done.poll() }.toList())
            } finally {
                flushing.set(false)
            }
        }
    }

    private fun complete(rows: List<Done>) {
        val texts = rows.map { """{"id":${it.number},${it.outcome.toString().drop(1)}""" }
        if (texts.isEmpty() || runCatching { calls.complete(texts.joinToString(",", "[", "]")) }.isSuccess) return
        // Each alone, so that a result that cannot be sent fails only its own call.
        for ((at, text) in texts.withIndex()) {
            if (runCatching { calls.complete("[$text]") }.isSuccess) continue
            val wrong = (rows[at].outcome["result"] as? JsonObject)?.let { notFinite(it, "") }
            val words = "${rows[at].about} has no result: ${wrong ?: "it is no JSON value that can be sent"}"
            // With a reason the message is shown to the client even if errors are masked.
            val data = wrong?.let { objectOf("reason" to "not_finite") }
            val error = objectOf("kind" to "internal", "code" to INTERNAL, "message" to words, "data" to data)
            runCatching { calls.complete("""[{"id":${rows[at].number},"error":$error}]""") }
        }
    }

    // Sending

    /** Sends a notification, waiting while the peer's queue is full. Returns `false` if the peer is gone. */
    suspend fun send(target: ULong, method: String, params: JsonObject?): Boolean {
        while (true) {
            val room = synchronized(lock) {
                when (refused { calls.send(target, method, params?.toString()) }) {
                    EngineDelivery.SENT -> return true
                    EngineDelivery.GONE -> return false
                    EngineDelivery.FULL -> writable.getOrPut(target) { CompletableDeferred() }
                }
            }
            room.await()
        }
    }

    /** Sends a request of the program's as [request] does, with a span around it if there is telemetry; [revision] is asked only then. */
    suspend fun observed(
        target: ULong,
        method: String,
        params: JsonObject?,
        options: RequestOptions?,
        revision: () -> String?,
        plan: JsonObject? = options?.plan,
        asked: (ULong) -> Unit = {},
    ): JsonObject {
        if (observer == null) return request(target, method, params, plan, options?.report, asked = asked)
        val telling = JsonObject(plan.orEmpty() + objectOf("sent" to true))
        return observer.sending(method, params, revision()) { carrying, sentAs -> request(target, method, carrying, telling, options?.report, sentAs, asked) }
    }

    /**
     * Sends a request to the peer and returns the result. Cancelling the coroutine cancels the request.
     *
     * @param asked is given its number before anything of it is handled; see [begun]. Must not wait.
     */
    suspend fun request(
        target: ULong,
        method: String,
        params: JsonObject?,
        plan: JsonObject? = null,
        onProgress: (suspend (JsonObject) -> Unit)? = null,
        sentAs: (String) -> Unit = {},
        asked: (ULong) -> Unit = {},
    ): JsonObject = await(onProgress, sentAs, asked) { calls.request(target, method, params?.toString(), plan?.toString()) }

    /** Waits for the answer to the request whose number `begin` returns. */
    suspend fun await(
        onProgress: (suspend (JsonObject) -> Unit)? = null,
        sentAs: (String) -> Unit = {},
        asked: (ULong) -> Unit = {},
        begin: () -> ULong,
    ): JsonObject {
        val replies = Replies()
        val number = synchronized(lock) {
            if (over) throw failure("closed", CLOSED)
            refused(begin).also {
                waiting[it] = replies
                asked(it)
            }
        }
        try {
            return replies.result(onProgress, sentAs)
        } catch (@Suppress("TooGenericExceptionCaught") thrown: Throwable) {
            inbox.cancel(number)
            throw thrown
        } finally {
            waiting.remove(number)
        }
    }

    /**
     * Waits, within a bounded time, for what the engine asked before its end, such as to store the
     * last audit records.
     */
    suspend fun settle() {
        withContext(loop) { drain() }
        withTimeoutOrNull(1.seconds) { asks.joinAll() }
    }

    /** Closes the inbox and everything open. */
    fun close() {
        inbox.shutdown()
        running.values.forEach { it.cancel(CancellationException(CLOSED)) }
    }

    companion object {
        private const val CLOSED = "the connection is closed"
        private const val CARRIED = "client.fetch"

        private val loop = Boundary.way.loop
    }
}
