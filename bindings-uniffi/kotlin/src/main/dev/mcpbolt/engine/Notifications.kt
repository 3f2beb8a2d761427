package dev.mcpbolt

import kotlinx.coroutines.CompletableJob
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong

// What a program is told, through its callbacks and through flows. Owns: that a slow program never
// blocks anything else, that nothing grows without bound, and that a slow receiver learns how much
// it missed. Must not know: connections.

/** How much is stored for a receiver that is too slow. */
private const val MAX_KEPT = 1024

/**
 * Runs callbacks of the program one after the other, on threads that nothing else waits for, so
 * that they may block.
 */
internal class Lane(private val busy: AtomicInteger, private val failed: (Throwable) -> Unit) {
    @OptIn(kotlinx.coroutines.ExperimentalCoroutinesApi::class)
    private val scope = CoroutineScope(Dispatchers.IO.limitedParallelism(1))
    private val waiting = AtomicInteger()

    /** Whether so many callbacks wait that further ones should be dropped if possible. */
    val isFull: Boolean get() = waiting.get() >= MAX_KEPT

    @Suppress("TooGenericExceptionCaught")
    fun run(body: () -> Unit) {
        waiting.incrementAndGet()
        busy.incrementAndGet()
        scope.launch {
            try {
                body()
            } catch (thrown: Throwable) {
                failed(thrown)
            } finally {
                waiting.decrementAndGet()
                busy.decrementAndGet()
            }
        }
    }
}

/** Calls a program's `onError`. Messages it is too slow for are dropped, and it is told how many. */
internal class Complaints(busy: AtomicInteger, private val take: (kind: String, message: String) -> Unit) {
    // An error of the error callback cannot be reported anywhere.
    private val lane = Lane(busy) {}
    private val lost = AtomicLong()

    fun tell(kind: String, message: String) {
        if (lane.isFull) {
            lost.incrementAndGet()
            return
        }
        lane.run {
            val missing = lost.getAndSet(0)
            if (missing > 0) take("lost", "$missing messages were left out: onError is too slow for them")
            take(kind, message)
        }
    }
}

/** Tells a program which resources are watched. If it is too slow, pairs of a start and an end are left out. */
internal class Watching(busy: AtomicInteger, failed: (Throwable) -> Unit, private val tell: (uri: String, active: Boolean) -> Unit) {
    private val lane = Lane(busy, failed)
    private val news = ArrayDeque<Pair<String, Boolean>>()

    fun put(uri: String, active: Boolean) {
        synchronized(news) {
            val opposite = if (lane.isFull) news.indexOfLast { it == uri to !active } else -1
            if (opposite >= 0) {
                news.removeAt(opposite)
                return
            }
            news.addLast(uri to active)
        }
        lane.run {
            val next = synchronized(news) { news.removeFirstOrNull() }
            if (next != null) tell(next.first, next.second)
        }
    }
}

/**
 * In a flow of notifications: says how many were dropped before the next one, because the collector
 * is too slow.
 *
 * @property count the number of dropped notifications.
 */
public class LostNotification internal constructor(public val count: Long) : Notification(Method.Custom("mcpbolt/lost")) {
    override val params: HasJson? get() = null
}

/**
 * What one collector has not taken yet. Beyond the limit the oldest are dropped, and the collector
 * is told how many.
 */
internal class Kept {
    private val missing = AtomicLong()
    private val queue = Channel<Notification>(MAX_KEPT, BufferOverflow.DROP_OLDEST) { missing.incrementAndGet() }

    fun put(notification: Notification) {
        queue.trySend(notification)
    }

    /** Nothing more comes. What is here is still taken; then it ends, with [cause] if there is one. */
    fun end(cause: Throwable?) {
        queue.close(cause)
    }

    suspend fun each(take: suspend (Notification) -> Unit) {
        for (one in queue) {
            val lost = missing.getAndSet(0)
            if (lost > 0) take(LostNotification(lost))
            take(one)
        }
    }
}

/** A flow with any number of collectors, each at its own speed, until its [end]. */
internal class Fan {
    private val takers = CopyOnWriteArrayList<Kept>()

    /** What ends the queues of those who come after the end. */
    private var ended: ((Kept) -> Unit)? = null

    val flow: Flow<Notification> = flow {
        val mine = Kept()
        synchronized(takers) {
            takers += mine
            ended?.invoke(mine)
        }
        try {
            mine.each { emit(it) }
        } finally {
            takers -= mine
        }
    }

    fun put(notification: Notification): Unit = takers.forEach { it.put(notification) }

    /** Ends the flow for all, also for those who come later: with [cause] if there is one. Has an effect once. */
    fun end(cause: Throwable?) {
        synchronized(takers) {
            if (ended != null) return
            ended = { it.end(cause) }
            takers.forEach { it.end(cause) }
        }
    }
}

internal typealias NotificationHandler = suspend (Notification) -> Unit

/** In place of a method: the handler of those that have no other. */
internal const val FALLBACK = "?"

private class Arrived(val notification: Notification, val handled: CompletableJob?, val own: NotificationHandler?)

/** Notifications in order, for collectors and for handlers, which do not wait for each other. */
internal class Inbound(
    private val driver: Driver,
    private val handlers: ConcurrentHashMap<String, NotificationHandler>,
    private val fan: Fan,
    private val complain: (kind: String, message: String) -> Unit,
) {
    private val lost = AtomicLong()
    private val queue = Channel<Arrived>(MAX_KEPT, BufferOverflow.DROP_OLDEST) { dropped ->
        lost.incrementAndGet()
        done(dropped)
    }

    init {
        val taking = driver.handlers.launch {
            for (one in queue) {
                try {
                    take(one)
                } finally {
                    done(one)
                }
            }
        }
        // No handler runs any more, and nobody waits for one.
        taking.invokeOnCompletion { queue.cancel() }
    }

    private fun done(arrived: Arrived) {
        arrived.handled?.complete()
        driver.busy.decrementAndGet()
    }

    /**
     * @param handled is completed after the handlers have run.
     * @param own the handler of its connection, beside those that are for all.
     */
    fun put(notification: Notification, handled: CompletableJob? = null, own: NotificationHandler? = null) {
        fan.put(notification)
        driver.busy.incrementAndGet()
        val arrived = Arrived(notification, handled, own)
        if (queue.trySend(arrived).isFailure) done(arrived)
    }

    @Suppress("TooGenericExceptionCaught")
    private suspend fun take(arrived: Arrived) {
        val one = arrived.notification
        val missing = lost.getAndSet(0)
        if (missing > 0) complain("lost", "$missing notifications were dropped: their handlers are too slow for them")
        try {
            arrived.own?.invoke(one)
            (handlers[one.method.value] ?: handlers[FALLBACK].takeIf { arrived.own == null })?.invoke(one)
        } catch (thrown: Throwable) {
            // What a handler waited for may be cancelled, and that is its own affair; the others go on unless all of this ends.
            currentCoroutineContext().ensureActive()
            complain("handler", thrown.toString())
        }
    }
}
