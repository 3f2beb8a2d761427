package dev.mcpbolt

import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.time.Duration.Companion.seconds

// A connection by a transport of the program. Owns: that messages leave in order, and that input
// waits while the other side takes nothing. Must not know: what messages say.

/** How long a transport of the program's may take to close. */
private val CLOSING = 10.seconds

/** Closes a transport of the program's, whatever it throws, and does not wait for one that does not end. */
private suspend fun Transport.closeInTime() {
    withTimeoutOrNull(CLOSING) { runCatching { close() } }
}

/** Passes messages between a transport of the program and the engine. */
internal class Carry(
    private val transport: Transport,
    private val driver: Driver,
    private val feed: (ByteArray) -> List<String>,
    private val outgoing: () -> List<String>,
    private val lost: (String?) -> List<String>,
) {
    private val more = Channel<Unit>(Channel.CONFLATED) { driver.busy.decrementAndGet() }
    private val room = Channel<Unit>(Channel.CONFLATED)
    private val unsent = ArrayDeque<String>()

    @Volatile private var writer: Job? = null
    private val isClosing = AtomicBoolean()
    private val closed = Job()

    suspend fun start() {
        transport.onMessage(::take)
        transport.onClose { stop(null) }
        writer = driver.scope.launch { write() }
        transport.start()
    }

    /** Reports that messages wait to be sent. */
    fun signal() {
        driver.busy.incrementAndGet()
        if (!more.trySend(Unit).isSuccess) driver.busy.decrementAndGet()
    }

    /** Sends what there is, as [end] does, and closes the transport: once, and whoever comes later waits for that. */
    suspend fun close() {
        end()
        if (!isClosing.compareAndSet(false, true)) {
            withTimeoutOrNull(CLOSING) { closed.join() }
            return
        }
        try {
            transport.closeInTime()
        } finally {
            closed.complete()
        }
    }

    /** Sends what there is, for a second at most; then it carries no more. */
    suspend fun end() {
        // The last messages, unless the other side left first.
        synchronized(unsent) { unsent.addAll(runCatching { lost(null) }.getOrDefault(emptyList())) }
        signal()
        more.close()
        room.close()
        withTimeoutOrNull(LAST) { writer?.join() }
        writer?.cancel()
        more.cancel()
    }

    private suspend fun take(message: JSONRPCMessage) {
        val bytes = message.text.encodeToByteArray()
        val (any, many) = try {
            // Under the lock, so that messages the engine queues later are sent after these.
            synchronized(unsent) {
                val answers = refused { feed(bytes) }
                unsent.addAll(answers)
                answers.isNotEmpty() to (unsent.size > MAX_UNSENT)
            }
        } catch (@Suppress("SwallowedException") gone: McpException) {
            return
        }
        if (any) signal()
        // Input waits while the other side does not take answers.
        if (many) room.receiveCatching()
    }

    @Suppress("TooGenericExceptionCaught")
    private suspend fun write() {
        try {
            for (signal in more) {
                try {
                    // A connection that is over has nothing more, but what it said before is still sent.
                    val batch = synchronized(unsent) { (unsent + runCatching(outgoing).getOrDefault(emptyList())).also { unsent.clear() } }
                    for (text in batch) transport.send(JSONRPCMessage(text))
                    room.trySend(Unit)
                } finally {
                    driver.busy.decrementAndGet()
                }
            }
        } catch (thrown: Exception) {
            // A transport may have a time-out of its own; only what ends this coroutine is no loss.
            if (isOver(thrown)) throw thrown
            stop(thrown.message ?: thrown.javaClass.simpleName)
        }
    }

    private fun stop(reason: String?) {
        runCatching { lost(reason) }
    }

    private companion object {
        /** How many messages may wait for a transport before its input waits. */
        const val MAX_UNSENT = 10_000

        /** How long the last messages may take. */
        val LAST = 1.seconds
    }
}
