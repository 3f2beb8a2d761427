package dev.mcpbolt

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableJob
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.Channel
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

    suspend fun each(take: suspend (Notification) -> Unit) {
        for (one in queue) {
            val lost = missing.getAndSet(0)
            if (lost > 0) take(LostNotification(lost))
            take(one)
        }
    }
}

/** A flow with any number of collectors, each at its own speed. */
internal class Fan {
    private val takers = CopyOnWriteArrayList<Kept>()

    val flow: Flow<Notification> = flow {
        val mine = Kept()
        takers += mine
        try {
            mine.each { emit(it) }
        } finally {
            takers -= mine
        }
    }

    fun put(notification: Notification): Unit = takers.forEach { it.put(notification) }
}

internal typealias NotificationHandler = suspend (Notification) -> Unit

/** In place of a method: the handler of those that have no other. */
internal const val REST = "?"

private class Arrived(val notification: Notification, val handled: CompletableJob?, val own: NotificationHandler?)

/** Notifications in order, for collectors and for handlers, which do not wait for each other. */
internal class Inbound(
    private val driver: Driver,
    val handlers: ConcurrentHashMap<String, NotificationHandler> = ConcurrentHashMap(),
    private val complain: (kind: String, message: String) -> Unit,
) {
    private val lost = AtomicLong()
    private val queue = Channel<Arrived>(MAX_KEPT, BufferOverflow.DROP_OLDEST) { dropped ->
        lost.incrementAndGet()
        dropped.handled?.complete()
        driver.busy.decrementAndGet()
    }
    private val fan = Fan()
    val flow: Flow<Notification> get() = fan.flow

    init {
        driver.scope.launch {
            for (one in queue) {
                take(one)
                one.handled?.complete()
                driver.busy.decrementAndGet()
            }
        }
    }

    /**
     * @param handled is completed after the handlers have run.
     * @param own the handler of its connection, beside those that are for all.
     */
    fun put(notification: Notification, handled: CompletableJob? = null, own: NotificationHandler? = null) {
        fan.put(notification)
        driver.busy.incrementAndGet()
        queue.trySend(Arrived(notification, handled, own))
    }

    @Suppress("TooGenericExceptionCaught")
    private suspend fun take(arrived: Arrived) {
        val one = arrived.notification
        val missing = lost.getAndSet(0)
        if (missing > 0) complain("lost", "$missing notifications were dropped: their handlers are too slow for them")
        try {
            arrived.own?.invoke(one)
            (handlers[one.method.value] ?: handlers[REST].takeIf { arrived.own == null })?.invoke(one)
        } catch (over: CancellationException) {
            throw over
        } catch (thrown: Exception) {
            complain("handler", thrown.toString())
        }
    }
}
